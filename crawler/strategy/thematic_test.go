package strategy

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"nightjar/crawler/page"
	"nightjar/model/ontology"
	"nightjar/model/senses"
	"nightjar/model/wordnet"
)

// themesFor are made-up themes for a strategy that needs some, nil for others.
func themesFor(name string) *Themes {
	if Needs(name) == Ontology {
		return sport()
	}
	return nil
}

// sport is an ontology of the words of the tests' pages, without WordNet.
var sport = sync.OnceValue(func() *Themes {
	return themesOf(nil, ontology.Item{Key: "sport", Labels: []string{"sport"}},
		ontology.Item{Key: "hockey", Labels: []string{"hockey", "ice hockey", "puck", "goalie", "goalkeeper"}, Parents: []string{"sport"}},
		ontology.Item{Key: "place", Labels: []string{"arena", "rink"}, Parents: []string{"sport"}},
		ontology.Item{Key: "bread", Labels: []string{"bread"}, Parents: []string{"sport"}})
})

func themesOf(net *wordnet.Net, items ...ontology.Item) *Themes {
	tree, _, err := ontology.Build(items)
	if err != nil {
		panic(err)
	}
	terms, _ := senses.NewTerms(tree, net)
	return NewThemes("Sport", tree, terms, net, nil)
}

// tinyNet is the dictionary of the tests of package wordnet. Of drum.n.01 (thing tool drum), pipe.n.01 (thing tool pipe)
// and dog.n.01, which is far below thing, too, S(drum, pipe) is 2·2/(3+3) = .67.
func tinyNet(tb testing.TB) *wordnet.Net { return netIn(tb, "../../model/wordnet/testdata/tiny") }

// netIn reads a dict folder.
func netIn(tb testing.TB, dir string) *wordnet.Net {
	tb.Helper()
	files := wordnet.Files{}
	for _, name := range wordnet.Names() {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			files[name] = strings.NewReader(string(text))
		}
	}
	net, err := wordnet.Read(files)
	if err != nil {
		tb.Fatal(err)
	}
	return net
}

// themed reads a page of this HTML at http://a.example/page with themes, and returns links and judgement by address.
func themed(tb testing.TB, themes *Themes, body string) (*page.Page, Judgement, map[string]int) {
	tb.Helper()
	s, err := NewWith(tb.Context(), "thematic", bundle(), themes)
	if err != nil {
		tb.Fatal(err)
	}
	p, err := page.Parse("http://a.example/page", page.ContentUTF8, []byte(body))
	if err != nil {
		tb.Fatal(err)
	}
	v := Visit{Page: p, Body: []byte(body), URL: p.URL}
	j := mustRead(s, v)
	wantSound(tb.(*testing.T), s, v, j)
	at := map[string]int{}
	for i, l := range p.Links {
		at[l.URL] = i
	}
	return p, j, at
}

// TestThematicPriorities is worked by hand: a word that is a label counts 1, half on the same site, each word once.
func TestThematicPriorities(t *testing.T) {
	const body = `<p>Nothing of note here.</p>
<ul><li><a href="http://b.test/1">The goalie</a> of a small arena</li>
<li><a href="http://b.test/2">Puck puck puck puck puck</a></li>
<li><a href="http://www.a.example/3">Goalie and arena</a></li>
<li><a href="http://b.test/4">Flowers</a></li>
<li><a href="http://b.test/5"><img src=x alt="an old rink"></a></li>
<li><a href="http://b.test/6">Arenas</a></li>
<li><a href="http://b.test/7">One</a></li><li>The puck and <a href="http://b.test/7">two</a></li></ul>`
	_, j, at := themed(t, sport(), body)
	for url, want := range map[string]int32{
		"http://b.test/1": 2_000_000, "http://b.test/2": 1_000_000, "http://www.a.example/3": 1_000_000, "http://b.test/4": 0,
		"http://b.test/5": 1_000_000, "http://b.test/6": 0, "http://b.test/7": 1_000_000,
	} {
		i, ok := at[url]
		if !ok {
			t.Fatalf("no link to %s", url)
		}
		if want := (Priority{want}); j.Priorities[i].Compare(want) != 0 {
			t.Errorf("%s: priority %v, want %v", url, j.Priorities[i], want)
		}
	}
}

