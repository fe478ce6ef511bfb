package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// madeWeb is a session's web graph made at random: ways that branch off earlier pages, some Back, links between pages of one
// way and elsewhere, and strays that nothing leads to.
func madeWeb(rng *rand.Rand, n, strays int) ([]WebPage, [][2]int, []Move) {
	var pages []WebPage
	var links [][2]int
	var moves []Move
	last := 0
	for i := range n {
		pages = append(pages, WebPage{Title: fmt.Sprint(strings.Repeat("title ", rng.IntN(5)), i), Target: rng.IntN(6) == 0, Visits: 1 + rng.IntN(3)})
		if i > 0 && i < n-strays {
			if rng.IntN(4) == 0 {
				moves = append(moves, Move{From: last, To: max(0, last-1), Back: true})
				last = rng.IntN(i)
			}
			moves = append(moves, Move{From: last, To: i})
			links = append(links, [2]int{last, i})
			last = i
		}
	}
	if inside := n - strays; inside > 1 {
		for range 8 * n {
			if a, b := rng.IntN(inside), rng.IntN(inside); a != b {
				links = append(links, [2]int{a, b})
			}
		}
	}
	return pages, links, moves
}

// legibility measures a layout.
type legibility struct {
	overlaps  int     // of symbols, over all sizes
	hidden    int     // titles that meet another one or a symbol, over all sizes
	outside   int     // symbols and titles that are not inside the picture
	area      float64 // share of the cells of a 10 × 6 grid with a symbol
	crossings int     // of the lines between pages that the person moved between
	random    int     // those of a random layout of the same pages
	stray     float64 // distance of the loneliest page to the nearest other, in mean distances of a grid
	titles    float64 // share of the useful pages with a title in a wide window at a scale of 1.1
}

func legible(l WebLayout, pages []WebPage, moves []Move) legibility {
	var m legibility
	n := len(l.Spots)
	t := titles{spots: l.Spots, few: n <= FewPages}
	var cells = map[[2]int]bool{}
	useful, titled := 0, 0
	for _, s := range l.Spots {
		t.width = append(t.width, textWidth(WebTitle(pages[s.Page].Title)))
		t.target = append(t.target, pages[s.Page].Target)
		cells[[2]int{int(s.X / (WebWidth / 10)), int(s.Y / (WebHeight / 6))}] = true
		if pages[s.Page].Target {
			useful++
			if b := s.Title[0].Band; b >= 0 && WebBands[b] <= 1.1 {
				titled++
			}
		}
	}
	m.area = float64(len(cells)) / math.Min(60, float64(max(n, 1)))
	m.titles = float64(titled) / math.Max(1, float64(useful))
	for _, scale := range []float64{0.52, 0.55, 0.65, 0.7, 0.8, 1, 1.1, 1.3, 1.5, 2, 2.3, 3.1, 4.4, 8} {
		for t.turned = range 2 {
			t.count(&m, webView{scale, t.turned == 1})
		}
	}
	for i := range n {
		least := math.Inf(1)
		for j := range n {
			if j != i {
				least = math.Min(least, t.away(i, j))
			}
		}
		if n > 1 {
			m.stray = math.Max(m.stray, least/math.Sqrt(WebWidth*WebHeight/float64(n)))
		}
	}
	m.crossings = crossings(l.Spots, l.shownMoves(moves))
	rng := rand.New(rand.NewPCG(5, 5))
	scattered := make([]Spot, n)
	for i := range scattered {
		scattered[i] = Spot{X: rng.Float64() * WebWidth, Y: rng.Float64() * WebHeight}
	}
	m.random = crossings(scattered, l.shownMoves(moves))
	return m
}

