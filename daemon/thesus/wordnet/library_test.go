package wordnet

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/model/wordnet"
)

const tiny = "../../../model/wordnet/testdata/tiny"

// copyTiny makes a dict folder, with other files left out.
func copyTiny(t *testing.T, dir string, without ...string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range wordnet.Names() {
		data, err := os.ReadFile(filepath.Join(tiny, name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), string(data))
	}
	for _, name := range without {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// library makes a Library with places of its own, which looks at them at each use.
func library(t *testing.T) (l *Library, variable string) {
	t.Helper()
	dir := t.TempDir()
	variable = filepath.Join(dir, "variable")
	l = New(Options{Dir: filepath.Join(dir, "data"), Getenv: func(name string) string {
		if name == "WNSEARCHDIR" {
			return variable
		}
		return ""
	}})
	l.system, l.every = []string{filepath.Join(dir, "system")}, 0
	return l, variable
}

func TestNothing(t *testing.T) {
	l, variable := library(t)
	if l.Net() != nil || l.Fingerprint() != "" || l.Gloss(0) != "" {
		t.Error("there is a WordNet in empty folders")
	}
	s := l.State()
	if s.Found() || s.Added || !strings.Contains(s.Problem, variable) {
		t.Errorf("state %+v does not say that WNSEARCHDIR names a folder without WordNet", s)
	}
	l.getenv = func(string) string { return "" }
	if s := l.State(); s != (State{}) {
		t.Errorf("state %+v, want none and no problem", s)
	}
}

// TestSystemFolders: packages put WordNet into folders that the environment lists, or the usual ones.
func TestSystemFolders(t *testing.T) {
	one, other := t.TempDir(), t.TempDir()
	l := New(Options{Dir: t.TempDir(), Getenv: func(name string) string {
		return map[string]string{"XDG_DATA_DIRS": one + string(filepath.ListSeparator) + "relative" + string(filepath.ListSeparator) + other}[name]
	}})
	if s := l.State(); s != (State{}) {
		t.Errorf("in empty folders there is %+v", s)
	}
	copyTiny(t, filepath.Join(other, "wordnet"))
	if s := l.State(); s.From != FromSystem || s.Folder != filepath.Join(other, "wordnet") {
		t.Errorf("state %+v", s)
	}
	if got, usual := systemFolders(""), filepath.FromSlash("/usr/share/wordnet"); filepath.ListSeparator == ':' && !slices.Contains(got, usual) {
		t.Errorf("without the variable it is looked for in %q", got)
	}
}

// TestOrder: what a person added comes before the variable, and that before the system's.
func TestOrder(t *testing.T) {
	l, variable := library(t)
	copyTiny(t, l.system[0])
	check := func(folder string, from From, irregular int) {
		t.Helper()
		s := l.State()
		if s.Folder != folder || s.From != from || s.Nouns.Irregular != irregular {
			t.Errorf("%s (%s) with %d irregular nouns, want %s (%s) with %d", s.Folder, s.From, s.Nouns.Irregular, folder, from, irregular)
		}
	}
	check(l.system[0], FromSystem, l.State().Nouns.Irregular)
	all := l.State().Nouns.Irregular
	if all == 0 {
		t.Fatal("the tiny WordNet has no irregular nouns")
	}
	copyTiny(t, variable, "noun.exc")
	check(variable, FromVariable, 0)
	added := copyTiny(t, filepath.Join(l.dir, "one"))
	write(t, filepath.Join(l.dir, currentFile), "one\n")
	check(added, FromData, all)
	for _, name := range []string{"../system", "..", ".", "", "one/../two", "none"} {
		write(t, filepath.Join(l.dir, currentFile), name)
		check(variable, FromVariable, 0)
	}
}

// TestFingerprint: it is of what the files say, not of where and when they were written.
func TestFingerprint(t *testing.T) {
	l, variable := library(t)
	copyTiny(t, l.system[0])
	first := l.Fingerprint()
	if len(first) != 32 {
		t.Fatalf("fingerprint %q", first)
	}
	copyTiny(t, variable)
	again, _ := library(t)
	copyTiny(t, again.system[0])
	if l.Fingerprint() != first || again.Fingerprint() != first || l.State().Folder != variable {
		t.Error("the same files elsewhere have another fingerprint")
	}
	write(t, filepath.Join(variable, "noun.exc"), "wolves wolf\n")
	if got := l.Fingerprint(); got == first || got == "" {
		t.Errorf("fingerprint %q after a change, and %q before", got, first)
	}
	if err := os.Remove(filepath.Join(variable, "noun.exc")); err != nil {
		t.Fatal(err)
	}
	if got := l.Fingerprint(); got == first || got == "" {
		t.Errorf("fingerprint %q without a file, and %q with it", got, first)
	}
}

func TestGloss(t *testing.T) {
	l, _ := library(t)
	copyTiny(t, l.system[0])
	n := l.Net()
	data, err := os.ReadFile(filepath.Join(tiny, "data.noun"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	nouns, _, _ := n.Count(wordnet.Noun)
	_, want, _ := strings.Cut(lines[len(lines)-1], "| ")
	if got := l.Gloss(wordnet.Sense(nouns - 1)); got != strings.TrimSpace(want) || got == "" {
		t.Errorf("the last noun is %q, want %q", got, want)
	}
	for _, s := range []wordnet.Sense{wordnet.None, wordnet.Sense(n.Len()), 1 << 30} {
		if got := l.Gloss(s); got != "" {
			t.Errorf("sense %d has the definition %q", s, got)
		}
	}
}

// TestChangedBetweenLooks: a data file that was replaced since the last look gives no wrong definition, and is read at
// the next use.
func TestChangedBetweenLooks(t *testing.T) {
	l, _ := library(t)
	copyTiny(t, l.system[0])
	l.Net()
	l.every = time.Hour
	write(t, filepath.Join(l.system[0], "data.noun"), strings.Repeat("x", 1<<16))
	if got := l.Gloss(3); got != "" {
		t.Errorf("definition %q from a file that is not WordNet's", got)
	}
	if l.Net() != nil {
		t.Error("the damaged file was not noticed after a definition could not be read")
	}
	copyTiny(t, l.system[0])
	if l.Net() == nil {
		t.Error("the mended file was not read")
	}
	write(t, filepath.Join(l.system[0], "data.noun"), strings.Repeat("x", 1<<16))
	if l.Net() == nil {
		t.Error("the places were looked at before the time has come")
	}
	l.lookAgain()
	if l.Net() != nil {
		t.Error("the damaged file was not noticed")
	}
}

// TestRemovedWhileRunning: words are compared without WordNet from then on, the state says so, and what comes back is
// used.
func TestRemovedWhileRunning(t *testing.T) {
	l, variable := library(t)
	copyTiny(t, variable)
	if l.Net() == nil || l.State().Problem != "" {
		t.Fatalf("no WordNet: %+v", l.State())
	}
	remove := func(dir string) {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	remove(variable)
	if l.Net() != nil || l.Fingerprint() != "" {
		t.Error("there is a WordNet after its files were removed")
	}
	if p := l.State().Problem; !strings.Contains(p, variable+" were removed while Nightjar was running. Until WordNet is there again, words are compared as") {
		t.Errorf("problem %q", p)
	}
	copyTiny(t, variable)
	if l.Net() == nil || l.State().Problem != "" {
		t.Errorf("after its files came back: %+v", l.State())
	}
	copyTiny(t, l.system[0])
	remove(variable)
	if s := l.State(); s.Folder != l.system[0] || !strings.Contains(s.Problem, "Those in "+l.system[0]+" are used now") {
		t.Errorf("the system's is there: %+v", s)
	}
}

// TestDamaged: the next place is used, and the state names file, byte and next step.
func TestDamaged(t *testing.T) {
	l, variable := library(t)
	copyTiny(t, variable)
	write(t, filepath.Join(variable, "index.verb"), "walk v 1 0 1 0 99999999\n")
	copyTiny(t, l.system[0])
	s := l.State()
	for _, want := range []string{"WordNet in " + variable + " cannot be used: ", "index.verb, byte 0: ", "get WordNet again"} {
		if !strings.Contains(s.Problem, want) {
			t.Errorf("problem %q lacks %q", s.Problem, want)
		}
	}
	if s.Folder != l.system[0] {
		t.Errorf("folder %q, want the system's", s.Folder)
	}
	copyTiny(t, variable, "data.verb")
	if s := l.State(); !strings.Contains(s.Problem, "data.verb is missing") {
		t.Errorf("problem %q", s.Problem)
	}
	if err := os.Mkdir(filepath.Join(variable, "data.verb"), 0o700); err != nil {
		t.Fatal(err)
	}
	if s := l.State(); !strings.Contains(s.Problem, "data.verb is not a file") {
		t.Errorf("problem %q", s.Problem)
	}
}

func TestNoticeAndVersion(t *testing.T) {
	l, _ := library(t)
	copyTiny(t, l.system[0])
	heading, _, _ := strings.Cut(l.State().Notice, "\n")
	if !strings.HasPrefix(heading, "A made-up dictionary for tests.") {
		t.Fatalf("notice %q is not the heading of data.noun without its numbers", heading)
	}
	write(t, filepath.Join(l.system[0], "COPYING"), "Tiny WordNet Edition 2024\nFree.\xff\n")
	touch(t, filepath.Join(l.system[0], "data.noun"))
	if s := l.State(); s.Notice != heading+"\nTiny WordNet Edition 2024\nFree.\uFFFD" || s.Version != "2024" {
		t.Errorf("%q, version %q", s.Notice, s.Version)
	}
	for _, c := range []struct{ notice, want string }{
		{"WordNet 3.0 Copyright 2006 by Princeton University.", "3.0"}, {"WordNet Release 3.1\n", "3.1"},
		{"database of words 7.1", ""}, {"WordNet", ""},
	} {
		got := ""
		if m := versions.FindStringSubmatch(c.notice); m != nil {
			got = m[1]
		}
		if got != c.want {
			t.Errorf("%q is version %q, want %q", c.notice, got, c.want)
		}
	}
}

// touch makes a file look changed.
func touch(t *testing.T, path string) {
	t.Helper()
	if err := os.Chtimes(path, time.Time{}, time.Unix(1e9, 0)); err != nil {
		t.Fatal(err)
	}
}
