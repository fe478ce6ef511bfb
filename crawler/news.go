package crawler

import (
	"math"

	"nightjar/crawler/frontier"
	"nightjar/crawler/strategy"
)

// newsPriority returns the priority of a link that is tried because it is new on a page that was read before: after looks, before all
// other links.
func newsPriority() strategy.Priority { return strategy.Priority{math.MaxInt32 - 2} }

// isNews reports whether a link is tried because it is new.
func isNews(e *frontier.Entry) bool { return e.Priority.Compare(newsPriority()) == 0 }

// news counts the links of a page that was looked at again which the queue did not know. The best of them is followed next, however many
// links wait: where it leads says what further looks at the page are worth. Stored looks that are read again had their turn: otherwise
// each new model would have a link of every one of them followed before all others.
func (in *intake) news(f *Fetch, fresh []string) {
	if f.Look == nil {
		return
	}
	f.Look.News = len(fresh)
	if in.learning.rereads {
		return
	}
	best := frontier.Entry{Priority: strategy.LastPriority()}
	for _, url := range fresh {
		if e, waits := in.frontier.Entry(url); waits && e.Priority.Compare(best.Priority) > 0 {
			best = e
		}
	}
	if best.URL != "" {
		best.Priority = newsPriority()
		in.frontier.Add(best)
	}
}
