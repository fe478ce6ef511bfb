package month

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/daemon/browse/protocol"
)

// TestChanges: a page is linked to and answers from the night when it appears, answers until it goes, and has a second address from
// the night when it is copied; for links of every form, and of pages that are linked by an address that redirects.
func TestChanges(t *testing.T) {
	w := madeWeb(t)
	list := home + "list4/"
	for i := range madeItems {
		item := list + string("0123456789ab"[i]) + ".html"
		if i > 9 {
			item = list + []string{"10", "11"}[i-10] + ".html"
		}
		c := newChanging(w.change.replay)
		links := func(night int) []string { return crawler.Follows(c.fetch(t.Context(), list, night).Response) }
		there := func(url string, night int) bool { return c.fetch(t.Context(), url, night).Outcome == fetch.OK }
		all := links(1)
		c.fates[item] = fate{appears: 3}
		before, after := links(2), links(3)
		if len(before) != len(all)-1 || !slices.Equal(after, all) || there(item, 2) || !there(item, 3) {
			t.Errorf("item %d: %d links, %d before it appears, %d after", i, len(all), len(before), len(after))
		}
		if hidden := c.fetch(t.Context(), list, 2).hidden; !slices.Equal(slices.Compact(hidden), []string{item}) {
			t.Errorf("item %d: hidden %v", i, hidden)
		}
		c.fates[item] = fate{goes: 3}
		if !slices.Equal(links(3), all) || !there(item, 2) || there(item, 3) {
			t.Errorf("item %d does not go, or its links do", i)
		}
		c.fates[item] = fate{copied: 3}
		again := copyOf(item)
		_, isLink := map[int]bool{1: true}[i%6], strings.Contains(strings.Join(links(3), " "), again)
		if there(again, 2) || !there(again, 3) || c.original(again) != item || i%6 < 2 && !isLink {
			t.Errorf("item %d: its copy is there %v and %v, links %v", i, there(again, 2), there(again, 3), links(3))
		}
	}
}

// TestContent: the date of a restless page is no change; a new link is.
func TestContent(t *testing.T) {
	w := madeWeb(t)
	list := home + "list4/"
	c := w.change
	c.fates[list], c.fates[list+"5.html"] = fate{restless: true}, fate{appears: 4}
	two, three, four := c.fetch(t.Context(), list, 2), c.fetch(t.Context(), list, 3), c.fetch(t.Context(), list, 4)
	if two.content != three.content || string(two.Body) == string(three.Body) || three.content == four.content {
		t.Error("the content of a restless list")
	}
}

// TestDraw: the shares are those that are promised, start pages stay, and nothing changes in the first and the last two nights.
func TestDraw(t *testing.T) {
	c := newChanging(nil)
	var pages []string
	for i := range 3000 {
		pages = append(pages, home+strings.Repeat("a", i))
	}
	const nights = 9
	c.draw(pages, map[string]bool{home: true}, nights, rand.New(rand.NewPCG(1, 1)))
	var n [4]float64
	for _, f := range c.fates {
		for i, night := range []int{f.appears, f.goes, f.copied} {
			if night > 0 {
				n[i]++
			}
			if night == 1 || night > nights-2 {
				t.Fatalf("a change in night %d", night)
			}
		}
		if f.restless {
			n[3]++
		}
	}
	for i, share := range []float64{appearing, going, copying, restless} {
		if got := n[i] / 3000; got < .7*share || got > 1.3*share {
			t.Errorf("change %d: %.3f of the pages, want %.3f", i, got, share)
		}
	}
	if f := c.fates[home]; f.appears+f.goes+f.copied > 0 {
		t.Error("a page that stays changes")
	}
}

// TestSnapshots: a session shows the lists of its night.
func TestSnapshots(t *testing.T) {
	w := madeWeb(t)
	w.change.fates[home+"list4/5.html"] = fate{appears: 4}
	list := w.change.replay.Fetch(t.Context(), home+"list4/")
	for night, appeared := range map[int]bool{1: false, 3: false, 4: true} {
		events := []protocol.Event{{Type: protocol.Visit, Page: "p", URL: list.FinalURL}, {Type: protocol.Snapshot, Page: "p", HTML: protocol.Pack(list.Body)}}
		if err := w.change.show(t.Context(), events, night); err != nil {
			t.Fatal(err)
		}
		body, err := events[1].Unpack()
		if err != nil || strings.Contains(string(body), "src=5.html") != appeared || !strings.Contains(string(body), "4.html") {
			t.Errorf("night %d: %v: %s", night, err, body)
		}
	}
}
