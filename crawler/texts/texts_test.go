package texts

import "testing"

func TestShortened(t *testing.T) {
	for _, tt := range []struct {
		text       string
		n          int
		cut, first string
	}{{"", 0, "", ""}, {"aé", 0, "", ""}, {"aé", 2, "a", "aé"}, {"aé", 3, "aé", "aé"}, {"日本語", 4, "日", "日本語"}, {"日本語", 2, "", "日本"}} {
		if cut, first := Cut(tt.text, tt.n), First(tt.text, tt.n); cut != tt.cut || first != tt.first {
			t.Errorf("%q, %d: %q and %q, want %q and %q", tt.text, tt.n, cut, first, tt.cut, tt.first)
		}
	}
}
