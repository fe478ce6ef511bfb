package label

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"nightjar/model/cluster"
	"nightjar/model/text"
)

const absTol = 1e-9 // sums of some dozen weights of size 1

type scored = cluster.Scored

// The numbers of four pages by model/testdata/four_pages.py, straight from the definitions.
func TestFourPages(t *testing.T) {
	var f struct {
		Pages    []text.Counts `json:"pages"`
		Cluster  []int         `json:"cluster"`
		Terms    []string      `json:"terms"`
		Profiles [][]float64   `json:"profiles"`
		Unscaled struct {
			Profiles [][]float64 `json:"profiles"`
		} `json:"unscaled"`
	}
	data, err := os.ReadFile("../testdata/four_pages.json")
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, p := range f.Pages {
		s := ""
		for word, times := range p {
			s += strings.Repeat(word+".\n", times)
		}
		texts = append(texts, s)
	}
	checkProfiles(t, f.Terms, f.Profiles, Clusters(texts, f.Cluster, 2, Options{Plain: true}))
	checkProfiles(t, f.Terms, f.Unscaled.Profiles, Clusters(texts, f.Cluster, 2, Options{Plain: true, Unscaled: true}))
}

func checkProfiles(t *testing.T, terms []string, profiles [][]float64, got []Profile) {
	t.Helper()
	for c, p := range got {
		listed := 0
		for i, want := range profiles[c] {
			if want == 0 {
				continue
			}
			listed++
			if at := slices.IndexFunc(p.Words, func(w scored) bool { return w.Term == terms[i] }); at < 0 || math.Abs(p.Words[at].Score-want) > absTol {
				t.Errorf("cluster %d, %s: %v, want %v", c, terms[i], p.Words, want)
			}
		}
		if len(p.Words) != listed || len(p.Labels) != min(5, listed) {
			t.Errorf("cluster %d: %d words, want %d; labels %v", c, len(p.Words), listed, p.Labels)
		}
		for k, l := range p.Labels {
			if l.Text != p.Words[k].Term || l.Score != p.Words[k].Score || l.Expansion != "" {
				t.Errorf("cluster %d: label %+v, word %v", c, l, p.Words[k])
			}
		}
	}
}

// made gives pages of short sentences over a few words, some of them stop words, with breaks between some.
func made(rng *rand.Rand, pages int) (texts []string) {
	words := []string{"crawl", "web", "page", "hub", "Site", "graph", "of", "the", "walk", "seed"}
	gaps := []string{" ", " ", " ", "-", ", ", "\n", "  "}
	for range pages {
		var s strings.Builder
		for range rng.IntN(40) {
			s.WriteString(words[rng.IntN(len(words))] + gaps[rng.IntN(len(gaps))])
		}
		texts = append(texts, s.String())
	}
	return texts
}

// slowPhrases finds the phrases of a text by cutting it into pieces.
func slowPhrases(s string) map[string]int {
	count := map[string]int{}
	s = strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(s), "-", " "), "  ", " ")
	for _, piece := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == '\n' }) {
		words := strings.Fields(piece)
		for n := 2; n <= 3; n++ {
			for i := 0; i+n <= len(words); i++ {
				w := words[i : i+n]
				twice := w[0] == w[1] || n == 3 && (w[2] == w[0] || w[2] == w[1])
				if !twice && !text.StopWord(w[0]) && !text.StopWord(w[n-1]) {
					count[strings.Join(w, " ")]++
				}
			}
		}
	}
	return count
}

// The sums of phrases are those of their definition, over all phrases of pages with words.
func TestPhrasesAgainstPieces(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 1))
		texts := made(rng, 5+int(seed))
		assign := make([]int, len(texts))
		for i := range assign {
			assign[i] = rng.IntN(3) - 1
		}
		b := newBook(texts, assign, 2, false)
		got := map[string]phrase{}
		for _, p := range b.phrases([][]scored{b.top(0, 100), b.top(1, 100)}) {
			got[strings.Join(p.words, " ")] = p
		}
		df, pages, tf := map[string]int{}, map[string][2]int{}, map[string][2]float64{}
		for i, s := range texts {
			if b.norm[i] == 0 {
				continue
			}
			for p, times := range slowPhrases(s) {
				df[p]++
				if c := assign[i]; c >= 0 {
					n, x := pages[p], tf[p]
					n[c]++
					x[c] += (.5 + .5*float64(times)/float64(b.most[i])) / b.norm[i]
					pages[p], tf[p] = n, x
				}
			}
		}
		checked := 0
		for p, n := range df {
			known := slices.ContainsFunc(strings.Fields(p), func(w string) bool { return b.score(0, w)+b.score(1, w) > 0 })
			if max(pages[p][0], pages[p][1]) < fewestPages || !known {
				continue
			}
			checked++
			for c := range 2 {
				want := tf[p][c] * math.Log(float64(len(texts))/float64(n))
				if g := got[p]; len(g.words) == 0 || g.pages[c] != pages[p][c] || math.Abs(g.score[c]-want) > absTol || g.df != n {
					t.Fatalf("seed %d, %q in cluster %d: %+v, want %v in %v pages of %d", seed, p, c, g, want, pages[p], n)
				}
			}
		}
		if checked != len(got) {
			t.Errorf("seed %d: %d phrases, want %d", seed, len(got), checked)
		}
	}
}

