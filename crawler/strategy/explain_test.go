package strategy

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"nightjar/crawler/page"
)

// explainers are the strategies that explain.
var explainers = []string{"link-value", "crf", "thematic", "naive-bayes", "naive-bayes-paper"}

// waitingLinks has a strategy read some pages, and returns the links with their notes.
func waitingLinks(t testing.TB, s Strategy) []Waiting {
	t.Helper()
	var all []Waiting
	for i := range 6 {
		v := Visit{URL: fmt.Sprint("http://w.test/", i), Start: i == 0, Page: &page.Page{
			URL: fmt.Sprint("http://w.test/", i), Title: "Page", Text: fmt.Sprint("goalkeeper puck ice ", strings.Repeat("oven bread ", i)),
		}}
		for k, words := range []string{"the goalkeeper", "bread oven", "ice hockey puck", "", "<b>“flour”</b>\x00"} {
			v.Page.Links = append(v.Page.Links, page.Link{URL: fmt.Sprintf("http://h%d.test/f%d/%d-%d.html", k, i%2, i, k), Anchor: words,
				Around: words + " near", Heading: "Links", Path: "body>ul>li"})
		}
		if i > 0 {
			v.Note = all[i].Note
		}
		j, err := s.Read(t.Context(), v)
		if err != nil {
			t.Fatal(err)
		}
		for k, l := range v.Page.Links {
			w := Waiting{URL: l.URL, Anchor: l.Anchor}
			if k < len(j.Notes) {
				w.Note = j.Notes[k]
			}
			all = append(all, w)
		}
	}
	return all
}

// worthOfLink is the value of a link to a strategy that explains, computed without Explain.
func worthOfLink(t testing.TB, s Strategy, w Waiting) float64 {
	t.Helper()
	switch s := s.(type) {
	case *linkValue:
		n, ok := readNote(w.Note)
		if !ok {
			t.Fatal("no note")
		}
		_, worth := s.worth(keysAt(w.URL), &n)
		return worth
	case *crfStrategy:
		n, ok := readWayNote(w.Note, s.field.Labels)
		if !ok {
			t.Fatal("no note")
		}
		return s.logOdds(n.behind.Alpha)
	case *thematic:
		n, ok := readThemeNote(w.Note)
		if !ok {
			t.Fatal("no note")
		}
		return n.worth()
	case *naiveBayes:
		n, ok := readBayesNote(w.Note, s.bundle.Bayes.Terms())
		if !ok {
			t.Fatal("no note")
		}
		return n.worth
	}
	t.Fatalf("%s explains nothing that this test knows", s.Name())
	return 0
}

// TestExplainAddsUp: the reasons of each link add up to its worth less the mean worth of the others, whatever the others
// are; and over a whole queue they add up to nothing.
func TestExplainAddsUp(t *testing.T) {
	for _, name := range explainers {
		s := explainer(t, name)
		all := waitingLinks(t, s)
		random := rand.New(rand.NewPCG(1, 2))
		whole := 0.0
		for i, link := range all {
			others := all
			if i%2 == 1 {
				others = nil
				for range 1 + random.IntN(9) {
					others = append(others, all[random.IntN(len(all))])
				}
			}
			mean := 0.0
			for _, o := range others {
				mean += worthOfLink(t, s, o) / float64(len(others))
			}
			e, ok := s.Explain(link, others)
			if !ok || e.Others != len(others) || math.Abs(e.Typical-mean) > 1e-9 {
				t.Fatalf("%s: %+v, %v; want %d others with a mean of %v", name, e, ok, len(others), mean)
			}
			sum := 0.0
			for _, r := range e.Reasons {
				sum += r.Value
			}
			if want := worthOfLink(t, s, link) - mean; math.Abs(sum-want) > 1e-9 {
				t.Errorf("%s: link %d: reasons add up to %v, want %v: %+v", name, i, sum, want, e.Reasons)
			}
			if e, _ := s.Explain(link, all); true {
				for _, r := range e.Reasons {
					whole += r.Value
				}
			}
		}
		if math.Abs(whole) > 1e-6 {
			t.Errorf("%s: over the queue the reasons add up to %v", name, whole)
		}
	}
}