// TestThematicWithWordNet: words are compared by their senses, in base form; those below .7 are mapped to no term.
func TestThematicWithWordNet(t *testing.T) {
	themes := themesOf(tinyNet(t), ontology.Item{Key: "sound", Labels: []string{"Sounds of it"}},
		ontology.Item{Key: "wood", Labels: []string{"woodwind"}, Senses: []string{"wind_instrument.n.01"}, Parents: []string{"sound"}})
	p, j, at := themed(t, themes, `<ul><li><a href="http://b.test/pipes">Pipes</a><li><a href="http://b.test/drum">A drum</a>
<li><a href="http://a.example/label">woodwind</a><li><a href="http://b.test/dog">hounds</a></ul>`)
	// pipe.n.01 is the child of wind_instrument's parent in no way: it is its own parent, S = 2·3/(3+4).
	for url, want := range map[string]float64{"http://b.test/pipes": 6. / 7, "http://b.test/drum": 0, "http://a.example/label": .5, "http://b.test/dog": 0} {
		if got := j.Priorities[at[url]]; got.Compare(fine(want)) != 0 {
			t.Errorf("%s: priority %v, want %v", url, got, fine(want))
		}
	}
	if n, ok := readThemeNote(j.Notes[at["http://b.test/pipes"]]); !ok || len(n.words) != 1 || n.words[0].word != "pipe" || n.words[0].term != "woodwind" || n.stays {
		t.Errorf("note of %q: %+v, %v", p.Links[0].Anchor, n, ok)
	}
}

// TestThematicWithoutSource: links that have no place in the source are known by their anchors.
func TestThematicWithoutSource(t *testing.T) {
	s := mustNew(t, "thematic")
	v := visit("ice", 0)
	v.Page.Links = []page.Link{{URL: "http://b.test/", Anchor: "Goalie", Around: "the arena"}}
	for _, body := range [][]byte{nil, []byte("<p>no link"), []byte("")} {
		v.Body = body
		if j := mustRead(s, v); j.Priorities[0].Compare(Priority{1_000_000}) != 0 {
			t.Errorf("with the source %q: %v", body, j.Priorities)
		}
	}
}

// TestThematicOrder: links with a mapped word come before all others, whatever site they are on.
func TestThematicOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	s := mustNew(t, "thematic").(*thematic)
	said := strings.Fields("goalie puck arena rink flower oven campus")
	for range 300 {
		v := visit("x", 0)
		for i := range 6 {
			var words []string
			for range rng.IntN(5) {
				words = append(words, said[rng.IntN(len(said))])
			}
			v.Page.Links = append(v.Page.Links, page.Link{URL: fmt.Sprintf("https://%s.test/%d", string("ab"[i%2]), i), Anchor: strings.Join(words, " ")})
		}
		j := mustRead(s, v)
		for i, l := range v.Page.Links {
			want := 0.
			for _, w := range said[:4] {
				if slices.Contains(strings.Fields(l.Anchor), w) {
					want++
				}
			}
			if i%2 == 0 {
				want /= 2 // the page is on a.test
			}
			if got := j.Priorities[i]; got.Compare(fine(want)) != 0 || want > 0 && got.Compare(Priority{}) <= 0 {
				t.Fatalf("%q of %s has %v, want %v", l.Anchor, l.URL, got, fine(want))
			}
		}
	}
}