// repeat gives pages about one thing, with a word of their own.
func repeat(n int, s string) (texts []string) {
	for i := range n {
		texts = append(texts, s+"\nnumber "+strings.Repeat("x", 2+i))
	}
	return texts
}

// labels gives the labels of the first of two clusters; the pages of the second are about other things.
func labels(o Options, first ...string) (shown []string, all []Label) {
	texts := append(slices.Clone(first), repeat(len(first), "ponds and frogs in spring, where toads sing at night over water lilies")...)
	assign := make([]int, len(texts))
	for i := range first {
		assign[len(first)+i] = 1
	}
	for _, l := range Clusters(texts, assign, 2, o)[0].Labels {
		shown = append(shown, l.Text)
		all = append(all, l)
	}
	return shown, all
}

func TestPhraseTakesThePlaceOfItsWords(t *testing.T) {
	got, all := labels(Options{}, repeat(8, "Neural networks learn. All neural networks have layers; layers of neural networks")...)
	if !slices.Contains(got, "neural networks") || slices.Contains(got, "neural") || slices.Contains(got, "networks") {
		t.Errorf("labels %q", got)
	}
	for _, l := range all {
		if l.Text == "neural networks" && (l.Pages != 8 || !slices.Equal(l.Words, []string{"neural", "networks"}) || l.Score <= 0) {
			t.Errorf("%+v", l)
		}
	}
	plain, _ := labels(Options{Plain: true}, repeat(8, "Neural networks learn. All neural networks have layers; layers of neural networks")...)
	if !slices.Contains(plain, "neural") || !slices.Contains(plain, "networks") || slices.Contains(plain, "neural networks") {
		t.Errorf("plain labels %q", plain)
	}
}

func TestPhraseOfFewPagesIsNone(t *testing.T) {
	texts := append(repeat(2, "neural networks"), repeat(6, "networks. Neural. Learn")...)
	if got, _ := labels(Options{}, texts...); slices.Contains(got, "neural networks") || !slices.Contains(got, "networks") {
		t.Errorf("labels %q", got)
	}
}

// A phrase of three words is not cut where its two words hardly ever stand alone, and may have a stop word inside.
func TestWholePhrase(t *testing.T) {
	got, _ := labels(Options{}, repeat(6, "Support Vector Machines. Theory of Computation")...)
	if !slices.Contains(got, "Support Vector Machines") || !slices.Contains(got, "Theory of Computation") {
		t.Errorf("labels %q", got)
	}
}

func TestPhraseEndsAtALineAndAComma(t *testing.T) {
	got, _ := labels(Options{}, repeat(6, "neural, networks\nneural\nnetworks")...)
	for _, l := range got {
		if strings.Contains(l, " ") {
			t.Errorf("labels %q", got)
		}
	}
}

func TestFormsAsWritten(t *testing.T) {
	for _, tt := range []struct {
		name, text, want string
		count            int
	}{
		{"a name", "McCarthy: McCarthy. mccarthy", "McCarthy", 0},
		{"a noun", "Crawler. A crawler; a crawler.", "crawler", 0},
		{"an acronym", strings.Repeat("DADS. ", 8) + "dads. dads", "DADS", 0},
		{"a shouted word", strings.Repeat("NEWS. ", 7) + "news. news. news", "news", 0},
		{"a long word always in capitals", "ELECTROMAGNETISM. ELECTROMAGNETISM", "ELECTROMAGNETISM", 0},
		{"a soft hyphen", "hyper\u00adbolic. hyper\u00adbolic", "hyperbolic", 0},
		{"another script", "Йога. йога. йога", "йога", 0},
	} {
		if got, _ := labels(Options{}, repeat(4, tt.text)...); !slices.Contains(got, tt.want) {
			t.Errorf("%s: labels %q lack %q", tt.name, got, tt.want)
		}
	}
}

