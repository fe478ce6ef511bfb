package wordnet

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

// folder opens the files of a dict folder.
func folder(tb testing.TB, dir string) Files {
	tb.Helper()
	files := Files{}
	for _, name := range Names() {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, os.ErrNotExist) && strings.HasSuffix(name, ".exc") {
			continue
		} else if err != nil {
			tb.Fatal(err)
		}
		files[name] = bytes.NewReader(data)
	}
	return files
}

func tiny(tb testing.TB) *Net { return mustRead(tb, folder(tb, "testdata/tiny")) }

func mustSense(tb testing.TB, n *Net, name string) Sense {
	tb.Helper()
	s, ok := n.ByName(name)
	if !ok {
		tb.Fatalf("there is no %s", name)
	}
	return s
}

func names(n *Net, senses []Sense) string {
	var all []string
	for _, s := range senses {
		all = append(all, n.Name(s))
	}
	return strings.Join(all, " ")
}

func TestSenses(t *testing.T) {
	n := tiny(t)
	if n.Len() != 27 {
		t.Errorf("%d senses, want 27", n.Len())
	}
	for _, c := range []struct {
		word string
		pos  POS
		want string
	}{
		{"wind", Noun, "wind.n.01 pipe.n.01"},
		{"pipe", Noun, "pipe.n.01 pipe.n.02"},
		{"pipe", Verb, "pipe.v.01"},
		{"DOG", Noun, "hound.n.01"},
		{"old gale", Noun, "old_gale.n.01"},
		{"Wind_Instrument", Noun, "wind_instrument.n.01"},
		{"hounds", Noun, ""},
		{"go", Noun, ""},
		{"go", 'a', ""},
		{"", Noun, ""},
		{"zzz", Noun, ""},
	} {
		if got := names(n, n.Senses(c.word, c.pos)); got != c.want {
			t.Errorf("Senses(%q, %v) = %s, want %s", c.word, c.pos, got, c.want)
		}
	}
	if got := n.Words(mustSense(t, n, "hound.n.01")); !slices.Equal(got, []string{"hound", "dog"}) {
		t.Errorf("words %q", got)
	}
}

func TestNames(t *testing.T) {
	n := tiny(t)
	for s := range Sense(n.Len()) {
		if back, ok := n.ByName(n.Name(s)); !ok || back != s {
			t.Errorf("%s names %d, not %d", n.Name(s), back, s)
		}
	}
	if s := mustSense(t, n, "wind.n.2"); n.Name(s) != "pipe.n.01" {
		t.Errorf("wind.n.2 is %s", n.Name(s))
	}
	if s := mustSense(t, n, "u.s..n.01"); !slices.Equal(n.Words(s), []string{"u.s."}) {
		t.Errorf("u.s..n.01 has the words %q", n.Words(s))
	}
	for _, name := range []string{"", "wind", "wind.n", "wind.n.0", "wind.n.3", "wind.n.-1", "wind.v.01", "wind.x.01", "wind.nn.01", ".n.01", "n.01", "wind.n.99999999999999999999"} {
		if s, ok := n.ByName(name); ok || s != None {
			t.Errorf("ByName(%q) = %d", name, s)
		}
	}
	if n.Name(None) != "" {
		t.Error("None has a name")
	}
}

