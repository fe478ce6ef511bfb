package report

import (
	"cmp"
	_ "embed"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/template"
	"unicode"

	"nightjar/daemon/chart"
	"nightjar/daemon/lab/bench"
)

// oracle is the reference strategy.
const oracle = bench.Oracle

//go:embed picture.svg.tmpl
var pictureText string

var pictureTemplate = template.Must(template.New("picture").Funcs(template.FuncMap{"text": xmlText}).Parse(pictureText))

// picture is a drawn task.
type picture struct {
	Width, Height float64
	Title         string
	About         string
	Desc          string
	Inks          []ink
	Dashes        []dash
	Panels        []panel
}

// panel is a plot of the picture.
type panel struct {
	plot
	Title, About string
	Heading      float64 // base line of the title
	Foot         float64 // lower ends of the axis ticks
	Lines        []panelLine
}

// panelLine is a line with its full name, which may be shortened in the picture.
type panelLine struct {
	line
	Full string
}

// SVG draws the result of one task: recall, harvest rate and average maximal similarity against fetched pages, a line per
// strategy with its name at the end. The strategy with the largest area is bold, the oracle wide and grey. Points that are
// not numbers are skipped; a result without strategies gives empty axes.
func SVG(w io.Writer, r *bench.Result) error {
	if err := pictureTemplate.Execute(w, draw(r)); err != nil {
		return fmt.Errorf("draw %s: %w", plain(title(r)), err)
	}
	return nil
}

// Curve is a line of a picture: values over X, ascending.
type Curve struct {
	Name string
	At   [][2]float64
}

// Curves draws curves over one pair of axes, with their names and last values to the right. xName names the X axis.
func Curves(w io.Writer, title, about, xName string, all []Curve) error {
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.Name
	}
	c := comparison{Top: 84}
	for i, class := range classes(names, "") {
		c.Series = append(c.Series, series{Name: names[i], Class: class, At: points(all[i].At)})
	}
	drawn := c.draw()
	drawn.XName = xName
	p := picture{Width: compareWidth, Height: drawn.Height, Title: title, About: about, Inks: inks, Dashes: dashes}
	p.Panels = []panel{newPanel(drawn, "", "", drawn.Top, names)}
	for _, l := range drawn.ranked() {
		p.Desc += fmt.Sprintf("%s: %s. ", l.Name, l.Value)
	}
	return pictureTemplate.Execute(w, p)
}

func draw(r *bench.Result) picture {
	p := picture{Width: compareWidth, Title: fit(title(r), 590), About: fit(about(r), 840), Inks: inks, Dashes: dashes}
	names := make([]string, len(r.Strategies))
	for i, s := range r.Strategies {
		names[i] = s.Name
	}
	class := classes(names, best(r.Strategies))
	plots := []struct {
		title, about string
		percent      bool
		of           func(*bench.Strategy) [][2]float64
	}{
		{"Recall", "of all relevant pages, the share that was found", true, func(s *bench.Strategy) [][2]float64 { return s.Recalled }},
		{"Harvest", "of the fetched pages, the share that is relevant", true, func(s *bench.Strategy) [][2]float64 { return s.Harvest }},
		{"Average maximal similarity", "mean over fetched pages of the largest cosine to a target", false, func(s *bench.Strategy) [][2]float64 { return s.Similar }},
	}
	top := 70.0
	for _, of := range plots {
		c := comparison{Last: float64(r.Budget), Percent: of.percent, Top: top + 32}
		for i := range r.Strategies {
			c.Series = append(c.Series, series{Name: plain(names[i]), Class: class[i], At: points(of.of(&r.Strategies[i]))})
		}
		if of.title == "Harvest" {
			if c.Most = cut(r); c.Most > 0 {
				of.about += "; what is above is cut off"
			}
		}
		drawn := c.draw()
		drawn.XName = "pages fetched"
		p.Panels = append(p.Panels, newPanel(drawn, of.title, of.about, top+16, names))
		p.Desc += describe(of.title, drawn, r.Budget)
		top = drawn.Height
	}
	p.Desc = strings.TrimSpace(p.Desc)
	p.Height = top
	return p
}

// newPanel sorts the lines in painting order: the oracle at the bottom, the best on top.
func newPanel(drawn plot, title, about string, heading float64, names []string) panel {
	p := panel{plot: drawn, Title: title, About: about, Heading: heading, Foot: drawn.Bottom + 4}
	for i, l := range drawn.Lines {
		p.Lines = append(p.Lines, panelLine{l, strings.TrimSpace(plain(names[i]) + " " + l.Value)})
	}
	over := func(l panelLine) int {
		switch {
		case l.Class == oracle:
			return 0
		case strings.HasSuffix(l.Class, " best"):
			return 2
		}
		return 1
	}
	slices.SortStableFunc(p.Lines, func(a, b panelLine) int { return cmp.Compare(over(a), over(b)) })
	return p
}

// cut is the largest harvest rate to draw, 0 for all. The rates of the first pages are random, and the oracle's are so high
// that the other lines would overlap at the bottom.
func cut(r *bench.Result) float64 {
	const early = 0.05 // of the budget
	most, all := 0.0, 0.0
	for _, s := range r.Strategies {
		for _, at := range s.Harvest {
			all = max(all, at[1])
			if s.Name != oracle && at[0] >= early*float64(r.Budget) {
				most = max(most, 1.15*at[1])
			}
		}
	}
	if most > 0.6*all { // not worth it
		return 0
	}
	return most
}

func points(curve [][2]float64) []point {
	all := make([]point, len(curve))
	for i, at := range curve {
		all[i] = point{X: at[0], Y: at[1]}
	}
	return all
}

// best is the strategy with the largest share of the oracle's area, the first of equals; "" without any.
func best(all []bench.Strategy) string {
	name, most := "", 0.0
	for _, s := range all {
		if s.Name != oracle && (name == "" || s.AreaVsOracle > most) {
			name, most = s.Name, s.AreaVsOracle
		}
	}
	return name
}

func title(r *bench.Result) string {
	return cmp.Or(plain(r.Task), plain(r.Relevant), "Benchmark")
}

// about describes the task in a line.
func about(r *bench.Result) string {
	parts := []string{"relevant: " + plain(r.Relevant), "budget " + chart.Thousands(r.Budget) + " pages", runs(r), missingShort(r.Missing)}
	return strings.Join(parts, " · ")
}

// runs is the number of runs in words.
func runs(r *bench.Result) string {
	if len(r.Seeds) < 2 {
		return "one run"
	}
	return "mean of " + count(len(r.Seeds), "run")
}

// missingShort says what a missing page costs.
func missingShort(mode string) string {
	switch mode {
	case "free":
		return "missing pages cost nothing"
	case "cost":
		return "missing pages cost one each"
	}
	return "missing pages: " + plain(mode)
}

// describe is the text for screen readers: the final values, largest first.
func describe(title string, p plot, budget int) string {
	var ends []string
	for _, l := range p.ranked() {
		if l.Value != "" {
			ends = append(ends, l.Name+" "+l.Value)
		}
	}
	if len(ends) == 0 {
		return ""
	}
	return fmt.Sprintf("%s after %s pages: %s. ", title, chart.Thousands(budget), strings.Join(ends, ", "))
}

// plain is a text in one line, without invisible characters such as those that change the writing direction.
func plain(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsGraphic(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return strings.Join(strings.Fields(s), " ")
}

// xmlText escapes a text for XML.
func xmlText(s string) (string, error) {
	var b strings.Builder
	err := xml.EscapeText(&b, []byte(s))
	return b.String(), err
}
