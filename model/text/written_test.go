package text

import (
	"slices"
	"testing"
)

// The words are those of Words, stop words added, and each span is the word as written.
func TestWritten(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string // as written
	}{
		{"", nil},
		{"42 + 1", nil},
		{"The DADS, by NIST.", []string{"The", "DADS", "by", "NIST"}},
		{"cau\u00adtion Áedán e\u0301te\u0301", []string{"cau\u00adtion", "Áedán", "e\u0301te\u0301"}},
		{"\u00adsoft don't", []string{"soft", "don", "t"}},
		{"a\xffb", []string{"a", "b"}},
	} {
		var got []string
		for _, at := range Written(tt.text) {
			got = append(got, tt.text[at.From:at.To])
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}

func FuzzWritten(f *testing.F) {
	f.Add("The DADS, by NIST.")
	f.Add("cau\u00adtion e\u0301te\u0301 \xff")
	f.Fuzz(func(t *testing.T, s string) {
		var words []string
		last := 0
		for w, at := range Written(s) {
			if at.From < last || at.To <= at.From || at.To > len(s) {
				t.Fatalf("span %v after %d", at, last)
			}
			last = at.To
			if !StopWord(string(w)) {
				words = append(words, string(w))
			}
		}
		var want []string
		for w := range Words(s) {
			want = append(want, string(w))
		}
		if !slices.Equal(words, want) {
			t.Errorf("words %q, want %q", words, want)
		}
	})
}
