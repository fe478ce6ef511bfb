package ontologies

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"

	format "nightjar/daemon/thesus/ontology"
	"nightjar/model/ontology"
	"nightjar/model/senses"
	"nightjar/model/wordnet"
)

// newKey is the key of a new term. Keys of removed terms are not given again, since groupings may still name them.
func newKey() string { return "t-" + strings.ToLower(rand.Text()[:12]) }

// Apply edits an ontology, keeps what takes the edit back, and marks its groupings as out of date, in one transaction. Terms
// of an Add without a key get one. What is wrong with an edit is a Problem.
func (s *Shelf) Apply(ctx context.Context, id int64, e ontology.Edit) error {
	e, err := s.checked(ctx, id, e)
	if err != nil {
		return err
	}
	err = Edit(ctx, s.store.DB, id, e, notDeeper)
	if refused, ok := errors.AsType[EditRefused](err); ok {
		err = problem(refused.Unwrap())
	}
	return s.after(id, err)
}

func (s *Shelf) after(id int64, err error) error {
	if err == nil {
		s.changed(id)
	}
	return err
}

// checked completes an edit and checks what it says of terms.
func (s *Shelf) checked(ctx context.Context, id int64, e ontology.Edit) (ontology.Edit, error) {
	var err error
	switch e.Action {
	case ontology.Add:
		e.Terms = slices.Clone(e.Terms)
		for i, t := range e.Terms {
			if t.Key == "" {
				e.Terms[i].Key = newKey()
			}
			if e.Terms[i].Labels, err = format.CheckTerm(t.Labels, t.Senses); err != nil {
				return e, problem(err)
			}
		}
	case ontology.Rename:
		e.Labels, err = format.CheckTerm(e.Labels, nil)
		err = problem(err)
	case ontology.Choose:
		err = s.checkSenses(ctx, id, e)
	}
	return e, err
}

// checkSenses checks that senses are in WordNet, or among those that the term has already: the file it came from may have
// been made with another WordNet.
func (s *Shelf) checkSenses(ctx context.Context, id int64, e ontology.Edit) error {
	if err := format.CheckSenses(e.Senses); err != nil {
		return problem(err)
	}
	tree, err := s.Tree(ctx, id)
	if err != nil {
		return err
	}
	var has []string
	if i, ok := tree.ByKey(e.Key); ok {
		has = tree.Term(i).Senses
	}
	net := s.net()
	for _, name := range e.Senses {
		if net == nil || slices.Contains(has, name) {
			continue
		}
		if _, err := findSense(net, name); err != nil {
			return problem(err)
		}
	}
	return nil
}

// Keep gives a term those of its Choices that the person keeps. When it is all senses of its labels, none is named: then
// those of labels that it gets later count, too.
func (s *Shelf) Keep(ctx context.Context, id int64, key string, kept []string) error {
	choices, err := s.Choices(ctx, id, key)
	if err != nil {
		return err
	}
	e := ontology.Edit{Action: ontology.Choose, Key: key}
	all := true
	for _, c := range choices {
		keeps := slices.Contains(kept, c.Name)
		all = all && keeps == c.Label
		if keeps {
			e.Senses = append(e.Senses, c.Name)
		}
	}
	if len(e.Senses) == 0 {
		return problem(errors.New("keep at least one sense: a term for which none is named has all senses of its labels"))
	}
	if all {
		e.Senses = nil
	}
	return s.Apply(ctx, id, e)
}

// notDeeper refuses more levels than a file may have.
func notDeeper(before, after *ontology.Tree) error {
	if d := depth(after); d > format.MaxLevels && d > depth(before) {
		return fmt.Errorf("an ontology has at most %d levels; put the term higher up", format.MaxLevels)
	}
	return nil
}

func depth(t *ontology.Tree) int {
	most := 0
	for i := range t.Len() {
		most = max(most, t.Depth(i))
	}
	return most
}

// Undo undoes the newest edit that is not undone yet. It returns false if there is none.
func (s *Shelf) Undo(ctx context.Context, id int64) (bool, error) {
	done, err := Undo(ctx, s.store.DB, id)
	return done, s.after(id, err)
}

// Redo repeats the edit that Undo undid last. It returns false if there is none; an edit by Apply leaves none.
func (s *Shelf) Redo(ctx context.Context, id int64) (bool, error) {
	done, err := Redo(ctx, s.store.DB, id)
	return done, s.after(id, err)
}

// History says what Undo and Redo would do.
func (s *Shelf) History(ctx context.Context, id int64) (History, error) {
	return ReadHistory(ctx, s.store.DB, id)
}

// SenseChoice is a sense that a term may have.
type SenseChoice struct {
	Name  string // such as "wind.n.07"
	Words string // of the sense, separated by commas; "" if WordNet lacks the sense
	Gloss string // its definition; "" if WordNet cannot be read
	Label bool   // whether one of the term's labels has it
	Kept  bool   // whether words with this sense are mapped to the term
}

// ErrNoTerm says that an ontology has no such term any more.
var ErrNoTerm = errors.New("the ontology has no such term any more; load it again")

// Choices lists all senses of a term's labels, and those that its ontology names for it besides. A term for which no senses
// are named keeps all of them.
func (s *Shelf) Choices(ctx context.Context, id int64, key string) ([]SenseChoice, error) {
	tree, err := s.Tree(ctx, id)
	if err != nil {
		return nil, err
	}
	i, ok := tree.ByKey(key)
	if !ok {
		return nil, problem(ErrNoTerm)
	}
	term := tree.Term(i)
	var all []SenseChoice
	var named []wordnet.Sense
	net := s.net()
	for _, name := range term.Senses {
		if net == nil {
			all = append(all, SenseChoice{Name: name, Kept: true})
		} else if sense, ok := net.ByName(name); !ok {
			all = append(all, SenseChoice{Name: name, Kept: true})
		} else {
			named = append(named, sense)
		}
	}
	if net == nil {
		return all, nil
	}
	listed := senses.LabelSenses(net, term.Labels)
	own := len(listed)
	for _, sense := range named {
		if !slices.Contains(listed, sense) {
			listed = append(listed, sense)
		}
	}
	for i, sense := range listed {
		all = append(all, SenseChoice{Name: net.Name(sense), Words: strings.Join(spelled(net, sense), ", "),
			Gloss: s.words.Gloss(sense), Label: i < own, Kept: slices.Contains(named, sense) || len(term.Senses) == 0})
	}
	return all, nil
}

// spelled are the words of a sense as a person writes them.
func spelled(net *wordnet.Net, sense wordnet.Sense) []string {
	var all []string
	for _, w := range net.Words(sense) {
		all = append(all, strings.ReplaceAll(w, "_", " "))
	}
	return all
}