// count counts what is hidden in a view.
func (t *titles) count(m *legibility, v webView) {
	wide, high := v.size()
	type shown struct {
		spot int
		box  rect
	}
	var all []shown
	for i, s := range t.spots {
		at, r := v.at(s), webRadius(v.scale, t.few, t.target[i])
		if at.X < r || at.Y < r || at.X > wide-r || at.Y > high-r {
			m.outside++
		}
		for j := range i {
			if t.away(i, j)*v.scale < r+webRadius(v.scale, t.few, t.target[j])-1.5 {
				m.overlaps++
			}
		}
		if h := s.Title[t.turned]; h.Band >= 0 && WebBands[h.Band] <= v.scale {
			all = append(all, shown{i, t.box(i, sideOf(h.Side), v)})
		}
	}
	for k, a := range all {
		if a.box.left < 0 || a.box.top < 0 || a.box.right > wide || a.box.bottom > high {
			m.outside++
		}
		for _, b := range all[:k] {
			if a.box.meets(b.box) {
				m.hidden++
			}
		}
		for j := range t.spots {
			at, r := v.at(t.spots[j]), webRadius(v.scale, t.few, t.target[j])*0.9
			if j != a.spot && a.box.meets(rect{at.X - r, at.Y - r, at.X + r, at.Y + r}) {
				m.hidden++
			}
		}
	}
}

// crossings counts pairs of lines that cross.
func crossings(spots []Spot, moves []Move) int {
	seen := map[[2]int]bool{}
	var lines [][2]int
	for _, m := range moves {
		if both := ordered(m.From, m.To); m.From != m.To && !seen[both] {
			seen[both] = true
			lines = append(lines, both)
		}
	}
	side := func(a, b, c Spot) bool { return (b.X-a.X)*(c.Y-a.Y)-(b.Y-a.Y)*(c.X-a.X) > 0 }
	count := 0
	for i, e := range lines {
		for _, f := range lines[:i] {
			if e[0] == f[0] || e[0] == f[1] || e[1] == f[0] || e[1] == f[1] {
				continue
			}
			a, b, c, d := spots[e[0]], spots[e[1]], spots[f[0]], spots[f[1]]
			if side(a, b, c) != side(a, b, d) && side(c, d, a) != side(c, d, b) {
				count++
			}
		}
	}
	return count
}

// mustRead fails when a layout does not read well.
func mustRead(t *testing.T, name string, m legibility, n int) {
	t.Helper()
	t.Logf("%s: %+v", name, m)
	if m.overlaps+m.hidden+m.outside > 0 {
		t.Errorf("%s: %d symbols overlap, %d titles are hidden, %d are outside", name, m.overlaps, m.hidden, m.outside)
	}
	if n >= 40 && m.area < 0.7 {
		t.Errorf("%s: only %.0f %% of the picture is used", name, 100*m.area)
	}
	if n >= 40 && float64(m.crossings) > 0.35*float64(m.random) {
		t.Errorf("%s: %d crossings, %d at random", name, m.crossings, m.random)
	}
	if n >= 40 && m.stray > 3.5 {
		t.Errorf("%s: a page is %.1f mean distances from the next", name, m.stray)
	}
}

func TestWebReads(t *testing.T) {
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 1))
		for _, n := range []int{1, 2, 3, 7, 40, 120, 300, MostDrawn} {
			pages, links, moves := madeWeb(rng, n, n/20)
			l := LayOutWeb(pages, links, moves)
			if len(l.Spots) != n {
				t.Fatalf("%d pages drawn of %d", len(l.Spots), n)
			}
			mustRead(t, fmt.Sprint(n, " pages, seed ", seed), legible(l, pages, moves), n)
		}
	}
}

// TestWebInOnePlace lays out pages that nothing holds apart but themselves.
func TestWebInOnePlace(t *testing.T) {
	pages := make([]WebPage, 60)
	var links [][2]int
	var moves []Move
	for i := range pages {
		for j := range i {
			links, moves = append(links, [2]int{i, j}), append(moves, Move{From: i, To: j})
		}
	}
	for name, l := range map[string]WebLayout{"all linked": LayOutWeb(pages, links, nil), "all moved": LayOutWeb(pages, links, moves),
		"none linked": LayOutWeb(pages, nil, nil), "to itself": LayOutWeb(pages, [][2]int{{1, 1}}, []Move{{From: 2, To: 2}})} {
		if m := legible(l, pages, nil); m.overlaps+m.outside+m.hidden > 0 || m.area < 0.7 {
			t.Errorf("%s: %+v", name, m)
		}
	}
	if l := LayOutWeb(nil, nil, nil); len(l.Spots) != 0 {
		t.Error("no page has a place")
	}
}

func TestWebIsTheSameTwice(t *testing.T) {
	pages, links, moves := madeWeb(rand.New(rand.NewPCG(1, 2)), 150, 5)
	if !reflect.DeepEqual(LayOutWeb(pages, links, moves), LayOutWeb(pages, links, moves)) {
		t.Error("two layouts of one web differ")
	}
}

