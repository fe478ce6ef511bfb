package wordnet

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"
)

// texts reads the files of the tiny dictionary.
func texts(tb testing.TB) map[string]string {
	tb.Helper()
	all := map[string]string{}
	for _, name := range Names() {
		data, err := os.ReadFile("testdata/tiny/" + name)
		if err != nil {
			tb.Fatal(err)
		}
		all[name] = string(data)
	}
	return all
}

// TestBrokenFiles: each change of a sound dictionary is found, with its file and byte.
func TestBrokenFiles(t *testing.T) {
	sound := texts(t)
	for _, c := range []struct {
		file, old, new string
		at             int64
		says           string
	}{
		{"data.noun", "00000169 03", "00000170 03", 169, "does not begin with its own offset 00000169"},
		{"data.noun", "00000169 03", "0000016x 03", 169, "does not begin with its own offset"},
		{"data.noun", "whatever", "what", 165, "does not begin with its own offset"},
		{"data.noun", "03 n 01 hunter", "03 v 01 hunter", 400, `the part of speech is "v" instead of "n"`},
		{"data.noun", "0101 | a beast", "0101 / a beast", 400, "no definition"},
		{"data.noun", "n 01 hunter", "n 00 hunter", 400, "the number of words"},
		{"data.noun", "n 01 hunter", "n zz hunter", 400, "the number of words"},
		{"data.noun", "n 01 hunter", "n ff hunter", 400, "fewer words"},
		{"data.noun", "hunter 0 002", "hunter 0 xxx", 400, "the number of pointers"},
		{"data.noun", "hunter 0 002", "hunter 0 999", 400, "fewer pointers"},
		{"data.noun", "hunter 0 002 @ 00000268 n", "hunter 0 002 @ 00000268 v", 400, "another part of speech"},
		{"data.noun", "hunter 0 002 @ 00000268", "hunter 0 002 @ 00000269", 400, "at byte 00000269, where no synset begins"},
		{"data.noun", "hunter 0 002 @ 00000268", "hunter 0 002 @ 00000400", 400, "above itself"},
		{"data.noun", "creature 0 being 0 002 @ 00000100", "creature 0 being 0 002 @ 00000400", 169, "above itself"},
		{"data.noun", "01 hunter", "01 huntEX", 400, "index.noun lists no word of the synset"},
		{"index.noun", "gale n 1", "gale v 1", 422, "the part of speech"},
		{"index.noun", "gale n 1", "gale n x", 422, "the number of senses"},
		{"index.noun", "gale n 1", "gale n 0", 422, "the number of senses"},
		{"index.noun", "gale n 1", "gale n 2", 422, "fewer senses"},
		{"index.noun", "gale n 1", "gale n 1001", 422, "too large"},
		{"index.noun", "gale n 1 2", "gale n 1 9", 422, "fewer fields"},
		{"index.noun", "1 0 00001561", "1 0 00001562", 422, "at byte 00001562 of the data file"},
		{"index.noun", "1 0 00001561", "1 0 99999999999", 422, "fewer senses"},
		{"index.noun", "2 0 00001075 00001183", "2 0 00001075 00001075", 0, "listed twice"},
		{"index.noun", "animal n 1", "beast n 1", 0, `"beast" has two lines`},
		{"verb.exc", "ran run", "ran", 10, "no base form"},
		{"data.verb", "v 02 go", "v\x00 02 go", 100, "part of speech"},
	} {
		t.Run(c.file+" "+c.new, func(t *testing.T) {
			broken := maps.Clone(sound)
			if broken[c.file] = strings.Replace(sound[c.file], c.old, c.new, 1); broken[c.file] == sound[c.file] {
				t.Fatalf("%s does not have %q", c.file, c.old)
			}
			_, err := Read(readers(broken))
			var wrong *FileError
			if !errors.As(err, &wrong) {
				t.Fatalf("error %v", err)
			}
			if wrong.File != c.file || c.at != 0 && wrong.Offset != c.at || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v; want %s, byte %d, %s", err, c.file, c.at, c.says)
			}
		})
	}
}

