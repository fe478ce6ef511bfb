package pages

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"nightjar/daemon/chart"
	"nightjar/daemon/thesus/ontologies"
	"nightjar/daemon/web/frame"
	"nightjar/model/ontology"
)

// Bounds of what one page shows of a tree.
const (
	ontologyRows   = 1500 // terms
	ontologyTurn   = 100  // terms directly below one term; the others on further pages
	ontologyOpened = 60   // terms whose branches are open
	ontologyLevels = 40   // levels above a deep term
	ontologyHits   = 100  // of a search
	labelsShown    = 6    // of a term in the tree
)

// ontologyPage shows an ontology: the tree, and the term that is edited. Only opened branches are sent.
type ontologyPage struct {
	Ontology ontologies.Ontology
	Tree     *ontologyRow
	Deep     bool // the tree begins below its root
	Term     ontologyTerm
	History  ontologyHistory
	Open     []string // keys of open terms
	At       string   // key of the term whose page of siblings is shown
	View     string   // Open and At as a query, "" when they are not chosen
	Here     string   // the address of the page as it is
	Query    string
	Hits     []ontologyHit
	HitsAll  int
	Levels   int
	WordNet  bool
}

// ontologyRow is a term in the tree with those below it that are shown.
type ontologyRow struct {
	Key      string
	Label    string
	Synonyms string
	N        int // terms below it
	Open     bool
	Current  bool
	Rows     []*ontologyRow
	Before   string // key of a term on the page of siblings before this one; "" for none
	After    string // key of a term on the next page
	Turn     string // which of the terms below it are shown, "" for all: "101 to 200 of 2 000"
}

// ontologyTerm is the term that is edited.
type ontologyTerm struct {
	Key, Label string
	Labels     string // one a line
	Rows       int
	N          int // below it
	Root       bool
	Way        []ontologyHit // from the root
	Choices    []ontologies.SenseChoice
	First      bool // of its siblings
	Last       bool
	Top        bool // directly below the root
}

// ontologyHit is a term that a search found.
type ontologyHit struct{ Key, Label, Way string }

// ontologyHistory is what can be taken back and done again.
type ontologyHistory struct {
	Undo, Redo int
	Last, Next string // in words
}

// ontologyState is what an address says of how a tree is shown.
type ontologyState struct {
	open   []string
	chosen bool // open was chosen; otherwise the way to the term is open
	term   string
	at     string
}