func TestAcronymHasItsExpansion(t *testing.T) {
	_, all := labels(Options{}, append(repeat(5, "DADS is at NIST. DADS again. DADS"),
		"The directory of algorithms and data structures (DADS) explains. DADS", "NIST. DADS (Dictionary of Algorithms and Data  Structures)",
		"a directory of algorithms and data structures (DADS).")...)
	for _, l := range all {
		if l.Text == "DADS" {
			if want := "directory of algorithms and data structures"; l.Expansion != want {
				t.Errorf("expansion %q, want %q", l.Expansion, want)
			}
			return
		}
	}
	t.Errorf("no label DADS in %+v", all)
}

func TestLongForms(t *testing.T) {
	for _, tt := range []struct{ text, short, want string }{
		{"directory of algorithms and data structures (DADS)", "dads", "directory of algorithms and data structures"},
		{"the heat shock transcription factor (HSF)", "hsf", "heat shock transcription factor"},
		{"by HSF (heat shock factor protein one)", "hsf", "heat shock factor protein one"},
		{"World Wide Web Consortium (W3C)", "w3c", ""}, // the rule finds no 3
		{"uniform resource locator (URL; RFC 1738)", "url", "uniform resource locator"},
		{"frogs of the pond (see below)", "see", ""},
		{"frogs of the pond (XML)", "xml", ""},
		{"end. Extensible markup language (XML)", "xml", ""}, // no word begins with x
		{"the haystack. Text markup language (TML)", "tml", "Text markup language"},
		{"markup (XML is a language) (XML)", "xml", ""},
		{"XML the extensible XML language (XML)", "xml", ""},
		{"Father (famously teased as Heavy Daddy)", "father", ""},
		{"(XML)", "xml", ""},
		{"no end (XML", "xml", ""},
		{"() ( ) )(", "", ""},
		{"eXtensible\nmarkup language (XML)", "xml", ""},
	} {
		asked := map[string]forms{tt.short: {}}
		readExpansions(tt.text, asked)
		if got := asked[tt.short].most(); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}

// Whatever a page says, a long form is a piece of it that has the letters of the short form in their order.
func FuzzReadExpansions(f *testing.F) {
	f.Add("directory of algorithms and data structures (DADS)", "dads")
	f.Add("W3C (World Wide Web Consortium 3)", "w3c")
	f.Fuzz(func(t *testing.T, s, short string) {
		s = strings.ToValidUTF8(s, "?")
		asked := map[string]forms{strings.ToLower(short): {}}
		readExpansions(s, asked)
		for long := range asked[strings.ToLower(short)] {
			if !strings.Contains(strings.Join(strings.Fields(s), " "), long) {
				t.Errorf("%q is not in %q", long, s)
			}
			if len([]rune(long)) > longestLong {
				t.Errorf("%q is too long", long)
			}
		}
	})
}

func TestProperties(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 2))
		texts := made(rng, 3+int(seed)*2)
		assign := make([]int, len(texts))
		for i := range assign {
			assign[i] = rng.IntN(4) - 1
		}
		got := Clusters(texts, assign, 3, Options{})
		if again := Clusters(texts, assign, 3, Options{}); !reflect.DeepEqual(got, again) {
			t.Fatalf("seed %d: two runs differ", seed)
		}
		for c, p := range got {
			if len(p.Labels) > 5 {
				t.Errorf("seed %d: %d labels", seed, len(p.Labels))
			}
			used := map[string]bool{}
			for _, l := range p.Labels {
				if l.Text == "" || l.Score <= 0 || l.Pages < 1 || len(l.Words) > 3 || strings.ToLower(strings.ReplaceAll(l.Text, "-", " ")) != strings.Join(l.Words, " ") {
					t.Errorf("seed %d, cluster %d: %+v", seed, c, l)
				}
				for _, w := range l.Words {
					if used[w] && !text.StopWord(w) {
						t.Errorf("seed %d, cluster %d: %q twice in %+v", seed, c, w, p.Labels)
					}
					used[w] = true
				}
			}
		}
	}
}

func TestOddInput(t *testing.T) {
	for name, p := range map[string][]Profile{
		"nothing":          Clusters(nil, nil, 0, Options{}),
		"an empty cluster": Clusters([]string{"frog pond", "web"}, []int{0, 0}, 2, Options{})[1:],
		"no words":         Clusters([]string{"1 2 3", "the of", ""}, []int{0, 0, 0}, 1, Options{}),
		"one page":         Clusters([]string{"frog pond"}, []int{0}, 1, Options{}), // its words are in all pages
	} {
		for _, q := range p {
			if len(q.Labels)+len(q.Words) > 0 {
				t.Errorf("%s: %+v", name, q)
			}
		}
	}
}
