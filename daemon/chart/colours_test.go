package chart

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"
)

// TestClusterColours reads the colours of clusters from the style sheet: any two of a scheme differ for people with every
// kind of colour vision, and each differs from the card. The symbols differ in shape as well.
func TestClusterColours(t *testing.T) {
	sheet, err := os.ReadFile("../web/static/charts.css")
	if err != nil {
		t.Fatal(err)
	}
	var schemes [2][][3]float64
	found := regexp.MustCompile(`--g([1-8]): #([0-9a-f]{6})`).FindAllStringSubmatch(string(sheet), -1)
	if len(found) != 16 {
		t.Fatalf("%d colours", len(found))
	}
	for i, f := range found {
		schemes[i/8] = append(schemes[i/8], linear(t, f[2]))
	}
	for n, card := range []string{"ffffff", "1a1e29"} {
		for i, a := range schemes[n] {
			if c := contrast(a, linear(t, card)); c < 3 {
				t.Errorf("colour %d has a contrast of %.2f to #%s", i+1, c, card)
			}
			for j, b := range schemes[n][:i] {
				for name, vision := range visions {
					if d := distance(vision.see(a), vision.see(b)); d < 0.09 {
						t.Errorf("scheme %d, %s: colours %d and %d are only %.3f apart", n, name, i+1, j+1, d)
					}
				}
			}
		}
	}
}

// vision turns a colour in linear RGB into what somebody sees of it.
type vision [3][3]float64

// visions are those of Machado, Oliveira & Fernandes, A physiologically-based model for simulation of color vision deficiency,
// 2009, table 1, at full severity.
var visions = map[string]vision{
	"normal":       {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{.152286, 1.052583, -.204868}, {.114503, .786281, .099216}, {-.003882, -.048116, 1.051998}},
	"deuteranopia": {{.367322, .860646, -.227968}, {.280085, .672501, .047413}, {-.01182, .04294, .968881}},
	"tritanopia":   {{1.255528, -.076749, -.178779}, {-.078411, .930809, .147602}, {.004733, .691367, .3039}},
}

func (v vision) see(c [3]float64) (out [3]float64) {
	for i, row := range v {
		out[i] = math.Min(1, math.Max(0, row[0]*c[0]+row[1]*c[1]+row[2]*c[2]))
	}
	return out
}

// distance is the distance of two colours in linear RGB, in OKLab (Ottosson 2020), where white and black are 1 apart.
func distance(a, b [3]float64) float64 {
	x, y := oklab(a), oklab(b)
	return math.Sqrt((x[0]-y[0])*(x[0]-y[0]) + (x[1]-y[1])*(x[1]-y[1]) + (x[2]-y[2])*(x[2]-y[2]))
}

func oklab(c [3]float64) [3]float64 {
	l := math.Cbrt(.4122214708*c[0] + .5363325363*c[1] + .0514459929*c[2])
	m := math.Cbrt(.2119034982*c[0] + .6806995451*c[1] + .1073969566*c[2])
	s := math.Cbrt(.0883024619*c[0] + .2817188376*c[1] + .6299787005*c[2])
	return [3]float64{.2104542553*l + .793617785*m - .0040720468*s, 1.9779984951*l - 2.428592205*m + .4505937099*s,
		.0259040371*l + .7827717662*m - .808675766*s}
}

// contrast is that of WCAG 2.2.
func contrast(a, b [3]float64) float64 {
	light := func(c [3]float64) float64 { return .2126*c[0] + .7152*c[1] + .0722*c[2] + .05 }
	return math.Max(light(a), light(b)) / math.Min(light(a), light(b))
}

func linear(t *testing.T, hex string) (c [3]float64) {
	t.Helper()
	for i := range c {
		n, err := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatal(fmt.Errorf("colour %s: %w", hex, err))
		}
		if v := float64(n) / 255; v <= .04045 {
			c[i] = v / 12.92
		} else {
			c[i] = math.Pow((v+.055)/1.055, 2.4)
		}
	}
	return c
}
