package protocol

import (
	"flag"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"nightjar/crawler/weburl"
)

var update = flag.Bool("update", false, "write testdata/mutated.json and judged.json anew")

// TestMutatedVectors: mutated.json has addresses that are cut, joined and spelled in odd ways, and what they are redacted to. The
// extension's tests read it, too, so that both sides agree on more than the cases that a person thought of.
func TestMutatedVectors(t *testing.T) {
	type row struct {
		URL      string `json:"url"`
		Redacted string `json:"redacted"`
	}
	var rows []row
	for _, url := range mutated(t, 800) {
		clean := weburl.Redact(url)
		if again := weburl.Redact(clean); again != clean {
			t.Errorf("%q becomes %q, and then %q", url, clean, again)
		}
		rows = append(rows, row{url, clean})
	}
	sameFile(t, "testdata/mutated.json", rows)
}

// mutated returns addresses made of those in secrets.txt.
func mutated(tb testing.TB, n int) []string {
	text, err := os.ReadFile("testdata/secrets.txt")
	if err != nil {
		tb.Fatal(err)
	}
	var all []string
	for line := range strings.Lines(string(text)) {
		if kind, url, _ := strings.Cut(strings.TrimSpace(line), " "); kind == "leak" || kind == "keep" {
			all = append(all, strings.NewReplacer("{", "", "}", "").Replace(url))
		}
	}
	rng := rand.New(rand.NewPCG(5, 6))
	bits := []string{"/", "?", "&", "=", "#", "#/", ";", "%2F", "%3D", "+", "@", "-", "_", ".", "reset", "magic-link", "f", "commit", "redacted", "é",
		"javascript:", "https%3A%2F%2F", "http://", "!", "\\", " ", "token", "A1b2C3d4", "\t"}
	urls := make([]string, n)
	for i := range urls {
		a, b := all[rng.IntN(len(all))], all[rng.IntN(len(all))]
		at, bit := rng.IntN(len(a)), bits[rng.IntN(len(bits))]
		switch rng.IntN(4) {
		case 0:
			a = a[:at] + b[rng.IntN(len(b)):]
		case 1:
			a = a[:at] + bit + a[at:]
		case 2:
			a = a[:at] + a[at+rng.IntN(len(a)-at):]
		case 3:
			a = a[:at] + bit + bits[rng.IntN(len(bits))] + b[rng.IntN(len(b)):]
		}
		urls[i] = strings.ToValidUTF8(a, "x")
	}
	return urls
}
