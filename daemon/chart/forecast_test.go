package chart

import (
	"strings"
	"testing"
)

// TestForecasts: places keep the order of numbers, the dot of a night lies on its bar exactly when what came lies in the
// interval, and the description has all numbers.
func TestForecasts(t *testing.T) {
	p := DrawForecasts([]Foretold{
		{"Crawl 1", 8, 14, 24, 17}, {"Crawl 2", 8, 14, 24, 40}, {"Crawl 3", 0, 1, 3, 0}, {"Crawl 4", 0.2, 0.3, 0.4, 0}, {"Crawl 5", 3, 80, 1200, 2},
	})
	if len(p.Lines) != 5 {
		t.Fatalf("%d lines", len(p.Lines))
	}
	for i, held := range []bool{true, false, true, true, false} {
		l := p.Lines[i]
		if l.Held != held {
			t.Errorf("%s: held %v", l.Name, l.Held)
		}
		if on := l.Low-0.1 <= l.Came && l.Came <= l.Low+l.Wide+0.1; on != held {
			t.Errorf("%s: the dot at %v, the bar from %v to %v", l.Name, l.Came, l.Low, l.Low+l.Wide)
		}
		if l.Low > l.Expected+1 || l.Expected > l.Low+l.Wide+0.1 || l.Low < 0 || l.Low+l.Wide > 100 || i > 0 && l.Y <= p.Lines[i-1].Y {
			t.Errorf("%+v", l)
		}
	}
	if p.High <= p.Lines[4].Bottom || len(p.Ticks) != 8 || p.Ticks[7].Text != Number(1000) {
		t.Errorf("high %v, ticks %+v", p.High, p.Ticks)
	}
	for _, want := range []string{"Crawl 1: forecast 8 to 24, found 17", "Crawl 4: forecast 0, found 0", "Crawl 5: forecast 3 to " + Number(1200) + ", found 2"} {
		if !strings.Contains(p.Desc, want) {
			t.Errorf("%q lacks %q", p.Desc, want)
		}
	}
}
