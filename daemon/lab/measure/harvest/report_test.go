package harvest

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"nightjar/daemon/lab/verb"
)

// two is a group of two trials whose numbers can be worked out: those before the last have ever more, in steps of 1/20.
func two() *group {
	g := &group{Name: wikispeedia}
	for _, least := range []float64{.5, .3} {
		t := &trial{Topic: "T <&> \"", References: 20, Starts: 90}
		for i := range contenders {
			x := least + float64(len(contenders)-1-i)/20
			t.Harvest = append(t.Harvest, []float64{x, x, x})
		}
		g.Trials = append(g.Trials, t)
	}
	g.Trials[0].Harvest[0] = []float64{1, 1, 1} // a gain of .5 and of .25: t = 3, with one degree of freedom
	return g
}

func TestTable(t *testing.T) {
	table := two().table(260)
	if len(table.Rows) != 1+len(contenders) || strings.Join(table.Rows[0], "|") != "order of links|100 pages|250 pages" {
		t.Fatalf("%q", table.Rows)
	}
	// The mean of 1 and .55, ± .225; p = ½ - atan(3)/π = .1024.
	if got := table.Rows[1][1]; got != ".775 ± .225, p .10" {
		t.Errorf("first row: %q", got)
	}
	if got := table.Rows[2][2]; got != ".600 ± .100, p < .0001" {
		t.Errorf("second row: %q", got)
	}
	if got := table.Rows[len(contenders)][2]; got != ".400 ± .100" {
		t.Errorf("last row: %q", got)
	}
	for p, want := range map[float64]string{.00009: "p < .0001", .0009: "p .0009", .011: "p .01", .5: "p .50", 1: "p 1.00"} {
		if got := probability(p); got != want {
			t.Errorf("%v: %q, want %q", p, got, want)
		}
	}
}

func TestMarkdown(t *testing.T) {
	r := &result{Command: "run", Pages: 260, Groups: []group{*two()}}
	text := r.markdown()
	for _, want := range []string{"\n    run\n", "| λ per term, best parent | .775 ± .225, p .10 |", "](benchmarks/harvest-wikispeedia-gain.svg)"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// TestPlots: the pictures are well-formed, whatever a name is, and lines and bars are where their values are.
func TestPlots(t *testing.T) {
	for k, p := range two().plots(260) {
		var b strings.Builder
		if err := p.svg(&b); err != nil {
			t.Fatal(err)
		}
		d := xml.NewDecoder(strings.NewReader(b.String()))
		paths := 0
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("plot %d: %v\n%s", k, err, b.String())
			}
			if e, ok := token.(xml.StartElement); ok && e.Name.Local == "path" {
				paths++
			}
		}
		if want := len(p.Series) * (1 + bars); paths < len(p.Series) || paths > want {
			t.Errorf("plot %d: %d paths, want up to %d", k, paths, want)
		}
	}
	p := plot{Title: "<&>", Last: 100, Series: []series{{Name: "a", Points: []point{{50, .5, .1}, {100, 1, 0}}}, {Name: "b", Points: []point{{100, 1, 0}}}}}
	d := p.draw()
	if got := d.Lines[0].Path; got != "M288 214L520 76" { // the X axis is from 56 to 520, the Y axis from 352 (0) to 76 (1)
		t.Errorf("path %s", got)
	}
	if got := d.Lines[0].Bars; len(got) != 1 || got[0] != "M287 241.6V186.4" {
		t.Errorf("bars %v", got)
	}
	if gap := d.Lines[1].NameY - d.Lines[0].NameY; gap != nameHigh {
		t.Errorf("names are %v apart", gap)
	}
}

func TestOptions(t *testing.T) {
	t.Setenv("NIGHTJAR_CORPORA", "")
	for _, args := range [][]string{{}, {"--corpora", "x", "--documents", "1"}, {"--corpora", "x", "--only", "uic"}, {"--corpora", "x", "--pages", "0"}, {"--corpora", "x", "y"}} {
		if code, _, said := verb.Call(t.Context(), Command, nil, args...); code != 2 {
			t.Errorf("%v: exit code %d, %s", args, code, said)
		}
	}
}
