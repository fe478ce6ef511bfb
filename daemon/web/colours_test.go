package web

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestColours: every colour of text has a contrast of at least 4.5:1 on each surface that it is written on (WCAG 2.2, 1.4.3), in
// both schemes.
func TestColours(t *testing.T) {
	lines := newFixture(t).colours()
	if len(lines) < 15 {
		t.Errorf("%d colours in the style sheet", len(lines))
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

// colourLine is a colour of the style sheet in both schemes, with its contrast on the surfaces on which it is written.
type colourLine struct {
	Name        string
	Light, Dark colour
}

// colour is one colour. Contrasts are those of WCAG 2.2, 1 to 21, on paper, card, sunken, and the colour's own soft surface.
type colour struct {
	Hex      string
	Surfaces []contrastOn
}

type contrastOn struct {
	Surface, Hex string
	Contrast     float64
}

var tokenForm = regexp.MustCompile(`--([a-z-]+): (#[0-9a-f]{6});`)

// colours reads the tokens of base.css: each is there twice, light and dark.
func (s *Server) colours() (lines []colourLine) {
	light, dark := map[string]string{}, map[string]string{}
	for _, m := range tokenForm.FindAllStringSubmatch(string(s.assets.files["base.css"]), -1) {
		name, hex := m[1], m[2]
		if light[name] == "" {
			light[name] = hex
			lines = append(lines, colourLine{Name: name})
			continue
		}
		dark[name] = hex
	}
	for i := range lines {
		l := &lines[i]
		l.Light, l.Dark = measured(l.Name, light), measured(l.Name, dark)
	}
	return lines
}

// written are the colours of text and the surfaces that each is written on.
var written = map[string][]string{
	"ink": {"paper", "card", "sunken"}, "soft": {"paper", "card", "sunken"}, "accent": {"paper", "card", "accent-soft"},
	"accent-ink": {"accent"}, "useful": {"paper", "card", "useful-soft"}, "good": {"paper", "card", "good-soft"},
	"bad": {"paper", "card", "bad-soft"}, "warn": {"paper", "card", "warn-soft"},
}

func measured(name string, tokens map[string]string) colour {
	c := colour{Hex: tokens[name]}
	for _, surface := range written[name] {
		c.Surfaces = append(c.Surfaces, contrastOn{surface, tokens[surface], contrastOf(c.Hex, tokens[surface])})
	}
	return c
}

// contrastOf is the contrast of two colours, written #rrggbb (WCAG 2.2, definition of contrast ratio).
func contrastOf(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

func luminance(hex string) float64 {
	weights, sum := [3]float64{0.2126, 0.7152, 0.0722}, 0.0
	for i, weight := range weights {
		n, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		if err != nil {
			return 0 // the form of the token was checked
		}
		v := float64(n) / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}

// TestHeatContrast reads the colours of the style sheets: text on every step of a heat map has a contrast of at least
// 4.5:1 (WCAG 2.2, 1.4.3), in both schemes, and steps differ.
func TestHeatContrast(t *testing.T) {
	base, page := readAsset(t, "base.css"), readAsset(t, "model.css")
	for scheme, n := range map[string]int{"light": 0, "dark": 1} {
		colour := func(sheet, name string) [3]float64 { return parseColour(t, declarations(sheet, name)[n]) }
		ink, card, heat := colour(base, "ink"), colour(base, "card"), colour(page, "heat")
		for step := range 21 {
			if rule := fmt.Sprintf(".heat-%d { background: color-mix(in srgb, var(--heat) %d%%, var(--card)); }", step, 5*step); !strings.Contains(page, rule) {
				t.Fatalf("no rule %s", rule)
			}
			var mixed [3]float64
			for i := range mixed {
				mixed[i] = (heat[i]*float64(step) + card[i]*float64(20-step)) / 20
			}
			if c := contrast(ink, mixed); c < 4.5 {
				t.Errorf("%s, step %d: contrast %.2f", scheme, step, c)
			}
		}
		if c := contrast(heat, card); c < 2 {
			t.Errorf("%s: the ends of the scale have a contrast of %.2f", scheme, c)
		}
		for name, least := range map[string]float64{"soft": 4.5, "c1": 3, "c2": 3} { // small text; lines and dots (1.4.11)
			sheet := base
			if name != "soft" {
				sheet = readAsset(t, "charts.css")
			}
			if c := contrast(colour(sheet, name), card); c < least {
				t.Errorf("%s: --%s has a contrast of %.2f on a card", scheme, name, c)
			}
		}
	}
}

func readAsset(t *testing.T, name string) string {
	t.Helper()
	body, ok := newAssets().files[name]
	if !ok {
		t.Fatalf("no %s", name)
	}
	return string(body)
}

// declarations are the values that a style sheet gives a custom property, in order: light, dark, print.
func declarations(sheet, name string) []string {
	var all []string
	for _, part := range strings.Split(sheet, "--"+name+": ")[1:] {
		value, _, _ := strings.Cut(part, ";")
		all = append(all, value)
	}
	return all
}

// parseColour reads #rrggbb as shares.
func parseColour(t *testing.T, text string) (c [3]float64) {
	t.Helper()
	for i := range c {
		v, err := strconv.ParseUint(text[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c[i] = float64(v) / 255
	}
	return c
}

// contrast is the contrast ratio of WCAG 2.2.
func contrast(a, b [3]float64) float64 {
	luminance := func(c [3]float64) float64 {
		var sum float64
		for i, weight := range [3]float64{0.2126, 0.7152, 0.0722} {
			linear := c[i] / 12.92
			if c[i] > 0.04045 {
				linear = math.Pow((c[i]+0.055)/1.055, 2.4)
			}
			sum += weight * linear
		}
		return sum
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}