// TestWebParts cuts webs of all sizes: each move is in one part and its pages are there, each page is in some part, and no part
// is too large. Parts read as small webs do.
func TestWebParts(t *testing.T) {
	for seed, n := range []int{1, 40, MostDrawn, MostDrawn + 1, 700, 2000} {
		for _, strays := range []int{0, 30, n} {
			pages, links, moves := madeWeb(rand.New(rand.NewPCG(2, uint64(seed))), n, min(strays, n))
			parts := WebParts(n, moves)
			name := fmt.Sprint(n, " pages, ", strays, " strays")
			in, next := make([]bool, n), 0
			for k, part := range parts {
				here := map[int]int{}
				for i, page := range part.Pages {
					here[page], in[page] = i, true
				}
				if len(here) != len(part.Pages) || len(here) == 0 || len(parts) > 1 && (len(here) > MostInPart || part.To-part.From > MostSteps) {
					t.Errorf("%s: part %d has %d pages, %d different, and %d steps", name, k, len(part.Pages), len(here), part.To-part.From)
				}
				if part.From != next {
					t.Errorf("%s: part %d begins with step %d, not %d", name, k, part.From, next)
				}
				next = part.To
				for _, m := range moves[part.From:part.To] {
					if _, ok := here[m.From]; !ok {
						t.Errorf("%s: part %d lacks page %d", name, k, m.From)
					}
					if _, ok := here[m.To]; !ok {
						t.Errorf("%s: part %d lacks page %d", name, k, m.To)
					}
				}
			}
			if next != len(moves) || (len(parts) == 1) != (n <= MostDrawn) {
				t.Errorf("%s: %d parts with %d of %d steps", name, len(parts), next, len(moves))
			}
			for page, ok := range in {
				if !ok {
					t.Errorf("%s: page %d is in no part", name, page)
				}
			}
			if n == 2000 && strays == 30 {
				p, l, m := parts[1].Cut(pages, links, moves)
				mustRead(t, name, legible(LayOutWeb(p, l, m), p, m), len(p))
			}
		}
	}
	if parts := WebParts(3, make([]Move, 5000)); len(parts) < 12 {
		t.Errorf("%d parts of 5,000 steps between few pages", len(parts))
	}
}

func TestDrawWeb(t *testing.T) {
	pages := []WebPage{{Title: "a"}, {Title: "b", Target: true}, {Title: "c"}}
	moves := []Move{{0, 1, false}, {1, 0, true}, {0, 1, false}, {1, 2, false}}
	links := [][2]int{{0, 1}, {0, 2}, {2, 0}}
	l := LayOutWeb(pages, links, moves)
	p := DrawWeb(l, pages, links, moves, []int{1, 0, 9})
	if p.Steps != "0-1 1<0 0-1 1-2" || p.Moves != 4 || len(p.Arrows) != 2 {
		t.Errorf("steps %q, %d arrows", p.Steps, len(p.Arrows))
	}
	for name, path := range map[string]string{"once": p.Ways[0], "twice": p.Ways[1], "back": p.Back, "not followed": p.Links} {
		if strings.Count(path, "M") != 1 {
			t.Errorf("%s: %q", name, path)
		}
	}
	got := fmt.Sprint(p.Nodes[0].Shape, p.Nodes[1].Shape, p.Nodes[2].Shape, p.Nodes[0].To, "/", p.Nodes[2].To)
	if got != "1 0 11 2/0" || !p.Nodes[1].Target {
		t.Errorf("nodes %s", got)
	}
	before, last := WebSteps(l, moves[:2])
	if !strings.Contains(last, "q") || strings.Count(before, "M") != 1 || !strings.Contains(p.Back, strings.TrimPrefix(last, "M")) {
		t.Errorf("step %q after %q, back %q", last, before, p.Back)
	}
}

func TestWebTitle(t *testing.T) {
	for title, want := range map[string]string{"a\u202eb\u200f": "ab", "tab\tand\nline": "tab and line", "": "",
		strings.Repeat("W", 300): strings.Repeat("W", titleRunes-1) + "…", "שלום": "שלום", "\x00<b>": "<b>"} {
		if got := WebTitle(title); got != want {
			t.Errorf("%q is shown as %q", title, got)
		}
	}
}
