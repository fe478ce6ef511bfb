package chart

import (
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"nightjar/model/layout"
)

var update = flag.Bool("update", false, "write the golden file anew")

// elementsOf reads a picture as XML, so that what is escaped wrongly is seen.
func elementsOf(t *testing.T, picture string) (all []xml.StartElement, texts []string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(picture))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all, texts
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, picture)
		}
		switch one := token.(type) {
		case xml.StartElement:
			all = append(all, one.Copy())
		case xml.CharData:
			texts = append(texts, string(one))
		}
	}
}

// randomCommunities makes communities with names from words, placed as on a map.
func randomCommunities(rng *rand.Rand, n int, words []string) ([]Community, [][]float64) {
	between := make([][]float64, n)
	pages := make([]int, n)
	for i := range n {
		between[i] = make([]float64, n)
		pages[i] = 1 + int(2000*rng.Float64()*rng.Float64())
	}
	for i := range n {
		for j := range i {
			between[i][j] = rng.Float64()
			between[j][i] = between[i][j]
		}
		between[i][i] = 1
	}
	var all []Community
	for i, c := range layout.Places(between, pages, layout.Options{}) {
		one := Community{N: i + 1, Pages: pages[i], Circle: c, Harvest: rng.Float64()}
		for range rng.IntN(6) {
			one.Labels = append(one.Labels, words[rng.IntN(len(words))])
		}
		all = append(all, one)
	}
	return all, between
}

var mapWords = []string{"tidal power", "barrage", "turbines of the Severn estuary", "OTEC", "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm", "潮汐発電所の一覧表と地図の索引", "", "\u202egnp.exe", "a"}

func segmentsOf(all []Community, between [][]float64) (circles []layout.Circle, lines []mapSegment) {
	for _, c := range all {
		circles = append(circles, c.Circle)
	}
	var m communityMap
	m.drawLines(all, between, circles)
	return circles, m.segments
}

// TestNamesHaveRoom: no name leaves the map, meets another or a circle that is not its own, and all of the eight communities
// that a map has at most are named.
func TestNamesHaveRoom(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 11))
		all, between := randomCommunities(rng, 1+rng.IntN(8), mapWords)
		circles, lines := segmentsOf(all, between)
		for kind, hung := range map[string][]hung{"names": hangNames(all, circles, lines), "numbers": hangNumbers(all, circles, lines)} {
			for i, h := range hung {
				if len(h.Lines) == 0 {
					t.Errorf("seed %d: community %d of %d has no room among the %s", seed, i+1, len(all), kind)
					continue
				}
				b := h.box
				if b.left < 0 || b.top < 0 || b.right > mapWidth || b.bottom > mapHeight {
					t.Errorf("seed %d: %s leave the map: %+v", seed, kind, b)
				}
				for j, c := range circles {
					if meetsCircle(b, c) && (j != i || !(b.left >= c.X-c.R && b.right <= c.X+c.R && b.top >= c.Y-c.R && b.bottom <= c.Y+c.R)) {
						t.Errorf("seed %d: %s of %d meet circle %d", seed, kind, i+1, j+1)
					}
					if j < i && b.meets(hung[j].box) {
						t.Errorf("seed %d: %s of %d and %d overlap", seed, kind, i+1, j+1)
					}
				}
			}
		}
	}
}

func meetsCircle(b rect, c layout.Circle) bool {
	x, y := math.Min(math.Max(c.X, b.left), b.right), math.Min(math.Max(c.Y, b.top), b.bottom)
	return math.Hypot(x-c.X, y-c.Y) < c.R
}

// TestLinesOfMap: a line for each pair with a cosine of at least .1, from 1.2 to 12 wide.
func TestLinesOfMap(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 12))
		all, between := randomCommunities(rng, 2+rng.IntN(7), mapWords)
		want := 0
		for i := range all {
			for j := range i {
				if between[i][j] >= .1 {
					want++
				}
			}
		}
		_, lines := segmentsOf(all, between)
		if len(lines) != want {
			t.Errorf("seed %d: %d lines, want %d", seed, len(lines), want)
		}
		for _, l := range lines {
			if l.width < 1.2-1e-9 || l.width > 12 {
				t.Errorf("seed %d: a line is %v wide", seed, l.width)
			}
		}
	}
}