// TestThematicNeedsAnOntology: without one it says what to do; its name may name one.
func TestThematicNeedsAnOntology(t *testing.T) {
	const next = "add one with nightjar explore ontology add FILE"
	for _, name := range []string{"thematic", "thematic:Musical instruments"} {
		if s, err := New(t.Context(), name, bundle()); s != nil || err == nil || !strings.Contains(err.Error(), next) {
			t.Errorf("%s: %v, %v", name, s, err)
		}
		if lacks := Lacks(name, bundle()); !strings.Contains(lacks, next) || Needs(name) != Ontology || !Known(name) {
			t.Errorf("%s: lacks %q", name, lacks)
		}
		if s, err := NewWith(t.Context(), name, bundle(), sport()); err != nil || s.Name() != name {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
	for _, name := range []string{"thematic:", "thematic: ", "hmm:x", "Thematic:x", "thematic2"} {
		if Known(name) {
			t.Errorf("%q is known", name)
		}
	}
	if got := OntologyOf(ThematicName("a:b")); got != "a:b" || OntologyOf("thematic") != "" || sport().Name() != "Sport" {
		t.Errorf("the ontology is %q", got)
	}
	if slices.Contains(Modelled(), "thematic") || len(Modelled()) != len(Names())-1 {
		t.Errorf("%v", Modelled())
	}
	if Measure("thematic:x") == Measure("link-value") || Measure("") != "natural logarithms of the odds" {
		t.Errorf("%q, %q", Measure("thematic:x"), Measure(""))
	}
}

// TestThematicExplains: the reasons name the words, the terms and the site.
func TestThematicExplains(t *testing.T) {
	s := mustNew(t, "thematic").(*thematic)
	v := visit("x", 0)
	v.Page.Links = []page.Link{{URL: "https://a.test/here", Anchor: "Goalie, puck, arena"}, {URL: "https://b.test/", Anchor: "rink"}, {URL: "https://c.test/", Anchor: "bread"}}
	j := mustRead(s, v)
	var all []Waiting
	for i, l := range v.Page.Links {
		all = append(all, Waiting{URL: l.URL, Anchor: l.Anchor, Note: j.Notes[i]})
	}
	e, ok := s.Explain(all[0], all[1:])
	want := []Reason{
		{"near the term “hockey”: “goalie” 1.00, “puck” 1.00", 2},
		{"it stays on the same site, so its words count half", -1.5},
		{"near the term “arena”: “arena” 1.00", .5},
		{"others have words near other terms", -.5},
	}
	if !ok || e.Typical != 1 || e.Others != 2 || !slices.Equal(e.Reasons, want) {
		t.Errorf("%+v, %v", e, ok)
	}
	// Another strategy of the same name, as after a restart, says the same: all is in the notes.
	if again, ok := mustNew(t, "thematic").(*thematic).Explain(all[0], all[1:]); !ok || !slices.Equal(again.Reasons, want) {
		t.Errorf("%+v, %v", again, ok)
	}
}

// TestThemeNote: what is written is read, and nothing else.
func TestThemeNote(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	for range 500 {
		n := themeNote{stays: rng.IntN(2) == 0}
		for range rng.IntN(9) {
			n.words = append(n.words, mapped{strings.Repeat("ä", rng.IntN(70)), "a \n term\x00\xff", float64(float32(1 - rng.Float64()))})
		}
		b := n.bytes()
		got, ok := readThemeNote(b)
		if !ok || got.stays != n.stays || len(got.words) != len(n.words) {
			t.Fatalf("%+v read as %+v, %v", n, got, ok)
		}
		for i, w := range got.words {
			if w.similarity != n.words[i].similarity || len(w.word) > maxSaid || w.term != "a term\x00" {
				t.Fatalf("%+v read as %+v", n.words[i], w)
			}
		}
		if len(n.words) > 0 && len(b) > 2 {
			if _, ok := readThemeNote(b[:len(b)-1]); ok {
				t.Fatal("a note that was cut is read")
			}
		}
	}
	nan := binary.LittleEndian.AppendUint32([]byte{themeVersion, 0}, math.Float32bits(float32(math.NaN())))
	for _, b := range [][]byte{nil, {themeVersion}, {2, 0}, {themeVersion, 2}, append(nan, 1, 'a', 1, 'b'), {themeVersion, 0, 0, 0, 128, 63, 200}} {
		if n, ok := readThemeNote(b); ok {
			t.Errorf("%v is read as %+v", b, n)
		}
	}
}

// TestThematicForgets: what is remembered of words is bounded, and forgetting changes no answer.
func TestThematicForgets(t *testing.T) {
	s := mustNew(t, "thematic").(*thematic)
	for i := range maxKnown {
		s.known[fmt.Sprint("word ", i)] = nil
	}
	v := visit("x", 0)
	v.Page.Links = []page.Link{{URL: "https://b.test/", Anchor: "goalie"}}
	if j := mustRead(s, v); len(s.known) != 1 || j.Priorities[0].Compare(Priority{1_000_000}) != 0 {
		t.Errorf("%d word sets, %v", len(s.known), j.Priorities)
	}
	v.Page.Links = nil
	for i := range maxDescribed + 10 {
		v.Page.Links = append(v.Page.Links, page.Link{URL: fmt.Sprint("https://b.test/", i), Anchor: "goalie" + strings.Repeat(" arena", i%50) + strings.Repeat(" puck", i/50)})
	}
	j := mustRead(s, v)
	if first, last := j.Priorities[0], j.Priorities[len(j.Priorities)-1]; first.Compare(Priority{}) <= 0 || last.Compare(Priority{}) != 0 {
		t.Errorf("the first link has %v, one after %d word sets %v", first, maxDescribed, last)
	}
}

// FuzzThematic: whatever a page holds, priorities are sound, and links without words come last.
func FuzzThematic(f *testing.F) {
	f.Add(`<a href="http://b.test/">goalie</a>`)
	f.Add(`<a href=http://b.test/><img alt="puck` + "\x00\xff" + `"></a><base href=//c.test><area href=x alt=rink>`)
	f.Add(`&#0;<a href="/x">&lt;b&gt;arena&amp;</a` + strings.Repeat("<li>", 50))
	s := mustNew(f, "thematic").(*thematic)
	f.Fuzz(func(t *testing.T, body string) {
		p, err := page.Parse("https://a.test/page", page.ContentUTF8, []byte(body))
		if err != nil {
			return
		}
		v := Visit{Page: p, Body: []byte(body), URL: p.URL}
		j := mustRead(s, v)
		wantSound(t, s, v, j)
		for i := range p.Links {
			n, ok := readThemeNote(j.Notes[i])
			if !ok || (len(n.words) > 0) != (j.Priorities[i].Compare(Priority{}) > 0) || n.worth() > senses.DefaultWords {
				t.Errorf("link %d: %+v, %v, priority %v", i, n, ok, j.Priorities[i])
			}
		}
	})
}

// BenchmarkThematic is what a page costs beside the judging: one of usual links, and one that is made to cost most, whose links
// all have other words with many senses. NIGHTJAR_WORDNET names a WordNet; without it, the words are compared with labels.
func BenchmarkThematic(b *testing.B) {
	net, said := (*wordnet.Net)(nil), strings.Fields("cut run break head line set light point turn mark pass play stock draw take field ground round")
	if dir := os.Getenv("NIGHTJAR_WORDNET"); dir != "" {
		net = netIn(b, dir)
	}
	themes := themesOf(net, ontology.Item{Key: "music", Labels: []string{"music"}}, ontology.Item{Key: "i", Labels: []string{"musical instrument"}, Parents: []string{"music"}},
		ontology.Item{Key: "g", Labels: []string{"guitar"}, Parents: []string{"i"}}, ontology.Item{Key: "j", Labels: []string{"jazz"}, Parents: []string{"music"}})
	rng := rand.New(rand.NewPCG(7, 1))
	for name, links := range map[string]int{"usual": 100, "hostile": page.MaxLinks} {
		var body strings.Builder
		for i := range links {
			words := strings.Join(said[i%len(said):][:1], " ")
			if name == "hostile" {
				rng.Shuffle(len(said), func(i, j int) { said[i], said[j] = said[j], said[i] })
				words = strings.Join(said[:8], " ")
			}
			fmt.Fprintf(&body, `<li><a href="/%d">%s</a>`, i, words)
		}
		p, err := page.Parse("http://a.example/page", page.ContentUTF8, []byte(body.String()))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				mustRead(newThematic("thematic", bundle(), themes), Visit{Page: p, Body: []byte(body.String())})
			}
		})
	}
}

// TestOntologyOfVariants: a variant of another strategy names no ontology.
func TestOntologyOfVariants(t *testing.T) {
	for name, want := range map[string]string{"thematic:birds": "birds", "thematic": "", "hmm": "", "naive-bayes-paper": ""} {
		if got := OntologyOf(name); got != want {
			t.Errorf("%s names %q, want %q", name, got, want)
		}
	}
}