// lastOf is the last value of a field that has several: a button's comes after those of hidden fields.
func lastOf(all []string) string {
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

func readOntologyState(q url.Values) ontologyState {
	st := ontologyState{term: lastOf(q["term"]), at: lastOf(q["at"]), chosen: q.Has("open")}
	for _, key := range q["open"] {
		if key != "" && !slices.Contains(st.open, key) {
			st.open = append(st.open, key)
		}
	}
	if key := q.Get("toggle"); key != "" {
		if i := slices.Index(st.open, key); i >= 0 {
			st.open = slices.Delete(st.open, i, i+1)
		} else {
			st.open = append(st.open, key)
		}
	}
	return st
}

// complete leaves out terms that are gone, chooses the root when no term is chosen, and opens the way to see and, unless
// something else was chosen, to the term.
func (st *ontologyState) complete(tree *ontology.Tree, see string) (term int) {
	term, ok := tree.ByKey(st.term)
	if !ok {
		term = 0
	}
	st.term = tree.Term(term).Key
	open := func(i int) {
		for _, above := range tree.Above(i)[:min(ontologyLevels, tree.Depth(i))] {
			if key := tree.Term(above).Key; !slices.Contains(st.open, key) {
				st.open = append(st.open, key)
			}
		}
	}
	if !st.chosen {
		open(0)
		open(term)
	}
	if i, ok := tree.ByKey(see); ok && i > 0 {
		open(tree.Term(i).Parent)
		st.at = see
	}
	st.open = slices.DeleteFunc(st.open, func(key string) bool {
		i, ok := tree.ByKey(key)
		from, end := tree.Below(max(i, 0))
		return !ok || end-from < 2
	})
	st.open = st.open[max(0, len(st.open)-ontologyOpened):]
	return term
}

// view is which branches are open, as a query.
func (st *ontologyState) view() url.Values {
	q := url.Values{"open": append([]string{""}, st.open...)}
	if st.at != "" {
		q.Set("at", st.at)
	}
	return q
}

func (s *server) handleOntology(w http.ResponseWriter, r *http.Request, o ontologies.Ontology) error {
	p, err := s.viewOntology(r, o)
	if err != nil {
		return err
	}
	return s.Show(w, r, "ontology", "ontology-edit", frame.Layout{Title: "Ontology: " + frame.Printable(o.Name), Section: "explore"}, p)
}

func (s *server) viewOntology(r *http.Request, o ontologies.Ontology) (*ontologyPage, error) {
	ctx, q := r.Context(), r.URL.Query()
	tree, err := s.Ontologies.Tree(ctx, o.ID)
	if err != nil {
		return nil, err
	}
	st := readOntologyState(q)
	touched := st.chosen || st.at != ""
	term := st.complete(tree, q.Get("see"))
	p := &ontologyPage{Ontology: o, Open: st.open, At: st.at, Query: strings.TrimSpace(q.Get("q")), WordNet: s.Ontologies.HasWordNet()}
	if touched {
		p.View = st.view().Encode()
	}
	here := st.view()
	here.Set("term", st.term)
	if p.Query != "" {
		here.Set("q", p.Query)
		p.Hits, p.HitsAll = findTerms(tree, p.Query)
	}
	p.Here = ontologyPath(o.ID) + "?" + here.Encode()
	p.Tree, p.Deep = rowsOf(tree, &st, term)
	for i := range tree.Len() {
		p.Levels = max(p.Levels, tree.Depth(i))
	}
	if p.Term, err = s.termOf(r, o.ID, tree, term); err != nil {
		return nil, err
	}
	p.History, err = s.ontologyHistory(r, o.ID, tree)
	return p, err
}

// rowsOf are the rows of the tree; deep: those above a deep term are left out.
func rowsOf(tree *ontology.Tree, st *ontologyState, term int) (top *ontologyRow, deep bool) {
	b := ontologyRower{tree: tree, open: map[int]bool{}, path: map[int]bool{}, left: ontologyRows, current: term}
	for _, key := range st.open {
		if i, ok := tree.ByKey(key); ok {
			b.open[i] = true
		}
	}
	for _, i := range tree.Above(term) {
		b.path[i] = true
	}
	if i, ok := tree.ByKey(st.at); ok {
		b.at, b.pinned = i, true
	}
	root := tree.Ancestor(term, tree.Depth(term)-ontologyLevels+1)
	return b.row(root), root != 0
}

// ontologyRower makes rows until there are enough.
type ontologyRower struct {
	tree    *ontology.Tree
	open    map[int]bool
	path    map[int]bool // the terms from the root to the current one
	current int
	at      int // a term whose page of siblings is shown
	pinned  bool
	left    int
}

func (b *ontologyRower) row(i int) *ontologyRow {
	from, end := b.tree.Below(i)
	term := b.tree.Term(i)
	r := &ontologyRow{Key: term.Key, Label: frame.Printable(term.Labels[0]), N: end - from - 1, Current: i == b.current}
	var more []string
	for _, l := range term.Labels[1:min(len(term.Labels), labelsShown)] {
		more = append(more, frame.Printable(l))
	}
	r.Synonyms = strings.Join(more, ", ")
	b.left--
	if !b.open[i] || r.N == 0 || b.left <= 0 {
		return r
	}
	r.Open = true
	children := b.tree.Children(i)
	first := b.turn(children)
	last := min(first+ontologyTurn, len(children))
	if first > 0 {
		r.Before = b.tree.Term(children[first-ontologyTurn]).Key
	}
	if last < len(children) {
		r.After = b.tree.Term(children[last]).Key
	}
	if first > 0 || last < len(children) {
		r.Turn = chart.Number(first+1) + " to " + chart.Number(last) + " of " + chart.Number(len(children))
	}
	for _, c := range children[first:last] {
		r.Rows = append(r.Rows, b.row(c))
	}
	return r
}

// turn is the first of the siblings that are shown: those of the page that was turned to, or of the way to the current term.
func (b *ontologyRower) turn(siblings []int) int {
	if b.pinned {
		if k := slices.Index(siblings, b.at); k >= 0 {
			return k / ontologyTurn * ontologyTurn
		}
	}
	for k, i := range siblings {
		if b.path[i] {
			return k / ontologyTurn * ontologyTurn
		}
	}
	return 0
}

// wayTo is the labels from the root to the term above a term.
func wayTo(tree *ontology.Tree, i int) string {
	above := tree.Above(i)[1:]
	const shown = 6
	cut := len(above) > shown
	above = above[:min(len(above), shown)]
	var names []string
	for _, a := range slices.Backward(above) {
		names = append(names, frame.Printable(tree.Label(a)))
	}
	if cut {
		names = append([]string{"…"}, names...)
	}
	return strings.Join(names, " > ")
}

// findTerms are the terms with a label that contains a text.
func findTerms(tree *ontology.Tree, text string) (hits []ontologyHit, all int) {
	text = strings.ToLower(text)
	for i, term := range tree.Terms() {
		if !slices.ContainsFunc(term.Labels, func(l string) bool { return strings.Contains(strings.ToLower(l), text) }) {
			continue
		}
		if all++; len(hits) < ontologyHits {
			hits = append(hits, ontologyHit{term.Key, frame.Printable(strings.Join(term.Labels[:min(len(term.Labels), labelsShown)], " | ")), wayTo(tree, i)})
		}
	}
	return hits, all
}

func (s *server) termOf(r *http.Request, id int64, tree *ontology.Tree, i int) (t ontologyTerm, err error) {
	term := tree.Term(i)
	from, end := tree.Below(i)
	t = ontologyTerm{Key: term.Key, Label: frame.Printable(term.Labels[0]), Labels: strings.Join(term.Labels, "\n"), N: end - from - 1, Root: i == 0}
	t.Rows = min(max(2, len(term.Labels)+1), 8)
	above := tree.Above(i)
	for _, a := range slices.Backward(above[1:min(len(above), ontologyLevels)]) {
		t.Way = append(t.Way, ontologyHit{Key: tree.Term(a).Key, Label: frame.Printable(tree.Label(a))})
	}
	if i > 0 {
		siblings := tree.Children(term.Parent)
		t.First, t.Last, t.Top = siblings[0] == i, siblings[len(siblings)-1] == i, term.Parent == 0
	}
	t.Choices, err = s.Ontologies.Choices(r.Context(), id, term.Key)
	return t, aboutOntology(err, "")
}

func (s *server) ontologyHistory(r *http.Request, id int64, tree *ontology.Tree) (h ontologyHistory, err error) {
	stored, err := s.Ontologies.History(r.Context(), id)
	if err != nil {
		return h, err
	}
	h.Undo, h.Redo = stored.Undo, stored.Redo
	label := func(key string) string {
		if i, ok := tree.ByKey(key); ok {
			return frame.Printable(tree.Label(i))
		}
		return "a term"
	}
	if e := stored.Last; e != nil {
		h.Last = saysEdit(*e, *stored.LastBack, label)
	}
	if e := stored.Next; e != nil {
		h.Next = saysEdit(*e, ontology.Edit{}, label)
	}
	return h, nil
}

// saysEdit says what an edit does. back is the edit that takes it back; it is empty for one that is not made.
func saysEdit(e, back ontology.Edit, label func(key string) string) string {
	switch e.Action {
	case ontology.Add:
		return "add " + frame.Quoted(e.Terms[0].Labels[0]) + " below " + frame.Quoted(label(e.Parent))
	case ontology.Move:
		return "move " + frame.Quoted(label(e.Key)) + " below " + frame.Quoted(label(e.Parent))
	case ontology.Rename:
		from := label(e.Key)
		if len(back.Labels) > 0 {
			from = back.Labels[0]
		}
		if from == e.Labels[0] {
			return "other synonyms of " + frame.Quoted(from)
		}
		return "rename " + frame.Quoted(from) + " to " + frame.Quoted(e.Labels[0])
	case ontology.Choose:
		return "choose senses of " + frame.Quoted(label(e.Key))
	}
	if len(back.Terms) > 0 {
		more := ""
		if n := len(back.Terms) - 1; n > 0 {
			more = " with " + strconv.Itoa(n) + " below it"
		}
		return "remove " + frame.Quoted(back.Terms[0].Labels[0]) + more
	}
	return "remove " + frame.Quoted(label(e.Key))
}