// TestExplainBrute compares the signals' parts with a plain computation over the queue.
func TestExplainBrute(t *testing.T) {
	s := explainer(t, "link-value").(*linkValue)
	all := waitingLinks(t, s)
	for i, link := range all {
		e, ok := s.Explain(link, all)
		if !ok {
			t.Fatal("no explanation")
		}
		want := map[string]float64{}
		own, _ := readNote(link.Note)
		mine := s.signals(keysAt(link.URL), &own)
		for k := range mine {
			part, raw := 0.0, 0.0
			for _, o := range all {
				n, _ := readNote(o.Note)
				x := s.signals(keysAt(o.URL), &n)
				part += s.links.Signals[k] * (float64(mine[k]) - float64(x[k])) / float64(len(all))
				raw += float64(x[k]) / float64(len(all))
			}
			says := signalSays[k][0]
			if float64(mine[k]) < raw-1e-12 {
				says = signalSays[k][1]
			}
			want[says] += part
		}
		for _, r := range e.Reasons {
			for _, says := range signalSays {
				if (r.Name == says[0] || r.Name == says[1]) && math.Abs(r.Value-want[r.Name]) > 1e-5 {
					t.Errorf("link %d: %q is %v, want %v", i, r.Name, r.Value, want[r.Name])
				}
			}
		}
	}
}

// TestExplainChangesNothing: the same question gets the same answer, and explaining changes neither priorities nor what is
// learned.
func TestExplainChangesNothing(t *testing.T) {
	asked, unasked := explainer(t, "link-value").(*linkValue), explainer(t, "link-value").(*linkValue)
	all := waitingLinks(t, asked)
	waitingLinks(t, unasked)
	first, _ := asked.Explain(all[3], all)
	for range 3 {
		if again, ok := asked.Explain(all[3], all); !ok || !reflect.DeepEqual(again, first) {
			t.Fatalf("%+v, then %+v", first, again)
		}
	}
	if !reflect.DeepEqual(asked.Snapshot(), unasked.Snapshot()) {
		t.Error("explaining changed what was learned")
	}
	restored := explainer(t, "link-value").(*linkValue)
	if err := restored.Restore(asked.Snapshot()); err != nil {
		t.Fatal(err)
	}
	if e, ok := restored.Explain(all[3], all); !ok || !reflect.DeepEqual(e, first) {
		t.Errorf("after a restart %+v, want %+v", e, first)
	}
}

// TestExplainHostile: notes that no strategy made are left out, and a link that has one is not explained.
func TestExplainHostile(t *testing.T) {
	for _, name := range explainers {
		s := explainer(t, name)
		all := waitingLinks(t, s)
		bad := []Waiting{{}, {URL: "http://x.test/", Note: []byte{1}}, {URL: "%zz", Note: []byte("\xff\xff\xff")}, {URL: "x", Note: all[0].Note[:len(all[0].Note)/2]}}
		for _, w := range bad {
			if e, ok := s.Explain(w, all); ok {
				t.Errorf("%s explains %q: %+v", name, w.Note, e)
			}
		}
		if e, ok := s.Explain(all[0], bad); ok {
			t.Errorf("%s compares with nothing: %+v", name, e)
		}
		e, ok := s.Explain(all[0], append(bad, all[1]))
		if !ok || e.Others != 1 {
			t.Errorf("%s: %+v, %v", name, e, ok)
		}
		for _, r := range e.Reasons {
			if math.IsNaN(r.Value) || math.IsInf(r.Value, 0) || strings.TrimSpace(r.Name) == "" {
				t.Errorf("%s: %+v", name, r)
			}
		}
	}
}

// Every strategy says what its best link has over the others.
func TestBestOf(t *testing.T) {
	for _, k := range append(Kinds(), variants...) {
		if BestOf(k.Name) == "" || strings.HasSuffix(BestOf(k.Name), ".") {
			t.Errorf("%s: %q", k.Name, BestOf(k.Name))
		}
	}
	if BestOf("auto") != BestOf(Best) || BestOf("nonsense") != "" {
		t.Error("auto or an unknown name")
	}
}

// BenchmarkExplain is what an explanation costs: a link compared with 200 others.
func BenchmarkExplain(b *testing.B) {
	for _, name := range explainers {
		s := explainer(b, name)
		all := waitingLinks(b, s)
		var others []Waiting
		for i := range 200 {
			others = append(others, all[i%len(all)])
		}
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				s.Explain(all[i%len(all)], others)
			}
		})
	}
}

// explainer makes a strategy that explains.
func explainer(tb testing.TB, name string) Explainer {
	tb.Helper()
	b := bundleFor(name)
	if name == "crf" {
		b = withNames(tb)
	}
	s, err := NewWith(tb.Context(), name, b, themesFor(name))
	if err != nil {
		tb.Fatal(err)
	}
	e, ok := s.(Explainer)
	if !ok {
		tb.Fatalf("%s does not explain", name)
	}
	return e
}

func keysAt(url string) *linkKeys {
	keys := keysOf(url)
	return &keys
}
