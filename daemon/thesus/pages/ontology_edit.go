package pages

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"nightjar/daemon/chart"
	"nightjar/daemon/thesus/ontologies"
	"nightjar/daemon/web/frame"
	"nightjar/model/ontology"
)

// handleOntologyEdit changes a term of an ontology.
func (s *server) handleOntologyEdit(w http.ResponseWriter, r *http.Request, o ontologies.Ontology) error {
	tree, err := s.Ontologies.Tree(r.Context(), o.ID)
	if err != nil {
		return err
	}
	term, ok := tree.ByKey(r.PostForm.Get("term"))
	if !ok {
		return frame.BadInput("the ontology has no such term any more: load the page again")
	}
	return s.editTerm(w, r, o, tree, term)
}

// editTerm makes the change that a form asks for, and leads back to the tree.
func (s *server) editTerm(w http.ResponseWriter, r *http.Request, o ontologies.Ontology, tree *ontology.Tree, i int) error {
	ctx, form, term := r.Context(), r.PostForm, tree.Term(i)
	apply := func(field string, e ontology.Edit) error {
		return aboutOntology(s.Ontologies.Apply(ctx, o.ID, e), field)
	}
	next, see, err := term.Key, "", error(nil)
	switch form.Get("do") {
	case "rename":
		err = apply("labels", ontology.Edit{Action: ontology.Rename, Key: term.Key, Labels: strings.Split(form.Get("labels"), "\n")})
	case "choose":
		err = aboutOntology(s.Ontologies.Keep(ctx, o.ID, term.Key, form["sense"]), "sense")
	case "add":
		err = apply("new", ontology.Edit{Action: ontology.Add, Parent: term.Key, Terms: []ontology.Term{{Labels: strings.Split(form.Get("new"), "|")}}})
		if err == nil {
			see, err = s.lastBelow(r, o.ID, term.Key)
		}
	case "move":
		to, merr := termNamed(tree, form.Get("parent"))
		if merr != nil {
			return frame.At("parent", merr)
		}
		see = term.Key
		err = apply("parent", ontology.Edit{Action: ontology.Move, Key: term.Key, Parent: tree.Term(to).Key})
	case "up", "down", "out":
		e, ok := besides(tree, i, form.Get("do"))
		if !ok {
			return frame.BadInput("the term is there already")
		}
		see = term.Key
		err = apply("", e)
	case "remove":
		if err = apply("", ontology.Edit{Action: ontology.Remove, Key: term.Key}); i > 0 {
			next = tree.Term(term.Parent).Key
		}
	default:
		err = frame.BadInput("this form cannot be used; load the page again")
	}
	if err != nil {
		return err
	}
	return s.backToTree(w, r, o.ID, next, see)
}

// lastBelow is the key of the last term directly below a term, "" if there is none any more.
func (s *server) lastBelow(r *http.Request, id int64, key string) (string, error) {
	tree, err := s.Ontologies.Tree(r.Context(), id)
	if err != nil {
		return "", err
	}
	i, ok := tree.ByKey(key)
	if !ok {
		return "", nil
	}
	children := tree.Children(i)
	if len(children) == 0 {
		return "", nil
	}
	return tree.Term(children[len(children)-1]).Key, nil
}

// backToTree leads to the tree as it was shown, with a term chosen and the way to see open.
func (s *server) backToTree(w http.ResponseWriter, r *http.Request, id int64, term, see string) error {
	q, err := url.ParseQuery(strings.Trim(r.PostFormValue("view"), "&"))
	if err != nil {
		q = url.Values{}
	}
	kept := url.Values{"term": {term}}
	for _, name := range []string{"open", "at"} {
		if q.Has(name) {
			kept[name] = q[name][max(0, len(q[name])-ontologyOpened):]
		}
	}
	if see != "" {
		kept.Set("see", see)
	}
	return frame.SeeOther(w, r, ontologyPath(id)+"?"+kept.Encode())
}

// besides is the move of a term by one place: up or down among its siblings, or out, behind the term above it.
func besides(tree *ontology.Tree, i int, how string) (e ontology.Edit, ok bool) {
	if i == 0 {
		return e, false
	}
	term := tree.Term(i)
	e = ontology.Edit{Action: ontology.Move, Key: term.Key, Parent: tree.Term(term.Parent).Key}
	siblings := tree.Children(term.Parent)
	k := slices.Index(siblings, i)
	switch {
	case how == "up" && k > 0:
		e.Before = tree.Term(siblings[k-1]).Key
	case how == "down" && k+1 < len(siblings):
		if k+2 < len(siblings) {
			e.Before = tree.Term(siblings[k+2]).Key
		}
	case how == "out" && term.Parent > 0:
		above := tree.Term(term.Parent)
		e.Parent = tree.Term(above.Parent).Key
		uncles := tree.Children(above.Parent)
		if k := slices.Index(uncles, term.Parent); k+1 < len(uncles) {
			e.Before = tree.Term(uncles[k+1]).Key
		}
	default:
		return e, false
	}
	return e, true
}

// termNamed finds the term with a label, or the end of a way: "music > instrument".
func termNamed(tree *ontology.Tree, text string) (int, error) {
	var parts []string
	for part := range strings.SplitSeq(text, ">") {
		if part = strings.Join(strings.Fields(part), " "); part != "" && part != "…" {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return 0, frame.BadInput("write the name of the term to put it below")
	}
	var found []int
	for i := range tree.Len() {
		if endsWay(tree, i, parts) {
			found = append(found, i)
		}
	}
	switch len(found) {
	case 0:
		return 0, frame.BadInput(fmt.Sprintf("no term is named %q; search for it to see how it is written", chart.Shorten(60, frame.Printable(text))))
	case 1:
		return found[0], nil
	}
	const shown = 3
	var ways []string
	for _, i := range found[:min(len(found), shown)] {
		ways = append(ways, strings.TrimPrefix(wayTo(tree, i)+" > "+frame.Printable(tree.Label(i)), " > "))
	}
	more := ""
	if len(found) > shown {
		more = fmt.Sprintf(" and %d more", len(found)-shown)
	}
	return 0, frame.BadInput(fmt.Sprintf("%d terms are named so; write one with those above it: %s%s", len(found), strings.Join(ways, "; "), more))
}

// endsWay reports whether the way from the root to a term ends with these labels.
func endsWay(tree *ontology.Tree, i int, parts []string) bool {
	for _, part := range slices.Backward(parts) {
		if i == ontology.None || !slices.ContainsFunc(tree.Term(i).Labels, func(l string) bool {
			return strings.EqualFold(strings.Join(strings.Fields(l), " "), part)
		}) {
			return false
		}
		i = tree.Term(i).Parent
	}
	return true
}
