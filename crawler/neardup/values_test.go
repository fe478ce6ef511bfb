package neardup

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestEachValue reads the numbers of a text as they are written.
func TestEachValue(t *testing.T) {
	for text, want := range map[string]string{
		"17:35 3.4 m high":                    "17:35 3.4",
		"12\u00b0/\u22125\u00b0, wind 14km/h": "12 -5 14",
		"from -3 to +4, 3-1 and 2\u20131":     "-3 4 3-1 2\u20131",
		"h264, a1b2 and 8x40":                 "8",
		"\u20ac1,024.50. 10%":                 "1,024.50 10",
		"\u6c14\u6e2912\u5ea6":                "12",
		"\u0663\u0664 \u0665":                 "\u0663\u0664 \u0665",
		"2\u2013":                             "2",
		"2\u20132":                            "2\u20132",
		"1.":                                  "1",
		"\xff7\xff":                           "7",
		"":                                    "",
		strings.Repeat("1", 100) + " 2":       strings.Repeat("1", 40) + " " + strings.Repeat("1", 40) + " " + strings.Repeat("1", 20) + " 2",
	} {
		var got []string
		eachValue(text, func(v string) bool { got = append(got, v); return true })
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: %q, want %q", text, s, want)
		}
	}
}

// TestIsDate tells dates from numbers that are content.
func TestIsDate(t *testing.T) {
	for v, want := range map[string]bool{
		"2026": true, "1999": true, "2026-11-28": true, "28.11.2026": true, "11/28/26": true, "2025/26": true, "2025-2026": true, "11/2026": true,
		"1848": false, "12": false, "17:35": false, "12:30:15": false, "1.234.567": false, "3-1": false, "1,024.50": false, "127.0.0.1": false,
	} {
		if isDate(v) != want {
			t.Errorf("%s counts as a date: %v", v, !want)
		}
	}
}

// TestNumbers reads which texts are of mostly numbers.
func TestNumbers(t *testing.T) {
	counting := ""
	for i := range 31 {
		counting += fmt.Sprintf("%d on day 7\n", 150+i)
	}
	for text, want := range map[string]int{
		"": 0,
		strings.Repeat("17:35 high water 7.5 ", 3):                         6,
		strings.Repeat("17:35 high water 7. ", 2):                          0, // few
		strings.Repeat("17:35 of the high water at the old town lay ", 40): 0, // prose
		strings.Repeat("28 November 2026 of no use ", 9):                   0, // the year is no content, the day does not change
		strings.Repeat("2026-11-28 ", 20):                                  0,
		"12mm 15mm 17mm 3pm 4pm 6pm 31mm 90mm":                             8,
		counting + "Monday Tuesday Wednesday":                              0,
	} {
		if got := len(NewSketch("", text).Numbers); got != want {
			t.Errorf("%.60q: %d numbers, want %d", text, got, want)
		}
	}
}

// TestManyNumbers: a long page of numbers is read as far as one of words.
func TestManyNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	var text strings.Builder
	for range 3 * maxSketch {
		fmt.Fprintf(&text, "%d %dmm ", rng.IntN(1e6), rng.IntN(1e6))
	}
	if s := NewSketch("", text.String()); s.Words != maxSketch || len(s.Numbers) != maxSketch {
		t.Errorf("%d words, %d numbers", s.Words, len(s.Numbers))
	}
}
