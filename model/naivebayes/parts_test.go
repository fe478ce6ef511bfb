package naivebayes

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"nightjar/model/text"
)

// TestParts: the parts of a page's terms are what the reading loses when each of them is taken away, and the whole is the
// log odds of the calibrated probability.
func TestParts(t *testing.T) {
	yes := []text.Counts{{"hockey": 2, "puck": 1}, {"hockey": 1, "rink": 3}, {"puck": 4, "rink": 1}}
	no := []text.Counts{{"seminar": 1, "rink": 1}, {"seminar": 4}, {"campus": 2, "hockey": 1}}
	page := text.Counts{"hockey": 2, "seminar": 2, "unknown": 2, "rink": 2} // equal counts, so that no weight depends on another term
	for _, gaussian := range []bool{false, true} {
		c, err := Train(yes, no, Options{Gaussian: gaussian, Folds: 3, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		r := c.Read(page)
		parts, whole := c.Parts(page)
		if p := 1 / (1 + math.Exp(-whole)); math.Abs(p-r.P) > 1e-12 || len(parts) != 3 {
			t.Fatalf("Gaussian %v: log odds %v, want those of %v; %v", gaussian, whole, r.P, parts)
		}
		for i, p := range parts {
			if i > 0 && math.Abs(p.Value) > math.Abs(parts[i-1].Value) {
				t.Errorf("Gaussian %v: %v is not in order", gaussian, parts)
			}
			less := text.Counts{}
			for term, n := range page {
				if term != c.Term(p.Term) {
					less[term] = n
				}
			}
			lost := (r.LogOdds - c.Read(less).LogOdds) * -c.calibration.A / math.Sqrt(3)
			if math.Abs(lost-p.Value) > 1e-9 {
				t.Errorf("Gaussian %v, %s: %v, want %v", gaussian, c.Term(p.Term), p.Value, lost)
			}
		}
	}
}

func TestHead(t *testing.T) {
	long := strings.Repeat("é", PaperBytes)
	for _, tt := range []struct {
		text string
		want int
	}{
		{"", 0}, {"short", 5}, {strings.Repeat("x", PaperBytes), PaperBytes}, {strings.Repeat("x", PaperBytes+1), PaperBytes},
		{long, PaperBytes}, {"x" + long, PaperBytes - 1}, {"xx" + strings.Repeat("€", PaperBytes), PaperBytes - 2},
		{strings.Repeat("\x80", PaperBytes+9), PaperBytes - 4}, // no UTF-8
	} {
		got := Head(tt.text)
		if len(got) != tt.want || !strings.HasPrefix(tt.text, got) || utf8.ValidString(tt.text) && !utf8.ValidString(got) {
			t.Errorf("%.9q: %d bytes, want %d", tt.text, len(got), tt.want)
		}
	}
}
