package chart

import (
	"math"
	"strconv"
	"strings"

	"nightjar/model/layout"
)

// Sizes of the names on a map of communities, in its unit.
const (
	mapNameSize, mapNameHigh     = 17.0, 21.0
	mapPagesSize, mapPagesHigh   = 14.0, 18.0 // of the number of pages below a name
	mapNumberSize, mapNumberHigh = 42.0, 44.0 // of a number that stands for a name on a narrow map
	mapNameGap                   = 8.0        // between a circle and the name beside it
	mapNameRunes                 = 26         // of a line
	mapNameLines                 = 3
)

// hung is a text that was given a place: X of its anchor, and the lines below one another.
type hung struct {
	X, Anchor string
	Lines     []hungLine
	Inside    bool // of the circle

	box rect
}

type hungLine struct {
	Y, Class, Text string
}

// mapSegment is a line between two circles.
type mapSegment struct {
	from, to Point
	width    float64
}

// textLine is a line of a text that needs a place.
type textLine struct {
	text, class string
	size, high  float64
}

func (l textLine) width() float64 { return width(l.text, l.size) }

// width estimates the width of a text of a size, rather too large than too small. Emphasis makes it wider.
func width(text string, size float64) float64 { return textWidth(text) * size / titleSize * 1.04 }

// cut shortens a text to a width.
func cut(text string, size, most float64) string {
	return longest(text, func(t string) bool { return width(t, size) <= most })
}

// hangNames gives each community a name inside or beside its circle: up to three labels, one a line, and the number of
// pages. When that leaves one without room, all have fewer lines. A name that has no room at all is left out.
func hangNames(all []Community, circles []layout.Circle, lines []mapSegment) []hung {
	return hangAll(all, circles, lines, func(c Community, attempt int) [][]textLine { return forms(c, mapNameLines-attempt) })
}

// hangNumbers gives each community its number, for narrow maps.
func hangNumbers(all []Community, circles []layout.Circle, lines []mapSegment) []hung {
	return hangAll(all, circles, lines, func(c Community, _ int) [][]textLine {
		n := strconv.Itoa(c.N)
		return [][]textLine{{{n, "", mapNumberSize, mapNumberHigh}}, {{n, "map-small", mapNumberSize * .6, mapNumberHigh * .6}}}
	})
}

// hangAll hangs the first of each community's forms that has room, largest communities first. When one has none, it is tried
// again, up to three times, with that one first.
func hangAll(all []Community, circles []layout.Circle, lines []mapSegment, forms func(c Community, attempt int) [][]textLine) []hung {
	var best []hung
	missing, order := len(all)+1, sorted(len(all), func(a, b int) int { return all[b].Pages - all[a].Pages })
	for attempt := 0; attempt < mapNameLines && missing > 0; attempt++ {
		h := hanger{circles: circles, segments: lines, names: make([]hung, len(all))}
		var hangs, left []int
		for _, i := range order {
			if h.hangFirst(i, forms(all[i], attempt)) {
				hangs = append(hangs, i)
			} else {
				left = append(left, i)
			}
		}
		if len(left) < missing {
			best, missing = h.names, len(left)
		}
		order = append(left, hangs...)
	}
	return best
}

// forms are the ways to write a community's name, the longest first; the last is its number.
func forms(c Community, most int) (all [][]textLine) {
	labels := strings.Split(c.Name(), ", ")
	pages := textLine{Plural(c.Pages, "page", "pages"), "map-pages", mapPagesSize, mapPagesHigh}
	for n := min(most, len(labels)); n > 0; n-- {
		all = append(all, append(nameLinesOf(labels[:n], mapNameRunes), pages))
	}
	for _, runes := range []int{mapNameRunes, 16, 9} {
		all = append(all, nameLinesOf(labels[:1], runes))
	}
	return append(all, nameLinesOf([]string{strconv.Itoa(c.N)}, mapNameRunes))
}

func nameLinesOf(labels []string, runes int) (all []textLine) {
	for i, label := range labels {
		l := textLine{Shorten(runes, label), "", mapNameSize, mapNameHigh}
		if i == 0 {
			l.class = "map-first"
		}
		all = append(all, l)
	}
	return all
}

