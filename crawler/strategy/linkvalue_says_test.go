package strategy

import "testing"

// A reason that sounds good stands among those against a link only if it says why.
func TestSignalReasonSaysWhenItCountsTheOtherWay(t *testing.T) {
	for _, c := range []struct {
		signal      int
		more, worth float64
		want        string
	}{
		{parentSignal, .2, .1, "the page it is on looks more useful"},
		{parentSignal, .2, -.1, "the page it is on looks more useful; with all else equal, that led to less"},
		{folderSignal, -.2, -.1, "its folder has brought less so far"},
		{folderSignal, -.2, .1, "its folder has brought less so far; with all else equal, that led to more"},
		{depthSignal, 1, .1, "it is farther from the start page"},
		{linkedSignal, .2, -.1, linkers},
		{siteSignal, 0, 0, "its site has brought more so far"},
	} {
		if got := signalReason(c.signal, c.more, c.worth); got != c.want {
			t.Errorf("signal %d, %v more, worth %v: %q, want %q", c.signal, c.more, c.worth, got, c.want)
		}
	}
}