func TestPaths(t *testing.T) {
	n := tiny(t)
	for name, want := range map[string][]string{
		"thing.n.01": {"thing.n.01"},
		"old_gale.n.01": {
			"thing.n.01 creature.n.01 beast.n.01 hunter.n.01 hound.n.01 old_gale.n.01",
			"thing.n.01 creature.n.01 friend.n.01 hound.n.01 old_gale.n.01",
		},
		"run.v.01": {"go.v.01 rush.v.01 run.v.01"},
	} {
		var got []string
		for _, p := range n.Paths(mustSense(t, n, name)) {
			got = append(got, names(n, p))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	hound := mustSense(t, n, "hound.n.01")
	if got := names(n, n.Hypernyms(hound)); got != "hunter.n.01 friend.n.01" {
		t.Errorf("above hound: %s", got)
	}
	if got := names(n, n.Hyponyms(hound)); got != "old_gale.n.01" {
		t.Errorf("below hound: %s", got)
	}
}

// Worked out by hand from the paths.
func TestSimilarity(t *testing.T) {
	n := tiny(t)
	for _, c := range []struct {
		a, b        string
		part, whole float64
	}{
		{"hound.n.01", "hound.n.01", 1, 1},
		{"old_gale.n.01", "old_gale.n.01", 1, 1},
		{"hound.n.01", "friend.n.01", 6, 7},         // thing creature friend [hound]; not by hunter, 4/8
		{"hound.n.01", "beast.n.01", 6, 8},          // thing creature beast [hunter hound]
		{"hunter.n.01", "friend.n.01", 4, 7},        // thing creature [beast hunter] [friend]
		{"old_gale.n.01", "hound.n.01", 10, 11},     // by the longer way: 5 in common; by friend 8/9
		{"old_gale.n.01", "hunter.n.01", 8, 10},     // 4 in common of 6 and 4
		{"old_gale.n.01", "drum.n.01", 2, 8},        // the shorter way: 1 in common of 5 and 3
		{"pipe.n.01", "drum.n.01", 4, 6},            // thing tool [pipe] [drum]
		{"pipe.n.02", "drum.n.01", 2, 5},            // thing [pipe] [tool drum]
		{"gale.n.01", "wind.n.01", 8, 9},            // thing event weather wind [gale]
		{"thing.n.01", "gale.n.01", 2, 6},           // thing [event weather wind gale]
		{"walk.v.01", "run.v.01", 4, 7},             // (root) go [walk] [rush run]
		{"walk.v.01", "pipe.v.01", 2, 6},            // (root) [go walk] [blow pipe]
		{"go.v.01", "go.v.01", 1, 1},                // a root
		{"go.v.01", "blow.v.01", 2, 4},              // (root) [go] [blow]
		{"pipe.n.01", "pipe.v.01", 0, 1},            // a noun and a verb
		{"wind_instrument.n.01", "gale.n.01", 2, 9}, // thing of 4 and 5
	} {
		a, b := mustSense(t, n, c.a), mustSense(t, n, c.b)
		if got := n.Similarity(a, b); got != c.part/c.whole {
			t.Errorf("S(%s, %s) = %v, want %v/%v", c.a, c.b, got, c.part, c.whole)
		}
		if n.Similarity(a, b) != n.Similarity(b, a) {
			t.Errorf("S(%s, %s) is not symmetric", c.a, c.b)
		}
	}
	if n.Similarity(None, None) != 0 || n.Similarity(0, None) != 0 {
		t.Error("None is similar to something")
	}
}

func TestMorphy(t *testing.T) {
	n := tiny(t)
	for _, c := range []struct {
		word string
		pos  POS
		want string
	}{
		{"Winds", Noun, "wind"},
		{"wind", Noun, "wind"},
		{"hounden", Noun, "hound beast"},              // irregular
		{"winden", Noun, ""},                          // irregular form of a word that is missing
		{"handsful", Noun, "handful"},                 // -ful is put back
		{"glass", Noun, "glass"},                      // -ss is no plural
		{"glasses", Noun, "glass"},                    // -ses
		{"wind instruments", Noun, "wind_instrument"}, // each word
		{"old-gales", Noun, ""},
		{"old_gales", Noun, "old_gale"},
		{"went", Verb, "go"},
		{"blowing", Verb, "blow"},
		{"piping", Verb, "pipe"}, // -ing is -e
		{"walked", Verb, "walk"},
		{"rushes", Verb, "rush"},
		{"gave up", Verb, "give_up"},
		{"ran", Noun, ""},
		{"s", Noun, ""},
		{"", Noun, ""},
		{"ing", Verb, ""},
		{"walks", 'r', ""},
		{strings.Repeat("s", 1000), Noun, ""},
	} {
		if got := strings.Join(n.Morphy(c.word, c.pos), " "); got != c.want {
			t.Errorf("Morphy(%q, %v) = %q, want %q", c.word, c.pos, got, c.want)
		}
	}
}

func TestWithoutExceptions(t *testing.T) {
	files := folder(t, "testdata/tiny")
	delete(files, "noun.exc")
	delete(files, "verb.exc")
	n := mustRead(t, files)
	if got := n.Morphy("went", Verb); got != nil {
		t.Errorf("went: %q", got)
	}
	if got := n.Morphy("winds", Noun); !slices.Equal(got, []string{"wind"}) {
		t.Errorf("winds: %q", got)
	}
}

func TestGloss(t *testing.T) {
	n := tiny(t)
	data, err := os.ReadFile("testdata/tiny/data.noun")
	if err != nil {
		t.Fatal(err)
	}
	s := mustSense(t, n, "beast.n.01")
	if n.DataFile(s) != "data.noun" || n.DataFile(mustSense(t, n, "go.v.01")) != "data.verb" {
		t.Error("wrong file")
	}
	got, err := n.Gloss(s, bytes.NewReader(data))
	if want := `a creature with four legs; "a beast crossed the road"`; err != nil || got != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	for name, other := range map[string][]byte{
		"empty":       nil,
		"shifted":     data[1:],
		"other kind":  bytes.ReplaceAll(data, []byte(" n "), []byte(" v ")),
		"cut shorter": data[:300],
	} {
		if _, err := n.Gloss(s, bytes.NewReader(other)); !errors.Is(err, ErrChanged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	broken := errors.New("disk on fire")
	if _, err := n.Gloss(s, failing{broken}); !errors.Is(err, broken) {
		t.Errorf("a failed read gives %v", err)
	}
}

type failing struct{ err error }

func (f failing) ReadAt([]byte, int64) (int, error) { return 0, f.err }
func (f failing) Read([]byte) (int, error)          { return 0, f.err }

// Words that differ in case only are one word of the index.
func TestWordsInTwoCases(t *testing.T) {
	files := dict([]synset{{words: "march March March_music"}}, []synset{{words: "go"}}, "", "")
	files["index.noun"] = strings.Replace(files["index.noun"], "march n 2 2 @ + 2 0 00000100 00000100", "march n 1 2 @ + 1 0 00000100", 1)
	n := mustRead(t, readers(files))
	if got := n.Words(0); !slices.Equal(got, []string{"march", "march_music"}) {
		t.Errorf("words %q", got)
	}
}

// In Princeton's WordNet 3.0, restrain and inhibit are above each other.
func TestAboveEachOther(t *testing.T) {
	verbs := []synset{{words: "hold", hypernyms: []int{1}}, {words: "restrain", hypernyms: []int{2}}, {words: "inhibit", hypernyms: []int{1}}}
	n := mustRead(t, readers(dict([]synset{{words: "thing"}}, verbs, "", "")))
	var got []string
	for _, p := range n.Paths(mustSense(t, n, "hold.v.01")) {
		got = append(got, names(n, p))
	}
	if want := []string{"inhibit.v.01 restrain.v.01 hold.v.01"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Indexes of other makers may be sorted in another order.
func TestOrderOfTheIndexDoesNotCount(t *testing.T) {
	want := tiny(t)
	files := folder(t, "testdata/tiny")
	index, err := os.ReadFile("testdata/tiny/index.noun")
	if err != nil {
		t.Fatal(err)
	}
	all := slices.Collect(strings.Lines(string(index)))
	slices.Reverse(all)
	files["index.noun"] = strings.NewReader(strings.Join(all, ""))
	if got := mustRead(t, files); !reflect.DeepEqual(got, want) {
		t.Error("another net")
	}
}

func TestConcurrentUse(t *testing.T) {
	n := tiny(t)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for a := range Sense(n.Len()) {
				for b := range Sense(n.Len()) {
					if s := n.Similarity(a, b); s != n.Similarity(b, a) {
						t.Errorf("S(%s, %s) changes", n.Name(a), n.Name(b))
					}
				}
				n.Morphy(n.Words(a)[0]+"s", n.POS(a))
			}
		})
	}
	wait.Wait()
}

func ExampleNet_Similarity() {
	files := Files{}
	for _, name := range Names() {
		f, err := os.Open(filepath.Join("testdata", "tiny", name))
		if err != nil {
			fmt.Println(err)
			return
		}
		defer f.Close()
		files[name] = f
	}
	n, err := Read(files)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range n.Senses("pipe", Noun) {
		drum := n.Senses("drum", Noun)[0]
		fmt.Printf("%s %.3f\n", n.Name(a), n.Similarity(a, drum))
	}
	// Output:
	// pipe.n.01 0.667
	// pipe.n.02 0.400
}
