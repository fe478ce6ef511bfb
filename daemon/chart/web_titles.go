package chart

import (
	"cmp"
	"math"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Titles keep their size when the picture grows, so a larger picture has room for more of them. A title of band b is shown
// when a unit of the picture is at least WebBands[b] pixels. graph.css has them in rem of the longer side: 62.5 times as large.
var WebBands = []float64{0.5, 0.7, 1, 1.5, 2.3, 3.6}

// webScales are the sizes at which titles are tried, in pixels a unit: those of the bands and some between and beyond.
var webScales = []float64{0.5, 0.55, 0.6, 0.65, 0.7, 0.77, 0.85, 0.92, 1, 1.1, 1.2, 1.35, 1.5, 1.7, 1.9, 2.1, 2.3, 2.6, 2.9, 3.2, 3.6, 4.2, 5, 8}

// Sizes of a title in pixels, and the distance between it and the circle of its page.
const (
	titleSize  = 11.5
	titleHigh  = 14.0
	titleGap   = 3.0
	titleRunes = 22
)

// FewPages is the largest number of drawn pages that have large circles.
const FewPages = 90

// webRadius is the radius in pixels of a page's symbol, ring included, when a unit has s pixels.
func webRadius(s float64, few, target bool) float64 {
	r := 5.0
	if target {
		r = 8.8
	}
	if few {
		r *= 1.4
	}
	switch {
	case s < WebBands[1]:
		return r * 0.72
	case s < WebBands[2]:
		return r
	case s < WebBands[3]:
		return r * 1.2
	}
	return r * 1.4
}

// rect is a rectangle in pixels.
type rect struct{ left, top, right, bottom float64 }

func (r rect) meets(o rect) bool {
	return r.left < o.right && o.left < r.right && r.top < o.bottom && o.top < r.bottom
}

// webView is a way to show a layout: its scale, and whether it is turned by a quarter for a narrow window.
type webView struct {
	scale  float64
	turned bool
}

// at returns the position of a spot in pixels.
func (v webView) at(s Spot) Point {
	if v.turned {
		return Point{(WebHeight - s.Y) * v.scale, s.X * v.scale}
	}
	return Point{s.X * v.scale, s.Y * v.scale}
}

// size returns the size of the picture in pixels.
func (v webView) size() (wide, high float64) {
	if v.turned {
		return WebHeight * v.scale, WebWidth * v.scale
	}
	return WebWidth * v.scale, WebHeight * v.scale
}

// webSides are the sides of a symbol that a title may be on, in the order in which they are tried: the shift of the title's near
// edge, and of its middle, in radii and in heights of a title. X is 0 for a title that is centred. graph.css has the same.
var webSides = []struct {
	Name      string
	X         float64 // of the near edge, in radii; its sign says to which side the title runs
	Y, YTitle float64 // of the middle: radii and heights of a title
}{
	{"e", 1, 0, 0}, {"w", -1, 0, 0}, {"s", 0, 1, 0.6}, {"u", 0, -1, -0.6},
	{"j", 0.6, 0.7, 0.4}, {"i", 0.6, -0.7, -0.4}, {"l", -0.6, 0.7, 0.4}, {"k", -0.6, -0.7, -0.4},
}

// titles places the titles of a layout for windows of one kind.
type titles struct {
	spots  []Spot
	turned int       // 1 for narrow windows
	width  []float64 // of each title in pixels
	target []bool
	few    bool
	near   [][]int // by spot: the other spots, nearest first
	most   float64 // width of the widest title
}

// placeTitles gives as many titles as have room a band and a side: those of useful pages first, then by importance.
func (l *WebLayout) placeTitles(pages []WebPage, moves []Move) {
	n := len(l.Spots)
	t := titles{spots: l.Spots, few: n <= FewPages, near: make([][]int, n)}
	shown := make([]WebPage, n)
	for i := range l.Spots {
		shown[i] = pages[l.Spots[i].Page]
		l.Spots[i].Title = [2]Hung{{-1, "e"}, {-1, "e"}}
		t.width = append(t.width, textWidth(WebTitle(shown[i].Title)))
		t.target = append(t.target, shown[i].Target)
		t.most = math.Max(t.most, t.width[i])
	}
	for i := range n {
		for j := range n {
			if j != i {
				t.near[i] = append(t.near[i], j)
			}
		}
		slices.SortFunc(t.near[i], func(a, b int) int { return cmp.Or(cmp.Compare(t.away(i, a), t.away(i, b)), cmp.Compare(a, b)) })
	}
	order := byImportance(shown, moves)
	for t.turned = range 2 {
		for band := range WebBands {
			for _, i := range order {
				if l.Spots[i].Title[t.turned].Band < 0 {
					t.place(i, band)
				}
			}
		}
	}
}

func (t *titles) away(a, b int) float64 {
	return math.Hypot(t.spots[a].X-t.spots[b].X, t.spots[a].Y-t.spots[b].Y)
}

// place shows a title from a band on, on the first side with room at every size from there on.
func (t *titles) place(i, band int) {
	for side := range webSides {
		if t.free(i, side, band) {
			t.spots[i].Title[t.turned] = Hung{band, webSides[side].Name}
			return
		}
	}
}

// free reports whether a title on a side meets no symbol, no placed title and not the frame, at any size from a band on.
func (t *titles) free(i, side, band int) bool {
	for _, scale := range webScales {
		if scale < WebBands[band] {
			continue
		}
		v := webView{scale, t.turned == 1}
		box := t.box(i, side, v)
		wide, high := v.size()
		if box.left < 1 || box.top < 1 || box.right > wide-1 || box.bottom > high-1 {
			return false
		}
		for _, j := range t.near[i] {
			if t.away(i, j)*scale > t.width[i]+t.most+40 {
				break
			}
			at, r := v.at(t.spots[j]), webRadius(scale, t.few, t.target[j])
			if box.meets(rect{at.X - r, at.Y - r, at.X + r, at.Y + r}) {
				return false
			}
			if h := t.spots[j].Title[t.turned]; h.Band >= 0 && WebBands[h.Band] <= scale && box.meets(t.box(j, sideOf(h.Side), v)) {
				return false
			}
		}
	}
	return true
}

func sideOf(name string) int {
	for i, s := range webSides {
		if s.Name == name {
			return i
		}
	}
	return 0
}

// box is the rectangle of a title in a view.
func (t *titles) box(i, side int, v webView) rect {
	s := webSides[side]
	at, r := v.at(t.spots[i]), webRadius(v.scale, t.few, t.target[i])
	y := at.Y + s.Y*r + s.YTitle*titleHigh
	left := at.X - t.width[i]/2
	switch {
	case s.X > 0:
		left = at.X + s.X*r + titleGap
	case s.X < 0:
		left = at.X + s.X*r - titleGap - t.width[i]
	}
	return rect{left, y - titleHigh/2, left + t.width[i], y + titleHigh/2}
}

// WebTitle is a page's title as the picture of a web graph shows it.
func WebTitle(title string) string { return Shorten(titleRunes, visible(title)) }

// visible removes control and formatting characters, which could turn or hide the text beside them.
func visible(text string) string {
	out := make([]rune, 0, len(text))
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			out = append(out, ' ')
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == utf8.RuneError:
		default:
			out = append(out, r)
		}
	}
	return string(out)
}

// textWidth estimates the width of a title in pixels, rather too large than too small.
func textWidth(text string) float64 {
	em := 0.0
	for _, r := range text {
		switch {
		case r >= 0x1100 || r >= 0x250 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			em += 1.05
		case r == 'i' || r == 'j' || r == 'l' || r == 'I' || r == '.' || r == ',' || r == '\'' || r == ' ' || r == 't' || r == 'f' || r == 'r':
			em += 0.4
		case r == 'm' || r == 'w' || r == 'M' || r == 'W' || r == '@' || r == '%':
			em += 0.98
		case unicode.IsUpper(r):
			em += 0.74
		default:
			em += 0.63
		}
	}
	return em*titleSize + 2
}
