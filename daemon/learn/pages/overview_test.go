package pages

import (
	"fmt"
	"strings"
	"testing"

	"nightjar/daemon/lab/webtest"
	"nightjar/model"
)

// handStates is a model of pages in these states with these links; nothing else of it is filled in.
func handStates(states int, of []int, links ...[2]int) *model.Bundle {
	b := &model.Bundle{Transition: make([][]float64, states), Edges: links}
	for _, s := range of {
		b.Pages = append(b.Pages, model.PageFact{State: s})
	}
	return b
}

func TestClicksSay(t *testing.T) {
	for _, c := range []struct {
		of   []int
		want string
	}{
		{[]int{0, 1, 1, 2}, "From pages like these you were usually one click from something useful: of the 3 pages that you passed, 2 link straight to your useful page."},
		{[]int{0, 0, 1, 2, 2}, "From pages like these you were usually two clicks from something useful: of the 3 pages that you passed, 1 links straight to one of your 2 useful pages."},
		{[]int{0, 3, 3, 3}, "From pages like these you were usually three clicks or more from something useful, or no way is known: of the 3 pages that you passed, 0 link straight to your useful page."},
		{[]int{0, 0}, "All 2 pages that it learned from are useful."},
	} {
		b := handStates(4, c.of)
		if got := clicksSay(b, stateCounts(b)); got != c.want {
			t.Errorf("%v: %q, want %q", c.of, got, c.want)
		}
	}
}

func TestLinksSay(t *testing.T) {
	b := handStates(3, []int{0, 1, 2, 2}, [2]int{1, 0}, [2]int{1, 2}, [2]int{1, 3}, [2]int{2, 1}, [2]int{2, 3})
	want := "On a page one click away, 33 % of the links lead to a useful page. On the pages farthest away, 50 % lead nearer. "
	if got := webtest.Loosened(clickRateSays(b, stateCounts(b))); !strings.HasPrefix(got, want) {
		t.Errorf("%q", got)
	}
	var p modelPage
	p.overview(b)
	var got []string
	for _, h := range p.Hops {
		got = append(got, h.Name+": "+h.Links)
		if h.Links != "" && h.NearerWide+h.SameWide+h.FartherWide != 100 {
			t.Errorf("the bar of %s is %d %% long", h.Name, h.NearerWide+h.SameWide+h.FartherWide)
		}
	}
	if all := webtest.Loosened(strings.Join(got, "; ")); all != "0: useful itself: ; 1: 33 % nearer, 0 % as far, 67 % farther; 2 or more, or no way known: 50 % nearer, 50 % as far" {
		t.Errorf("%s", all)
	}
	if none := handStates(3, []int{0, 2}); strings.Contains(clickRateSays(none, stateCounts(none)), "%") {
		t.Error("a share of no links is told")
	}
}

// TestModelParts opens every part of a model by its links, of the newest version and of a numbered one.
func TestModelParts(t *testing.T) {
	s := seed(t)
	for _, first := range []string{s.ModelPath(), s.ModelPath() + "/1"} {
		d := s.Page(t, first)
		links := d.Find(".toc a")
		if links.Length() != len(modelParts) {
			t.Fatalf("%d parts", links.Length())
		}
		for _, href := range []string{"/?topic=%d", "/sessions?topic=%[1]d#topic-%[1]d", "/teach/%d", "/communities?topic=%d"} {
			if d.Find(fmt.Sprintf(`.of-topic a[href="`+href+`"]`, s.Topic)).Length() != 1 {
				t.Errorf("no link to %s", href)
			}
		}
		for i, part := range modelParts {
			href := links.Eq(i).AttrOr("href", "")
			d := s.Page(t, href)
			if got := webtest.Text(d.Find(".toc [aria-current]")); got != part.name || d.Find("main h2").Length() == 0 {
				t.Errorf("%s shows %q", href, got)
			}
			if size := len(s.Get(href).Body.String()); size > 150_000 {
				t.Errorf("%s has %d bytes", href, size)
			}
		}
	}
}
