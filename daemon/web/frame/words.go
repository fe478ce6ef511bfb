package frame

import (
	"cmp"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"nightjar/daemon/chart"
)

// Listing joins parts by commas, the last by "and".
func Listing(parts []string) string {
	last := len(parts) - 1
	if last < 1 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}

// Tenth writes a number with one digit behind the point.
func Tenth(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

// ByCount lists what was counted, most first.
func ByCount[K cmp.Ordered, N int | int64](count map[K]N) []K {
	return slices.SortedFunc(maps.Keys(count), func(a, b K) int { return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b)) })
}

// Signed writes a weight with its sign, and 0.00 without.
func Signed(v float64) string {
	text := Decimal(math.Abs(v))
	switch {
	case text == "0.00":
		return text
	case v < 0:
		return "−" + text
	}
	return "+" + text
}

// LabelName is a label's name without control characters, at most 60 characters long.
func LabelName(name string) string {
	return cmp.Or(chart.Shorten(60, Printable(name)), "unnamed")
}

// BackTo returns the path that a form of several pages names as its own, or otherwise another one. Only known paths are
// accepted, so that no form leads elsewhere.
func BackTo(r *http.Request, otherwise string) string {
	switch back := r.PostFormValue("back"); back {
	case "/", "/start", "/crawls", "/tonight":
		return back
	}
	return otherwise
}
