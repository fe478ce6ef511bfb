package model

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestOffsets(t *testing.T) {
	urls := []string{"https://a.test/1", "https://b.test/1", "https://b.test:8443/1", "https://a.test/2", "https://c.test?q=1", "https://b.test/2", ""}
	useful := []bool{true, false, true, false, false, false, false}
	rejected := []bool{false, true, false, true, true, false, false}
	if got, want := Offsets(urls, useful, rejected), []int{-1, 0, -1, -1, 1, 0, -1}; !slices.Equal(got, want) {
		t.Errorf("groups %v, want %v", got, want)
	}
	if got, want := Offsets(urls, useful, make([]bool, len(urls))), slices.Repeat([]int{-1}, len(urls)); !slices.Equal(got, want) {
		t.Errorf("groups %v without a mark", got)
	}
}

// TestWrongFindsOfOneHost: a few wrong finds of a host that the session does not know teach nothing of the words that all its pages
// share. Its useful pages stay relevant; pages like the wrong finds become less likely.
func TestWrongFindsOfOneHost(t *testing.T) {
	const everywhere = " cornell ithaca upson rhodes library ezra cayuga telluride duffield olin sage statler warren morrill mccormick barton bailey clocktower gorge slope"
	set := session(60, 1)
	useful, useless := strings.Join(topics[0], " ")+everywhere, strings.Join(topics[1], " ")+everywhere
	for i := range set.Pages { // words that the session knows, or they would be no features
		if i%20 < 2 {
			set.Pages[i].Text += everywhere
		}
	}
	before := mustTrain(t, set, DefaultSettings())
	for i := range 8 { // about something else
		set.Pages = append(set.Pages, Page{URL: fmt.Sprintf("https://cornell.test/%d", i), Text: useless, Rejected: true})
	}
	after := mustTrain(t, set, DefaultSettings())
	if b, a := before.Observe(useful).Useful, after.Observe(useful).Useful; a < after.Judge.Threshold || a < .7*b {
		t.Errorf("a useful page of the host: %.2f after, %.2f before, relevant from %.2f on", a, b, after.Judge.Threshold)
	}
	if b, a := before.Observe(useless).Useful, after.Observe(useless).Useful; a >= b {
		t.Errorf("a page like the wrong finds: %.3f after, %.3f before", a, b)
	}
}