func TestMissingFiles(t *testing.T) {
	for _, name := range []string{"data.noun", "data.verb", "index.noun", "index.verb"} {
		files := readers(texts(t))
		delete(files, name)
		if _, err := Read(files); err == nil || !strings.Contains(err.Error(), name+" is missing") {
			t.Errorf("without %s: %v", name, err)
		}
	}
	for _, name := range Names() {
		broken := errors.New("disk on fire")
		files := readers(texts(t))
		files[name] = failing{broken}
		if _, err := Read(files); !errors.Is(err, broken) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestHostileSizes: graphs and lines that are made to take time or memory are refused.
func TestHostileSizes(t *testing.T) {
	verbs := []synset{{"go", nil, ""}}
	var chain, ladder, star []synset
	for i := range maxAbove + 1 {
		s := synset{words: fmt.Sprintf("chain%d", i)}
		if i > 0 {
			s.hypernyms = []int{i - 1}
		}
		chain = append(chain, s)
	}
	ladder = append(ladder, synset{words: "top"}) // the number of paths doubles at each third sense
	for i := 0; i < 60; i += 3 {
		for k := range 2 {
			ladder = append(ladder, synset{words: fmt.Sprintf("side%d", i+k), hypernyms: []int{i}})
		}
		ladder = append(ladder, synset{words: fmt.Sprintf("rung%d", i), hypernyms: []int{i + 1, i + 2}})
	}
	for i := range maxAbove + 1 {
		star = append(star, synset{words: fmt.Sprintf("root%d", i)})
	}
	star = append(star, synset{words: "all", hypernyms: make([]int, maxAbove+1)})
	long := texts(t)
	long["data.noun"] += strings.Repeat("x", maxLine+1)
	for says, files := range map[string]map[string]string{
		"senses are above":        dict(chain, verbs, "", ""),
		"paths lead to":           dict(ladder, verbs, "", ""),
		"more than 250 hypernyms": dict(star, verbs, "", ""),
		"the line has more than":  long,
	} {
		if _, err := Read(readers(files)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v; want: %s", err, says)
		}
	}
	if _, err := Read(readers(dict(chain[:maxAbove], verbs, "", ""))); err != nil {
		t.Errorf("%d senses in a chain: %v", maxAbove, err)
	}
}

// TestEndlessFiles: a file that does not end is refused, whatever it is made of.
func TestEndlessFiles(t *testing.T) {
	forms := 0
	for says, next := range map[string]func() string{
		"the file has more than 268435456 bytes": func() string { return strings.Repeat("  licence ", 10_000) + "\n" },
		"the file has more than 1048576 lines": func() string {
			var b strings.Builder
			for range 1000 {
				forms++
				fmt.Fprintf(&b, "forms%d form\n", forms)
			}
			return b.String()
		},
		"the line has more than": func() string { return "endless " },
	} {
		files := readers(texts(t))
		files["noun.exc"] = &endless{next: next}
		if _, err := Read(files); err == nil || !strings.Contains(err.Error(), "noun.exc, byte ") || !strings.Contains(err.Error(), says) {
			t.Errorf("%v; want: %s", err, says)
		}
	}
}

// endless reads text after text.
type endless struct {
	next func() string
	rest string
}

func (e *endless) Read(p []byte) (int, error) {
	if e.rest == "" {
		e.rest = e.next()
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// TestHostileSum: many senses, each with as many above it as is allowed, are too much together.
func TestHostileSum(t *testing.T) {
	var list []synset
	for i := range maxAboveSum/maxAbove + 2000 {
		s := synset{words: fmt.Sprintf("word%d", i)}
		if i > 0 {
			s.hypernyms = []int{min(i-1, maxAbove-2)}
		}
		list = append(list, s)
	}
	_, err := Read(readers(dict(list, []synset{{words: "go"}}, "", "")))
	if err == nil || !strings.Contains(err.Error(), "senses above them together") {
		t.Errorf("error %v", err)
	}
}

// FuzzRead: whatever stands in the files, Read gives an error or a net that can be used.
func FuzzRead(f *testing.F) {
	all := texts(f)
	f.Add(all["data.noun"], all["index.noun"], all["noun.exc"])
	f.Add("00000000 03 n 01 a 0 001 @ 00000000 n 0000 | \n", "a n 1 1 @ 1 0 00000000\n", "b a\n")
	f.Add("00000000 03 n 01 a 0 000 | \n", "a n 1 0 1 0 00000000\n", "b\n")
	f.Fuzz(func(t *testing.T, data, index, exc string) {
		files := texts(t)
		files["data.noun"], files["index.noun"], files["noun.exc"] = data, index, exc
		n, err := Read(readers(files))
		if err != nil {
			var wrong *FileError
			if !errors.As(err, &wrong) {
				t.Fatalf("%v is no FileError", err)
			}
			return
		}
		for s := range Sense(n.Len()) {
			if back, ok := n.ByName(n.Name(s)); !ok || back != s {
				t.Fatalf("%q names %d, not %d", n.Name(s), back, s)
			}
			if n.Similarity(s, s) != 1 || len(n.Paths(s)) == 0 {
				t.Fatalf("%q is not like itself", n.Name(s))
			}
			if n.POS(s) == Noun {
				if _, err := n.Gloss(s, strings.NewReader(data)); err != nil {
					t.Fatal(err)
				}
			}
			n.Morphy(n.Words(s)[0]+"s", Noun)
		}
	})
}
