package bench

import (
	"math"
	"slices"
	"strings"

	"nightjar/crawler"
)

// Discovery says where a strategy loses relevant pages: because no link to them is found, because they wait in the queue, or
// because the budget goes elsewhere. Shares and quartiles are over the relevant pages in reach of all seeds together.
type Discovery struct {
	NeverSeen  float64   `json:"never_seen"`  // share to which no link was queued
	NotFetched float64   `json:"not_fetched"` // share of which a link was queued, but not followed
	Fetched    float64   `json:"fetched"`     // share
	FirstSeen  Quartiles `json:"first_seen"`  // of the seen pages: pages of budget until the first link was queued
	Wait       Quartiles `json:"wait"`        // of the fetched pages: pages of budget between that and the fetch
	Fruitless  float64   `json:"fruitless"`   // pages of budget spent in fruitless folders; mean over the seeds
}

// Quartiles are the lower quartile, the median and the upper quartile, as shares of the budget; zero without values.
type Quartiles [3]float64

// fruitless is the number of pages of budget from which on a folder without a relevant page counts as fruitless.
const fruitless = 15

// sighting is what became of a relevant page: the pages of budget used when the first link to it was queued, and those used
// before it was fetched; -1 for never. A start page is seen at 0.
type sighting struct {
	Seen    int `json:"seen"`
	Fetched int `json:"fetched"`
}

// tracker follows the relevant pages of a crawl.
type tracker struct {
	addresses map[string]string    // that lead to a relevant page -> its final URL
	pages     map[string]*sighting // by final URL
	folders   map[string]*folder
}

// folder is what the pages of a folder cost and brought.
type folder struct{ pages, hits int }

// newTracker begins a crawl from some start pages. A link counts by any of the addresses that lead to a page.
func newTracker(addresses map[string]string, starts []string) *tracker {
	t := &tracker{addresses: addresses, pages: make(map[string]*sighting), folders: make(map[string]*folder)}
	for _, url := range addresses {
		t.pages[url] = &sighting{-1, -1}
	}
	for _, start := range starts {
		t.see(start, 0)
	}
	return t
}

// see counts a link to an address, queued after n pages of budget.
func (t *tracker) see(address string, n int) {
	if page := t.pages[t.addresses[address]]; page != nil && page.Seen < 0 {
		page.Seen = n
	}
}

// add counts a fetch; hit says that it is a relevant page found for the first time.
func (t *tracker) add(f *crawler.Fetch, hit bool) {
	n := f.Totals.Fetched
	if page := t.pages[f.FinalURL]; hit && page != nil {
		t.see(f.FinalURL, n-f.Cost)
		page.Fetched = n - f.Cost
	}
	for _, e := range f.Queued {
		t.see(e.URL, n)
	}
	name := folderOf(f.FinalURL)
	at := t.folders[name]
	if at == nil {
		at = &folder{}
		t.folders[name] = at
	}
	at.pages += f.Cost
	if hit {
		at.hits++
	}
}

// folderOf is an address up to the last slash of its path.
func folderOf(url string) string {
	if i := strings.IndexAny(url, "?#"); i >= 0 {
		url = url[:i]
	}
	return url[:strings.LastIndexByte(url, '/')+1]
}

// sightings are those of all relevant pages in reach, in no particular order.
func (t *tracker) sightings() []sighting {
	all := make([]sighting, 0, len(t.pages))
	for _, page := range t.pages {
		all = append(all, *page)
	}
	return all
}

// fruitless is the number of pages of budget in folders that cost much and brought no relevant page.
func (t *tracker) fruitless() int {
	sum := 0
	for _, at := range t.folders {
		if at.pages >= fruitless && at.hits == 0 {
			sum += at.pages
		}
	}
	return sum
}

// discovery sums up the crawls of a strategy; nil for the oracle, which queues nothing.
func discovery(budget int, runs []*run) *Discovery {
	d := &Discovery{}
	var seen, waits []float64
	total := 0.0
	for _, run := range runs {
		for _, s := range run.Sightings {
			total++
			switch {
			case s.Fetched >= 0:
				d.Fetched++
				waits = append(waits, float64(s.Fetched-s.Seen)/float64(budget))
			case s.Seen >= 0:
				d.NotFetched++
			default:
				d.NeverSeen++
			}
			if s.Seen >= 0 {
				seen = append(seen, float64(s.Seen)/float64(budget))
			}
		}
		d.Fruitless += float64(run.Fruitless) / float64(len(runs))
	}
	if total == 0 {
		return nil
	}
	d.NeverSeen, d.NotFetched, d.Fetched = d.NeverSeen/total, d.NotFetched/total, d.Fetched/total
	d.FirstSeen, d.Wait = quartiles(seen), quartiles(waits)
	return d
}

// quartiles interpolates between the nearest values.
func quartiles(values []float64) (q Quartiles) {
	if len(values) == 0 {
		return q
	}
	slices.Sort(values)
	for k := range q {
		at := float64(k+1) / 4 * float64(len(values)-1)
		i := int(math.Floor(at))
		j := min(i+1, len(values)-1)
		q[k] = values[i] + (at-float64(i))*(values[j]-values[i])
	}
	return q
}
