package web

import (
	"testing"
	"time"
)

func TestFormat(t *testing.T) {
	for p, want := range map[float64]string{0: "0 %", 0.0001: "0.1 %", 0.004: "0.4 %", 0.0094: "0.9 %", 0.71: "71 %", 0.996: "99.6 %", 0.9999: "100 %", 1: "100 %"} {
		if got := percent(p); got != want {
			t.Errorf("percent(%v) = %s, want %s", p, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 99_600: "100 kB", 999_600: "1.0 MB", 5_300_000_000: "5.3 GB"} {
		if got := bytesText(n); got != want {
			t.Errorf("bytes(%d) = %s, want %s", n, got, want)
		}
	}
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1\u202f000", -1234567: "-1\u202f234\u202f567"} {
		if got := number(n); got != want {
			t.Errorf("number(%d) = %q, want %q", n, got, want)
		}
	}
	for d, want := range map[time.Duration]string{0: "under 1 s", 59 * time.Second: "59 s", 61 * time.Second: "1 min 1 s", 3*time.Hour + 5*time.Minute: "3 h 5 min"} {
		if got := durationText(d); got != want {
			t.Errorf("duration(%v) = %s, want %s", d, got, want)
		}
	}
	for address, want := range map[string]bool{"http://a.example/": true, "https://a.example/x?y": true, "javascript:alert(1)": false, "data:text/html,x": false, "//a.example": false, "http:": false, "JaVaScRiPt://a.example/%0aalert(1)": false, "ftp://a.example/": false, "": false} {
		if got := weblink(address) != ""; got != want {
			t.Errorf("weblink(%q): %v", address, got)
		}
	}
	for text, want := range map[string]string{"": "", "a": "A.", "é x.": "É x.", "Done!": "Done!"} {
		if got := sentence(text); got != want {
			t.Errorf("sentence(%q) = %q, want %q", text, got, want)
		}
	}
}
