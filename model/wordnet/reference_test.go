package wordnet

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// wordNet reads the WordNet that NIGHTJAR_WORDNET names. What these tests hold is held for the tiny dictionary and for
// random nets by tests that always run.
func wordNet(tb testing.TB) (n *Net, dir string) {
	tb.Helper()
	if dir = os.Getenv("NIGHTJAR_WORDNET"); dir == "" {
		tb.Skip("left out: NIGHTJAR_WORDNET does not name a WordNet dict folder")
	}
	return mustRead(tb, folder(tb, dir)), dir
}

// Facts of WordNet that hold for 3.0 and 3.1.
func TestWordNet(t *testing.T) {
	n, dir := wordNet(t)
	if n.Len() < 90_000 {
		t.Errorf("%d senses", n.Len())
	}
	for word, want := range map[string]int{"guitar": 1, "flute": 3, "wind": 8} {
		if got := len(n.Senses(word, Noun)); got != want {
			t.Errorf("%s has %d senses, want %d", word, got, want)
		}
	}
	for s := range Sense(n.Len()) {
		if back, ok := n.ByName(n.Name(s)); !ok || back != s || n.Similarity(s, s) != 1 {
			t.Errorf("%s names %d, not %d, or is not like itself", n.Name(s), back, s)
		}
	}
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"dog.n.01", "dog.n.01", 1},
		{"walk.v.01", "run.v.01", 4. / 7},
		{"teacher.n.01", "student.n.01", .7},
	} {
		if got := n.Similarity(mustSense(t, n, c.a), mustSense(t, n, c.b)); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("S(%s, %s) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
	f, err := os.Open(dir + "/data.noun")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got, err := n.Gloss(mustSense(t, n, "wind.n.01"), f); err != nil || !strings.HasPrefix(got, "air moving") {
		t.Errorf("%q, %v", got, err)
	}
}

// TestAgainstNLTK compares nouns with one path each. With several, NLTK is no oracle (see the package comment), and the
// definition is.
func TestAgainstNLTK(t *testing.T) {
	n, dir := wordNet(t)
	out, err := exec.Command("/usr/bin/python3", "testdata/by_nltk.py", dir).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 3 || errors.Is(err, os.ErrNotExist) {
		t.Skip("left out: NLTK is missing for /usr/bin/python3 (Debian: python3-nltk)")
	} else if err != nil {
		t.Fatalf("%v %s", err, exit.Stderr)
	}
	count, other, largest := map[string]int{}, 0, 0.0
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		count[f[0]]++
		if f[0] == "base" {
			if got := append(n.Morphy(f[1], POS(f[2][0])), "")[0]; got != f[3] {
				t.Errorf("the base form of %s is %q, NLTK's %q", f[1], got, f[3])
			}
			continue
		}
		want, err := strconv.ParseFloat(f[3], 64)
		if err != nil {
			t.Fatal(err)
		}
		a, b := mustSense(t, n, f[1]), mustSense(t, n, f[2])
		got := n.Similarity(a, b)
		if def := overPaths(n, a, b); got != def {
			t.Errorf("S(%s, %s) = %v, over paths %v", f[1], f[2], got, def)
		}
		switch {
		case f[0] == "one":
			if largest = max(largest, math.Abs(got-want)); math.Abs(got-want) > 1e-12 {
				t.Errorf("S(%s, %s) = %v, NLTK's is %v", f[1], f[2], got, want)
			}
		case math.Abs(got-want) > 1e-12:
			other++
		}
	}
	if count["one"] != 500 || count["several"] != 500 || count["base"] != 2000 {
		t.Errorf("counts %v", count)
	}
	t.Logf("one path: largest difference %g; several paths: %d of 500 differ", largest, other)
}

func BenchmarkRead(b *testing.B) {
	_, dir := wordNet(b)
	b.ReportAllocs()
	for b.Loop() {
		mustRead(b, folder(b, dir))
	}
}
