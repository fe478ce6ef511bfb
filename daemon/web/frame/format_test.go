package frame

import (
	"testing"
	"time"

	"nightjar/daemon/chart"
)

func TestFormat(t *testing.T) {
	for p, want := range map[float64]string{0: "0\u00a0%", 0.0001: "0.1\u00a0%", 0.004: "0.4\u00a0%", 0.0094: "0.9\u00a0%", 0.71: "71\u00a0%", 0.996: "99.6\u00a0%", 0.9999: "100\u00a0%", 1: "100\u00a0%"} {
		if got := Percent(p); got != want {
			t.Errorf("percent(%v) = %s, want %s", p, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0\u00a0B", 999: "999\u00a0B", 1000: "1.0\u00a0kB", 99_600: "100\u00a0kB", 999_600: "1.0\u00a0MB", 5_300_000_000: "5.3\u00a0GB"} {
		if got := Bytes(n); got != want {
			t.Errorf("bytes(%d) = %s, want %s", n, got, want)
		}
	}
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1\u202f000", -1234567: "-1\u202f234\u202f567"} {
		if got := chart.Number(n); got != want {
			t.Errorf("number(%d) = %q, want %q", n, got, want)
		}
	}
	for d, want := range map[time.Duration]string{0: "under 1\u00a0s", 59 * time.Second: "59\u00a0s", 61 * time.Second: "1\u00a0min 1\u00a0s", 3*time.Hour + 5*time.Minute: "3\u00a0h 5\u00a0min"} {
		if got := Duration(d); got != want {
			t.Errorf("duration(%v) = %s, want %s", d, got, want)
		}
	}
	for text, want := range map[string]string{
		"": "", "on 3 June 2005 at 12:00": "on 3\u00a0June\u00a02005 at 12:00", "3 May, 12 % of 4 kB": "3\u00a0May, 12\u00a0% of 4\u00a0kB",
		"5 hosts in 2 h": "5 hosts in 2\u00a0h", "12 Boards, 3 March": "12 Boards, 3\u00a0March",
	} {
		if got := Whole(text); got != want {
			t.Errorf("whole(%q) = %q, want %q", text, got, want)
		}
	}
	for address, want := range map[string]bool{"http://a.example/": true, "https://a.example/x?y": true, "javascript:alert(1)": false, "data:text/html,x": false, "//a.example": false, "http:": false, "JaVaScRiPt://a.example/%0aalert(1)": false, "ftp://a.example/": false, "": false} {
		if got := Weblink(address) != ""; got != want {
			t.Errorf("weblink(%q): %v", address, got)
		}
	}
	for text, want := range map[string]string{"": "", "a": "A.", "é x.": "É x.", "Done!": "Done!"} {
		if got := Sentence(text); got != want {
			t.Errorf("sentence(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestFileName(t *testing.T) {
	for topic, want := range map[string]string{"Hockey": "hockey", "../../etc/passwd": "etc-passwd", "日本": "session", "a\"\r\nb": "a---b", "": "session"} {
		if got := FileName(topic); got != want {
			t.Errorf("%q becomes %q, want %q", topic, got, want)
		}
	}
}
