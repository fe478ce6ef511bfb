package web

import (
	"strings"
	"testing"
)

// TestComponents: the page shows each colour, and every colour of text has a contrast of at least 4.5:1 on each surface that
// it is written on (WCAG 2.2, 1.4.3), in both schemes.
func TestComponents(t *testing.T) {
	f := newFixture(t)
	d := f.page(t, "/components")
	lines := f.colours()
	if got := d.Find("[aria-labelledby=colours] tbody tr").Length(); got != len(lines) || got < 15 {
		t.Errorf("%d colours on the page, %d in the style sheet", got, len(lines))
	}
	texts := 0
	for _, l := range lines {
		for scheme, c := range map[string]colour{"light": l.Light, "dark": l.Dark} {
			if c.Hex == "" {
				t.Errorf("--%s has no value in %s", l.Name, scheme)
			}
			for _, s := range c.Surfaces {
				texts++
				if s.Contrast < 4.5 {
					t.Errorf("%s: --%s on --%s has a contrast of %.2f", scheme, l.Name, s.Surface, s.Contrast)
				}
			}
		}
	}
	if texts < 40 {
		t.Errorf("%d contrasts measured", texts)
	}
	if html, _ := f.page(t, "/settings").Html(); strings.Contains(html, "/components") {
		t.Error("the page is linked to")
	}
}

func TestContrast(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want float64
	}{{"#000000", "#ffffff", 21}, {"#ffffff", "#ffffff", 1}, {"#777777", "#ffffff", 4.478}} { // the last: WebAIM's example
		if got := contrastOf(tt.a, tt.b); got < tt.want-0.01 || got > tt.want+0.01 {
			t.Errorf("%s on %s: %.3f, want %.3f", tt.a, tt.b, got, tt.want)
		}
	}
}
