package ontologies

import (
	"context"
	"fmt"
	"strings"

	"nightjar/crawler/texts"
	format "nightjar/daemon/thesus/ontology"
	"nightjar/model/ontology"
	"nightjar/model/senses"
)

// Import stores the ontology of a file. name "" is the label of its root. language is that of the labels to keep, such as
// "en"; "" is English. report says in sentences what was read, what was repaired, and what could not be used.
func (s *Shelf) Import(ctx context.Context, name string, data []byte, language string) (o Ontology, report []string, err error) {
	file, err := format.Read(data, language)
	if err != nil {
		return o, nil, problem(err)
	}
	crowded := 0
	for i, item := range file.Items {
		if len(item.Labels) > format.MaxLabels || len(item.Senses) > format.MaxLabels {
			crowded++
			file.Items[i].Labels = item.Labels[:min(len(item.Labels), format.MaxLabels)]
			file.Items[i].Senses = item.Senses[:min(len(item.Senses), format.MaxLabels)]
		}
	}
	tree, repaired, err := ontology.Build(file.Items)
	if err != nil {
		return o, nil, problem(fmt.Errorf("the file was read as %s, but its terms make no tree: %w", file.Kind, err))
	}
	report = append(report, fmt.Sprintf("The file is %s with %s on %s.", file.Kind, texts.Plural(tree.Len(), "term"), texts.Plural(depth(tree), "level")))
	for _, fault := range repaired {
		report = append(report, sentence(fault.Error()))
	}
	if crowded > 0 {
		report = append(report, fmt.Sprintf("Of %s, at most %d labels and senses were kept.", texts.Plural(crowded, "term"), format.MaxLabels))
	}
	for _, w := range file.Warnings {
		report = append(report, sentence(w))
	}
	report = append(report, s.unknown(tree)...)
	o, err = s.add(ctx, name, tree)
	return o, report, err
}

// add stores a tree. Without a name it takes the label of the root, with a number if that is taken.
func (s *Shelf) add(ctx context.Context, name string, tree *ontology.Tree) (Ontology, error) {
	if strings.TrimSpace(name) == "" {
		var err error
		if name, err = s.freeName(ctx, tree.Label(0)); err != nil {
			return Ontology{}, err
		}
	}
	o, err := Add(ctx, s.store.DB, name, tree)
	if err == nil {
		s.changed(o.ID)
	}
	return o, err
}

func (s *Shelf) freeName(ctx context.Context, label string) (string, error) {
	const room = 6 // for a number
	if runes := []rune(label); len(runes) > MaxOntologyName-room {
		label = string(runes[:MaxOntologyName-room])
	}
	all, err := All(ctx, s.store.DB)
	if err != nil {
		return "", err
	}
	taken := map[string]bool{}
	for _, o := range all {
		taken[strings.ToLower(o.Name)] = true
	}
	name := label
	for n := 2; taken[strings.ToLower(name)]; n++ {
		name = fmt.Sprintf("%s %d", label, n)
	}
	return name, nil
}

// unknown says which senses of a tree the WordNet at hand lacks, or that there is none.
func (s *Shelf) unknown(tree *ontology.Tree) []string {
	named := 0
	for _, t := range tree.Terms() {
		named += len(t.Senses)
	}
	net := s.net()
	switch {
	case named == 0:
		return nil
	case net == nil:
		return []string{fmt.Sprintf("The file names %s. They are kept, and are used as soon as there is a WordNet.", texts.Plural(named, "sense"))}
	}
	_, unknown := senses.NewTerms(tree, net)
	if len(unknown) == 0 {
		return nil
	}
	const shown = 5
	var names []string
	for _, u := range unknown[:min(len(unknown), shown)] {
		names = append(names, fmt.Sprintf("%s of %q", u.Sense, tree.Label(u.Term)))
	}
	more := ""
	if len(unknown) > shown {
		more = fmt.Sprintf(" and %d more", len(unknown)-shown)
	}
	return []string{fmt.Sprintf("WordNet lacks %s, which will not be used: %s%s.", texts.Plural(len(unknown), "sense"), strings.Join(names, ", "), more)}
}

// NewEmpty stores an ontology with one term, which is named as the ontology.
func (s *Shelf) NewEmpty(ctx context.Context, name string) (Ontology, error) {
	labels, err := format.CheckTerm([]string{name}, nil)
	if err != nil {
		return Ontology{}, ErrOntologyName
	}
	tree, _, err := ontology.Build([]ontology.Item{{Key: newKey(), Labels: labels}})
	if err != nil {
		return Ontology{}, err
	}
	return s.add(ctx, name, tree)
}

// sentence begins a text with a capital letter and ends it with a full stop.
func sentence(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + strings.TrimSuffix(s[1:], ".") + "."
}
