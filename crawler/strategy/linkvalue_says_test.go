package strategy

import "testing"

// A signal that sounds good but counts against a link is not named, nor one that sounds bad and counts for it.
func TestSignalReasonLeavesOutContradictions(t *testing.T) {
	for _, c := range []struct {
		signal      int
		more, worth float64
		want        string
	}{
		{parentSignal, .2, .1, "the page it is on looks more useful"},
		{parentSignal, .2, -.1, otherSignals},
		{folderSignal, -.2, -.1, "its folder has led to less so far"},
		{folderSignal, -.2, .1, otherSignals},
		{depthSignal, 1, .1, "it is farther from the start page"},
		{linkedSignal, .2, -.1, linkers},
		{siteSignal, 0, 0, "its site has led to more so far"},
	} {
		if got := signalReason(c.signal, c.more, c.worth); got != c.want {
			t.Errorf("signal %d, %v more, worth %v: %q, want %q", c.signal, c.more, c.worth, got, c.want)
		}
	}
}