// hanger gives texts places that meet no circle, no other text and not the edge of the map.
type hanger struct {
	circles  []layout.Circle
	segments []mapSegment
	names    []hung // by circle
}

// hangFirst hangs the first of the forms that has room.
func (h *hanger) hangFirst(i int, forms [][]textLine) bool {
	for _, lines := range forms {
		if h.inside(i, lines) || h.beside(i, lines) {
			return true
		}
	}
	return false
}

func sizeOf(lines []textLine) (wide, high float64) {
	for _, l := range lines {
		wide, high = math.Max(wide, l.width()), high+l.high
	}
	return wide, high
}

// inside hangs a text in the middle of its circle when each line is shorter than the circle is wide there.
func (h *hanger) inside(i int, lines []textLine) bool {
	c := h.circles[i]
	wide, high := sizeOf(lines)
	y := -high / 2
	for _, l := range lines {
		if math.Hypot(l.width()/2, math.Max(math.Abs(y), math.Abs(y+l.high))) > c.R-4 {
			return false
		}
		y += l.high
	}
	h.put(i, lines, c.X, "middle", rect{c.X - wide/2, c.Y - high/2, c.X + wide/2, c.Y + high/2})
	h.names[i].Inside = true
	return true
}

// besides are the directions in which a text may be beside its circle, in the order in which they are tried.
var besides = []struct{ x, y float64 }{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {.7, .7}, {.7, -.7}, {-.7, .7}, {-.7, -.7}}

// beside hangs a text beside its circle, on the side with room where it covers the least of the lines.
func (h *hanger) beside(i int, lines []textLine) bool {
	c := h.circles[i]
	wide, high := sizeOf(lines)
	least := math.Inf(1)
	var at float64
	var anchor string
	var box rect
	for _, d := range besides {
		x, y := c.X+d.x*(c.R+mapNameGap), c.Y+d.y*(c.R+mapNameGap)
		b, side := rect{x - wide/2, y - high/2, x + wide/2, y + high/2}, "middle"
		switch {
		case d.x > 0:
			b.left, b.right, side = x, x+wide, "start"
		case d.x < 0:
			b.left, b.right, side = x-wide, x, "end"
		}
		switch {
		case d.y > 0:
			b.top, b.bottom = y, y+high
		case d.y < 0:
			b.top, b.bottom = y-high, y
		}
		if !h.free(i, b) {
			continue
		}
		if covers := h.covers(b); covers < least {
			least, at, anchor, box = covers, x, side, b
		}
	}
	if math.IsInf(least, 1) {
		return false
	}
	h.put(i, lines, at, anchor, box)
	return true
}

// free reports whether a box is on the map and meets neither a circle nor a text.
func (h *hanger) free(i int, b rect) bool {
	if b.left < 2 || b.top < 2 || b.right > mapWidth-2 || b.bottom > mapHeight-2 {
		return false
	}
	for j, c := range h.circles {
		x, y := math.Min(math.Max(c.X, b.left), b.right), math.Min(math.Max(c.Y, b.top), b.bottom)
		if math.Hypot(x-c.X, y-c.Y) < c.R+2 {
			return false
		}
		if j != i && len(h.names[j].Lines) > 0 && b.meets(h.names[j].box) {
			return false
		}
	}
	return true
}

// covers says how much ink of the lines is under a box, in the square of the map's unit.
func (h *hanger) covers(b rect) (area float64) {
	const steps = 100
	for _, s := range h.segments {
		length := math.Hypot(s.to.X-s.from.X, s.to.Y-s.from.Y)
		for k := range steps {
			f := (float64(k) + .5) / steps
			x, y := s.from.X+f*(s.to.X-s.from.X), s.from.Y+f*(s.to.Y-s.from.Y)
			if x > b.left && x < b.right && y > b.top && y < b.bottom {
				area += s.width * length / steps
			}
		}
	}
	return area
}

func (h *hanger) put(i int, lines []textLine, x float64, anchor string, box rect) {
	t := hung{X: num(x), Anchor: anchor, box: box}
	y := box.top
	for _, l := range lines {
		t.Lines = append(t.Lines, hungLine{num(y + .76*l.high), l.class, l.text})
		y += l.high
	}
	h.names[i] = t
}
