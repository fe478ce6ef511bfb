package pages

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"nightjar/daemon/chart"
	"nightjar/daemon/learn/overview"
	"nightjar/daemon/thesus/operators"
	"nightjar/daemon/web/frame"
)

// comparedWords is the number of words of each direction.
const comparedWords = 20

// setsOffered is the number of topics, and of saved sets, that the fields offer.
const setsOffered = 30

// comparePage shows how two sets of pages describe each other.
type comparePage struct {
	A, B   compareField
	Asked  bool
	Ways   []compareWay // how A describes B, and how B describes A
	Sets   []savedSet
	Topics []string // sets of the pages of topics
}

type compareField struct {
	ID, Name, Text string
	Fault          *faultView
}

// Wrong reports whether the set cannot be read.
func (f compareField) Wrong() bool { return f.Fault != nil }

// compareWay is the words that one set uses for another.
type compareWay struct {
	From, To string
	Words    []comparedWord
	Href     string // of the expression in the console
}

// comparedWord is a word of links from one set to another.
type comparedWord struct {
	Word       string
	Pages      int // of the set that links lead to, with the word in a link to them
	Times      int // that it occurs in the links
	PagesWide  int // of the bars, in percent of the largest
	TimesWide  int
	OnlyInThis bool // the other direction does not have it
}

// handleCompare compares two sets.
func (s *server) handleCompare(w http.ResponseWriter, r *http.Request) error {
	ctx, q := r.Context(), r.URL.Query()
	p := comparePage{A: compareField{ID: "a", Name: "A"}, B: compareField{ID: "b", Name: "B"}, Asked: q.Has("a") || q.Has("b")}
	for _, f := range []*compareField{&p.A, &p.B} {
		f.Text = oneLineOf(chart.Shorten(mostExpressed/2, q.Get(f.ID)))
	}
	if p.Asked {
		if err := s.compare(ctx, &p); err != nil {
			return err
		}
	}
	sets, err := s.Operators.SavedSets(ctx)
	if err != nil {
		return err
	}
	for _, one := range sets[:min(len(sets), setsOffered)] {
		p.Sets = append(p.Sets, savedSetOf(one))
	}
	topics, err := overview.Topics(ctx, s.Store.DB)
	if err != nil {
		return err
	}
	for _, t := range topics[:min(len(topics), setsOffered)] {
		p.Topics = append(p.Topics, topicSet(t.Name))
	}
	return s.Render(w, r, http.StatusOK, "explore-compare", frame.Layout{Title: "Compare two sets", Section: "explore"}, p)
}

// compare fills in both directions, or the error of a set.
func (s *server) compare(ctx context.Context, p *comparePage) error {
	for _, pair := range [][2]*compareField{{&p.A, &p.B}, {&p.B, &p.A}} {
		way, err := s.compareWay(ctx, pair[0], pair[1])
		if err != nil {
			return err
		}
		if p.A.Wrong() || p.B.Wrong() {
			p.Ways = nil
			return nil
		}
		p.Ways = append(p.Ways, way)
	}
	for i := range p.Ways {
		for j := range p.Ways[i].Words {
			one := &p.Ways[i].Words[j]
			one.OnlyInThis = !slices.ContainsFunc(p.Ways[1-i].Words, func(o comparedWord) bool { return o.Word == one.Word })
		}
	}
	return nil
}

// setOf is the set of a field as an operator takes it: nothing typed means all pages, and brackets may be left out.
func (f compareField) setOf() string {
	switch {
	case f.Text == "":
		return "[]"
	case strings.ContainsAny(f.Text[:1], "[@$") || strings.Contains(f.Text, "("):
		return f.Text
	}
	return "[" + f.Text + "]"
}

func (s *server) compareWay(ctx context.Context, from, to *compareField) (compareWay, error) {
	way := compareWay{From: from.Name, To: to.Name}
	found := map[string]*comparedWord{}
	var order []string
	for _, operator := range []string{"weightedTargetKeywords", "weightedGroupKeywords"} {
		head := operator + "(" + from.setOf() + ", "
		text := head + to.setOf() + ")"
		if way.Href == "" {
			way.Href = operatorsHref(text)
		}
		result, err := s.Operators.Run(ctx, text)
		var fault *operators.Fault
		switch {
		case errors.As(err, &fault):
			wrong(from, to, operator, head, fault)
			return way, nil
		case err != nil:
			return way, err
		}
		for _, row := range result.Rows {
			one := found[row.Word]
			if one == nil {
				one = &comparedWord{Word: frame.Printable(row.Word)}
				found[row.Word] = one
				order = append(order, row.Word)
			}
			if operator == "weightedTargetKeywords" {
				one.Pages = row.N
			} else {
				one.Times = row.N
			}
		}
	}
	way.words(found, order)
	return way, nil
}

// words lists the words that are used for most pages.
func (way *compareWay) words(found map[string]*comparedWord, order []string) {
	slices.SortStableFunc(order, func(a, b string) int {
		return cmp.Or(cmp.Compare(found[b].Pages, found[a].Pages), cmp.Compare(found[b].Times, found[a].Times), cmp.Compare(a, b))
	})
	pages, times := 1, 1
	for _, word := range order[:min(len(order), comparedWords)] {
		pages, times = max(pages, found[word].Pages), max(times, found[word].Times)
	}
	for _, word := range order[:min(len(order), comparedWords)] {
		one := *found[word]
		one.PagesWide, one.TimesWide = 100*one.Pages/pages, 100*one.Times/times
		way.Words = append(way.Words, one)
	}
}

// wrong puts the error of a combined expression beside the field that caused it.
func wrong(from, to *compareField, operator, head string, fault *operators.Fault) {
	f, begins := from, utf8.RuneCountInString(operator+"(")
	if n := utf8.RuneCountInString(head); fault.At >= n {
		f, begins = to, n
	}
	begins += strings.Index(f.setOf()+f.Text, f.Text) // a bracket that was not typed
	f.Fault = faultOf(f.Text, &operators.Fault{At: fault.At - begins, Text: fault.Text})
}
