package chart

import (
	_ "embed" // of the style and the template
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"

	"nightjar/model/layout"
)

// Community is a circle on a map of communities ([PANORAMA] fig. 3).
type Community struct {
	N       int      // its number, from 1
	Labels  []string // best first
	Pages   int
	New     int           // pages that an earlier map lacks
	Harvest float64       // mean probability of its pages, in [0, 1]; 0 when there is no classifier
	Circle  layout.Circle // on a map of 960 by 640
}

// Name is the labels in one line, and the number when there are none.
func (c Community) Name() string {
	var all []string
	for _, label := range c.Labels {
		if label = strings.TrimSpace(visible(label)); label != "" {
			all = append(all, label)
		}
	}
	if len(all) == 0 {
		return "community " + strconv.Itoa(c.N)
	}
	return strings.Join(all, ", ")
}

// CommunitiesStyle is the style sheet of the map. It takes the colours of the page around it, and has its own for a page
// that defines none.
//
//go:embed communities.css
var CommunitiesStyle string

// Sizes of the map in its own unit, which is a pixel when the map is 960 pixels wide.
const (
	mapWidth, mapHeight = 960.0, 640.0
	mapFoot             = 68.0 // below the map, for the legend and the numbers of the circle that is pointed at
	footSize            = 15.0 // of the text there
	leastCircle         = 16.0 // radius of the part of a circle that can be clicked, at least
)

// Communities draws a map as SVG: a circle for each community, its area proportional to its pages, and a line between two
// whose centres have a cosine of at least .1, the wider the larger. between is the K×K matrix of these cosines. href is the
// address that a circle leads to.
//
// Pointing at a circle, or giving it the focus, shows its numbers below the map; no script is needed. When the map is
// narrower than 40rem, numbers stand for the names: a list beside it must carry these. The page needs CommunitiesStyle.
func Communities(all []Community, between [][]float64, href func(n int) string) template.HTML {
	m := communityMap{Width: mapWidth, Height: mapHeight + mapFoot, Foot: mapHeight, Title: mapTitle(all), Desc: mapDesc(all, between),
		Legend: []string{"The area of a circle shows its number of pages.", "A line shows that two communities use similar words: the wider, the more similar."}}
	circles := make([]layout.Circle, len(all))
	for i, c := range all {
		circles[i] = c.Circle
	}
	m.drawLines(all, between, circles)
	names, numbers := hangNames(all, circles, m.segments), hangNumbers(all, circles, m.segments)
	total := 0
	for _, c := range all {
		total += c.Pages
	}
	for i, c := range all {
		m.Circles = append(m.Circles, mapCircle{Href: href(c.N), Class: ClusterClass(c.N), Name: fmt.Sprintf("%d. %s", c.N, mapNumbers(c, total)),
			X: num(c.Circle.X), Y: num(c.Circle.Y), R: num(c.Circle.R), Ring: num(c.Circle.R + 6), Hit: num(max(c.Circle.R, leastCircle)),
			Text: names[i], Number: numbers[i], Lines: m.linesOf(i), Numbers: mapFootLines(all, between, i, total)})
	}
	var out strings.Builder
	if err := communitiesTemplate.Execute(&out, m); err != nil {
		panic(err) // the template and its data are made here
	}
	return template.HTML(out.String())
}

// communityMap is what the template draws.
type communityMap struct {
	Width, Height, Foot float64
	Title, Desc         string
	Legend              []string
	Lines               []mapLine
	Circles             []mapCircle

	segments []mapSegment
}

type mapLine struct {
	Path, Width, Title string
	from, to           int
}

type mapCircle struct {
	Href, Class, Name  string
	X, Y, R, Ring, Hit string
	Text, Number       hung
	Lines              []mapLine
	Numbers            []string
}

// drawLines draws the lines between circles, from edge to edge, the thinnest first.
func (m *communityMap) drawLines(all []Community, between [][]float64, circles []layout.Circle) {
	for i, a := range circles {
		for j := i + 1; j < len(circles); j++ {
			b, width := circles[j], layout.LineWidth(between[i][j])
			apart := math.Hypot(b.X-a.X, b.Y-a.Y)
			if width == 0 || apart <= a.R+b.R {
				continue
			}
			dx, dy := (b.X-a.X)/apart, (b.Y-a.Y)/apart
			s := mapSegment{Point{a.X + dx*a.R, a.Y + dy*a.R}, Point{b.X - dx*b.R, b.Y - dy*b.R}, width}
			m.segments = append(m.segments, s)
			m.Lines = append(m.Lines, mapLine{Path: Path("M", s.from.X, s.from.Y, "L", s.to.X, s.to.Y), Width: num(width),
				Title: fmt.Sprintf("%d and %d: cosine %s", all[i].N, all[j].N, cosine(between[i][j])), from: i, to: j})
		}
	}
}

func (m *communityMap) linesOf(i int) (own []mapLine) {
	for _, l := range m.Lines {
		if l.from == i || l.to == i {
			own = append(own, l)
		}
	}
	return own
}

func cosine(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }

func mapNumbers(c Community, total int) string {
	text := fmt.Sprintf("%s: %s, %.0f %% of the map", c.Name(), Plural(c.Pages, "page", "pages"), 100*float64(c.Pages)/float64(max(1, total)))
	if c.Harvest > 0 {
		text += fmt.Sprintf("; harvest %.0f %%", 100*c.Harvest)
	}
	if c.New > 0 {
		text += "; " + Number(c.New) + " new"
	}
	return text
}

// mapFootLines are the numbers of a circle in the lines below the map: its own, and its cosines with the others.
func mapFootLines(all []Community, between [][]float64, i, total int) []string {
	c := all[i]
	own := strings.TrimPrefix(mapNumbers(c, total), c.Name())
	room := mapWidth - 32
	lines := []string{cut(fmt.Sprintf("%d. %s", c.N, c.Name()), footSize, room-width(own, footSize)) + own}
	var others []string
	for j, d := range all {
		if j != i {
			others = append(others, fmt.Sprintf("%d %s %s", d.N, Shorten(20, strings.SplitN(d.Name(), ",", 2)[0]), cosine(between[i][j])))
		}
	}
	if len(others) > 0 {
		lines = append(lines, cut("Cosine with "+strings.Join(others, " · "), footSize, room))
	}
	return lines
}

func mapTitle(all []Community) string {
	pages := 0
	for _, c := range all {
		pages += c.Pages
	}
	return fmt.Sprintf("Map of %s with %s", Plural(len(all), "community", "communities"), Plural(pages, "page", "pages"))
}

// mapDesc says what the map shows in words.
func mapDesc(all []Community, between [][]float64) string {
	var parts []string
	for i, c := range all {
		text := fmt.Sprintf("%d. %s: %s", c.N, c.Name(), Plural(c.Pages, "page", "pages"))
		var near []string
		for j, d := range all {
			if j != i && layout.LineWidth(between[i][j]) > 0 {
				near = append(near, fmt.Sprintf("%d (cosine %s)", d.N, cosine(between[i][j])))
			}
		}
		if len(near) > 0 {
			text += ", connected with " + strings.Join(near, ", ")
		}
		parts = append(parts, text+".")
	}
	return strings.Join(parts, " ")
}

//go:embed communities.svg.tmpl
var communitiesText string

// communitiesTemplate escapes names and addresses, which come from the web.
var communitiesTemplate = template.Must(template.New("communities").Parse(communitiesText))
