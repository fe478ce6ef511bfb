package trainer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/cli/demo/surfer"
	"nightjar/daemon/lab/effort"
	"nightjar/model/ways"
)

// wandered makes the events of a random session on a random web without frames. The person opens, follows, goes back and
// marks; some of the loads are then said to have come about in another way, or to have been marked Not useful.
func wandered(t *testing.T, rng *rand.Rand) []protocol.Event {
	t.Helper()
	pages := 4 + rng.IntN(12)
	var lines []string
	for i := range pages {
		line := fmt.Sprintf("p%d>p%d", i, (i+1)%pages)
		for range rng.IntN(4) {
			line += fmt.Sprintf(",p%d", rng.IntN(pages))
		}
		lines = append(lines, line)
	}
	web := linked(strings.Join(lines, " "))
	var events []protocol.Event
	s := surfer.New(surfer.Options{
		Client: surfer.NewClient(rng), Topic: "Topic", Start: start, Rand: rng,
		Load: func(_ context.Context, url string) (surfer.Document, error) {
			html, ok := web[strings.TrimPrefix(url, sessiontest.Host)]
			if !ok {
				return surfer.Document{}, errors.New("no such page")
			}
			return surfer.Document{URL: url, HTML: []byte(html)}, nil
		},
		Emit: func(e protocol.Event) error {
			events = append(events, e)
			return nil
		},
	})
	do := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	do(s.Start())
	for range 3 + rng.IntN(40) {
		switch n := rng.IntN(10); {
		case s.Shown() == nil || n == 0:
			do(s.Open(t.Context(), fmt.Sprintf("%sp%d", sessiontest.Host, rng.IntN(pages))))
		case n == 1:
			do(s.Useful())
		case n < 5 && s.CanGoBack():
			do(s.Back())
		case len(s.Shown().Page.Links) > 0:
			do(s.Follow(t.Context(), s.Shown().Page.Links[rng.IntN(len(s.Shown().Page.Links))].URL))
		}
	}
	do(s.Submit())
	hows := []string{protocol.HowNewTab, protocol.HowNewTab, protocol.HowReload, protocol.HowForm, protocol.HowBookmark, protocol.HowOther}
	for i := range events {
		e := &events[i]
		if e.Type == protocol.Visit && e.How == protocol.HowLink && rng.IntN(4) == 0 {
			e.How = hows[rng.IntN(len(hows))]
		}
		if e.Type == protocol.Useful && rng.IntN(4) == 0 {
			e.Type = protocol.NotUseful
		}
	}
	return events
}

// byHand counts the ways of a session straight from its events, without a graph or a forest: for each visit it goes from
// event to event to where the way began. The supplement is not among them.
func byHand(events []protocol.Event) map[string]float64 {
	visits, followed, marks := map[string]protocol.Event{}, map[string]bool{}, map[string]protocol.Type{}
	last := map[string]string{} // load of each page
	open := ""
	for _, e := range events {
		switch e.Type {
		case protocol.Visit:
			visits[e.Page] = e
			switch e.How {
			case protocol.HowLink, protocol.HowNewTab, protocol.HowForm:
				followed[e.From] = true
			case protocol.HowReload:
				followed[last[e.URL]] = true
			}
			last[e.URL] = e.Page
		case protocol.Useful, protocol.NotUseful:
			marks[visits[e.Page].URL] = e.Type
		}
		if e.Page != "" && e.Type != protocol.Snapshot {
			open = e.Page
		}
	}
	count := map[string]float64{}
	for id, v := range visits {
		way, usefulBefore := v.URL, false
		pages := 1
		for at := v; at.How == protocol.HowLink || at.How == protocol.HowNewTab; {
			at = visits[at.From]
			usefulBefore = usefulBefore || marks[at.URL] == protocol.Useful
			if pages++; pages <= ways.MaxSteps {
				way = at.URL + " " + way
			}
		}
		switch {
		case marks[v.URL] == protocol.Useful:
			count["+ "+way]++
		case followed[id] || id == open:
		case marks[v.URL] == protocol.NotUseful || !usefulBefore:
			count["- "+way]++
		}
	}
	return count
}

// TestRandomPaths checks the paths of random sessions against a count by hand, and what must hold for every path.
func TestRandomPaths(t *testing.T) {
	effort.Long(t)
	var positives, negatives, below int
	for seed := range uint64(150) {
		events := wandered(t, rand.New(rand.NewPCG(seed, 13)))
		recs, err := session.Fold(events)
		if err != nil {
			t.Fatal(err)
		}
		paths := mustPaths(t, recs, nil, nil)
		got := map[string]float64{}
		for _, p := range paths {
			if p.Kind == ways.Graph {
				checkShortest(t, p, paths)
				continue
			}
			sign := "-"
			if p.Positive {
				sign = "+"
				positives++
			} else {
				negatives++
			}
			for i, s := range p.Steps {
				sign += " " + s.URL
				if i > 0 && (s.Position < 0 || s.Anchor != "to "+strings.TrimPrefix(s.URL, sessiontest.Host)) {
					t.Errorf("seed %d: link %d %q to %s", seed, s.Position, s.Anchor, s.URL)
				}
				if s.Hop == 0 && i < len(p.Steps)-1 && !p.Positive {
					below++
				}
			}
			if last := p.Steps[len(p.Steps)-1]; (last.Hop == 0) != p.Positive {
				t.Errorf("seed %d: %s ends %d links from a useful page", seed, short(p), last.Hop)
			}
			got[sign] = p.Count
		}
		if want := byHand(events); !maps.Equal(got, want) {
			t.Fatalf("seed %d: got %v\nwant %v", seed, got, want)
		}
	}
	if positives < 200 || negatives < 200 || below == 0 {
		t.Errorf("%d positive and %d negative paths, %d useful pages on negative ones: too few to tell", positives, negatives, below)
	}
}

// checkShortest checks that an added path is not longer than a way that was walked to the same page from the same one.
func checkShortest(t *testing.T, added ways.Path, paths []ways.Path) {
	t.Helper()
	first, last := added.Steps[0].URL, added.Steps[len(added.Steps)-1].URL
	for _, p := range paths {
		at := slices.IndexFunc(p.Steps, func(s ways.Step) bool { return s.URL == first })
		if p.Positive && p.Steps[len(p.Steps)-1].URL == last && at >= 0 && len(p.Steps)-at < len(added.Steps) {
			t.Errorf("%s is longer than %s", short(added), short(p))
		}
	}
	for _, s := range added.Steps[1:] {
		if s.Position < 0 {
			t.Errorf("%s: no link to %s", short(added), s.URL)
		}
	}
}
