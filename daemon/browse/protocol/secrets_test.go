package protocol

import (
	"os"
	"strings"
	"testing"

	"nightjar/crawler/weburl"
)

// TestSecretVectors: nothing that is in braces in secrets.txt stays in an address, and 95 of 100 useful addresses stay as they
// are, but for a fragment.
func TestSecretVectors(t *testing.T) {
	text, err := os.ReadFile("testdata/secrets.txt")
	if err != nil {
		t.Fatal(err)
	}
	count, failed := map[string]int{}, map[string]int{}
	for line := range strings.Lines(string(text)) {
		kind, url, _ := strings.Cut(strings.TrimSpace(line), " ")
		if kind == "" || kind == "#" {
			continue
		}
		count[kind]++
		plain := strings.NewReplacer("{", "", "}", "").Replace(url)
		clean := weburl.Redact(plain)
		switch kind {
		case "leak":
			if left := leaks(url, clean); left != "" {
				failed[kind]++
				t.Errorf("%s keeps %s", clean, left)
			}
			if document, _, _ := strings.Cut(plain, "#"); clean != document && !weburl.Secret(plain) {
				t.Errorf("the secret in %s is not seen", plain)
			}
			if weburl.Redact(clean) != clean {
				t.Errorf("%s is not clean", clean)
			}
		case "miss": // known to be kept
			if clean != plain {
				t.Errorf("%s is no miss any more", plain)
			}
		case "keep":
			if want, _, _ := strings.Cut(plain, "#"); clean != want {
				failed[kind]++
				t.Logf("%s became %s", plain, clean)
			}
		default:
			t.Fatalf("unknown line %q", line)
		}
	}
	t.Logf("secrets kept: %d of %d; useful addresses changed: %d of %d", failed["leak"], count["leak"], failed["keep"], count["keep"])
	if count["leak"] < 200 || count["keep"] < 100 || count["miss"] > 5 {
		t.Errorf("the table has %v", count)
	}
	if failed["keep"]*100 > 5*count["keep"] {
		t.Errorf("%d of %d useful addresses were changed", failed["keep"], count["keep"])
	}
}

// leaks returns a part of url in braces that clean contains, "" for none.
func leaks(url, clean string) string {
	parts := strings.Split(url, "{")
	for _, part := range parts[1:] {
		if secret, _, _ := strings.Cut(part, "}"); len(secret) > 4 && strings.Contains(clean, secret) {
			return secret
		}
	}
	return ""
}