// hostileNames try to become elements, attributes, scripts and text that runs backwards.
var hostileNames = []string{`</title></svg><script>alert(1)</script>`, `" onload="alert(1)`, `<img src=x onerror=alert(1)>`, `{{.}}`, "&lt;b&gt; &amp;",
	"\u202eevil\u2066", "x\x00y", "]]>", strings.Repeat("long ", 400), strings.Repeat("Z\u0300", 200)}

func TestHostileNamesOnMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 13))
	plain, between := randomCommunities(rng, 6, []string{"word"})
	known, attributes := map[string]bool{}, map[string]bool{}
	honest, _ := elementsOf(t, string(Communities(plain, between, func(n int) string { return fmt.Sprint("#c", n) })))
	for _, e := range honest {
		known[e.Name.Local] = true
		for _, a := range e.Attr {
			attributes[a.Name.Local] = true
		}
	}
	hostile := make([]Community, len(plain))
	for i, c := range plain {
		c.Labels = []string{hostileNames[i%len(hostileNames)], hostileNames[(i+6)%len(hostileNames)]}
		hostile[i] = c
	}
	picture := string(Communities(hostile, between, func(int) string { return "javascript:alert(1)" }))
	all, texts := elementsOf(t, picture)
	for _, e := range all {
		if !known[e.Name.Local] {
			t.Errorf("a name became an element %s", e.Name.Local)
		}
		for _, a := range e.Attr {
			if !attributes[a.Name.Local] {
				t.Errorf("a name became an attribute %s", a.Name.Local)
			}
			if a.Name.Local == "href" && strings.HasPrefix(strings.TrimSpace(a.Value), "javascript:") {
				t.Errorf("a circle leads to %s", a.Value)
			}
		}
	}
	if strings.ContainsAny(strings.Join(texts, ""), "\u202e\u2066\x00") {
		t.Error("characters that turn or hide text are shown")
	}
	if len(picture) > 60_000 {
		t.Errorf("the picture has %d bytes", len(picture))
	}
}

// TestMapSpeaks: title, description and each circle say the numbers.
func TestMapSpeaks(t *testing.T) {
	picture := string(Communities(handMap()))
	for _, want := range []string{"Map of 3 communities with 2\u202f000 pages", "1. tidal power, barrage: 1\u202f200 pages, connected with 2 (cosine 0.43).",
		"3. community 3: 200 pages, connected with 2 (cosine 0.20).", "1 and 2: cosine 0.43", "1. tidal power, barrage: 1\u202f200 pages, 60 % of the map; harvest 54 %; 12 new"} {
		if !strings.Contains(picture, want) {
			t.Errorf("nothing says %q", want)
		}
	}
	if strings.Contains(picture, "1 and 3: cosine") {
		t.Error("a cosine of .09 has a line")
	}
}

func handMap() ([]Community, [][]float64, func(int) string) {
	between := [][]float64{{1, .43, .09}, {.43, 1, .2}, {.09, .2, 1}}
	all := []Community{{N: 1, Labels: []string{"tidal power", "barrage"}, Pages: 1200, New: 12, Harvest: .54},
		{N: 2, Labels: []string{"waves", "buoys & <floats>", "OTEC", "sea"}, Pages: 600, Harvest: .3}, {N: 3, Pages: 200}}
	for i, c := range layout.Places(between, []int{1200, 600, 200}, layout.Options{}) {
		all[i].Circle = c
	}
	return all, between, func(n int) string { return fmt.Sprint("#community-", n) }
}

// TestGoldenMap compares a small map with the one in testdata, which a person has looked at.
func TestGoldenMap(t *testing.T) {
	got := string(Communities(handMap()))
	const file = "testdata/communities.svg.html"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Error("the map is drawn in another way; look at it, then run with -update")
	}
}
