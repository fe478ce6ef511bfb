package speed

import (
	"fmt"
	"slices"

	"nightjar/daemon/lab/devtool"
)

// The aims.
const (
	leastOfBare   = 0.5       // pages a second, relative to the bare loop's
	leastOfColly  = 1         // the same, relative to Colly's
	mostOfColly   = 1         // processor time a page, relative to Colly's
	maxMemory     = 512 << 20 // bytes, of the pipeline and of a frontier of a million links
	maxPop        = 1         // milliseconds, at the 99th percentile
	leastOfTwo    = 1.7       // pages a second of two workers, relative to one, on the processors of two machines
	mostOfAlone   = 0.6       // processor time a page of the daemon with workers, relative to none: then two machines do 1.7 times as much
	maxAdded      = 10        // milliseconds that a worker adds to a page
	maxHand       = 256 << 20 // bytes, of a worker
	leastOfPolite = 0.95      // relative to the rate that the delays allow
)

// result is everything that was measured, as --json prints it.
type result struct {
	Command   string `json:"command"`
	Date      string `json:"date"`
	Machine   string `json:"machine"`
	Go        string `json:"go"`
	Cores     int    `json:"cores"`
	Workers   int    `json:"workers"`
	Seed      uint64 `json:"seed"`
	Source    string `json:"source"` // "corpora" or "generated"
	Hosts     int    `json:"hosts"`
	Pages     int    `json:"pages"`
	PageBytes int64  `json:"page_bytes"` // of HTML, on average

	Contenders []*contender    `json:"contenders"`
	Frontier   *frontierResult `json:"frontier,omitempty"`
	Polite     *politeResult   `json:"polite,omitempty"`
	Parts      []part          `json:"parts,omitempty"` // with --parts
	Crews      []*crewResult   `json:"crews,omitempty"`
	Aims       []devtool.Aim   `json:"aims"`
	Changes    []change        `json:"changes,omitempty"` // since the landed figures
}

// contender sums up one contender's runs: medians, but the largest memory and disk use.
type contender struct {
	Name    string     `json:"name"`
	Pages   int        `json:"pages"`
	Links   int        `json:"links"`
	Rate    float64    `json:"pages_per_second"`
	CPU     float64    `json:"cpu_ms_per_page"`
	Peak    int64      `json:"peak_bytes"`
	Kept    int64      `json:"kept_bytes"`
	OfBare  float64    `json:"rate_to_bare,omitempty"`
	OfColly float64    `json:"rate_to_colly,omitempty"`
	CPUBare float64    `json:"cpu_to_bare,omitempty"`
	CPUUs   float64    `json:"cpu_to_colly,omitempty"`
	Runs    []*crawled `json:"runs"`
}

// crewResult is a crawl with workers in processes of their own; 0 workers is this process alone.
type crewResult struct {
	Workers  int           `json:"workers"`
	Rate     float64       `json:"pages_per_second"`       // without delays
	CPU      float64       `json:"cpu_ms_per_page"`        // of the daemon
	HandCPU  float64       `json:"hand_ms_per_page"`       // of all workers
	HandPeak int64         `json:"hand_peak_bytes"`        // of the largest worker
	OfAlone  float64       `json:"cpu_to_alone,omitempty"` // CPU relative to a crawl without workers
	Parts    []part        `json:"parts,omitempty"`        // of CPU, with --parts
	Polite   *politeResult `json:"polite,omitempty"`       // with delays
	Added    float64       `json:"added_ms,omitempty"`     // with delays: to a page besides the fetch, median; see times
}

// politeResult is what a crawl with delays did, and what the server saw.
type politeResult struct {
	Hosts      int     `json:"hosts"`
	Delay      float64 `json:"delay_seconds"`
	Seconds    float64 `json:"seconds"` // after warmUp
	Pages      int     `json:"pages"`   // in that time
	Rate       float64 `json:"pages_per_second"`
	Possible   float64 `json:"possible_pages_per_second"`
	Share      float64 `json:"share"`
	CPU        float64 `json:"cpu_ms_per_page"`
	Peak       int64   `json:"peak_bytes"`
	Sooner     int     `json:"requests_too_soon"` // as the server saw them
	Overlapped int     `json:"requests_overlapping"`
	MinGap     float64 `json:"least_gap_seconds"` // between two requests to a host
}

func (c *crawled) rate() float64 { return float64(c.Pages) / max(c.Seconds, 1e-9) }

// cost is the processor time per page in milliseconds.
func (c *crawled) cost() float64 { return 1000 * c.CPU / float64(max(1, c.Pages)) }

// handCost is the processor time of all workers per page in milliseconds.
func (c *crawled) handCost() float64 { return 1000 * c.HandCPU / float64(max(1, c.Pages)) }

// crewOf sums up the runs of a number of workers; alone are those without any, by round.
func crewOf(n int, runs, alone []*crawled) *crewResult {
	m := middle(pipeline, runs)
	one := &crewResult{Workers: n, Rate: m.Rate, CPU: m.CPU}
	var hands, ratios []float64
	for i, r := range runs {
		hands = append(hands, r.handCost())
		one.HandPeak = max(one.HandPeak, r.HandPeak)
		if n > 0 && i < len(alone) {
			ratios = append(ratios, r.cost()/max(alone[i].cost(), 1e-9))
		}
	}
	one.HandCPU = median(hands)
	if len(ratios) > 0 {
		one.OfAlone = median(ratios)
	}
	return one
}

// middle sums up several runs.
func middle(name string, runs []*crawled) *contender {
	m := &contender{Name: name, Pages: runs[0].Pages, Links: runs[0].Links, Runs: runs}
	var rates, costs []float64
	for _, r := range runs {
		rates, costs = append(rates, r.rate()), append(costs, r.cost())
		m.Peak, m.Kept = max(m.Peak, r.Peak), max(m.Kept, r.Kept)
	}
	m.Rate, m.CPU = median(rates), median(costs)
	return m
}

func median(x []float64) float64 {
	slices.Sort(x)
	if n := len(x); n%2 == 0 {
		return (x[n/2-1] + x[n/2]) / 2
	}
	return x[len(x)/2]
}

func (r *result) contender(name string) *contender {
	i := slices.IndexFunc(r.Contenders, func(c *contender) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return r.Contenders[i]
}

// compare relates each contender to the bare loop and to Colly. It takes the median of the rounds' ratios, since other
// load on the machine affects all contenders of a round.
func (r *result) compare() {
	for _, c := range r.Contenders {
		c.OfBare, c.CPUBare = beside(c, r.contender(bare))
		c.OfColly, c.CPUUs = beside(c, r.contender(colly))
	}
}

func beside(c, other *contender) (rate, cpu float64) {
	if other == nil {
		return 0, 0
	}
	var rates, costs []float64
	for i := range c.Runs {
		rates = append(rates, c.Runs[i].rate()/other.Runs[i].rate())
		costs = append(costs, c.Runs[i].cost()/max(other.Runs[i].cost(), 1e-9))
	}
	return median(rates), median(costs)
}

// aims compares the measured values with the aims.
func (r *result) aims() (all []devtool.Aim) {
	least := func(what string, value, limit float64) { all = append(all, devtool.AtLeast(what, value, limit, "")) }
	most := func(what string, value, limit float64, unit string) {
		all = append(all, devtool.AtMost(what, value, limit, unit))
	}
	if c := r.contender(pipeline); c != nil {
		if r.contender(bare) != nil {
			least("pages a second, relative to the bare loop", c.OfBare, leastOfBare)
		}
		if r.contender(colly) != nil {
			least("pages a second, relative to Colly", c.OfColly, leastOfColly)
			most("CPU a page, relative to Colly", c.CPUUs, mostOfColly, "")
		}
		most("memory of the pipeline", devtool.MiB(c.Peak), maxMemory>>20, "MiB")
	}
	if f := r.Frontier; f != nil {
		most("memory with a full frontier", devtool.MiB(f.Peak), maxMemory>>20, "MiB")
		most("time to pop a link, 99th percentile", f.PopP99, maxPop, "ms")
	}
	if p := r.Polite; p != nil {
		least("polite crawl, relative to the possible rate", p.Share, leastOfPolite)
		most("polite crawl, requests too early or overlapping", float64(p.Sooner+p.Overlapped), 0, "")
	}
	return append(all, r.crewAims()...)
}

// crewAims are those of crawls with workers.
func (r *result) crewAims() (all []devtool.Aim) {
	at := func(n int) *crewResult {
		i := slices.IndexFunc(r.Crews, func(c *crewResult) bool { return c.Workers == n })
		if i < 0 {
			return nil
		}
		return r.Crews[i]
	}
	alone, one, two := at(0), at(1), at(2)
	if one != nil && two != nil {
		all = append(all, devtool.AtLeast("pages a second with two workers, relative to one", two.Rate/max(one.Rate, 1e-9), leastOfTwo, ""))
	}
	if alone != nil && one != nil && alone.Polite != nil && one.Polite != nil {
		all = append(all, devtool.AtMost("added to a page by a worker, median", one.Added-alone.Added, maxAdded, "ms"))
	}
	for _, c := range r.Crews {
		if c.OfAlone > 0 {
			all = append(all, devtool.AtMost(fmt.Sprintf("CPU a page of the daemon with %d workers, relative to none", c.Workers), c.OfAlone, mostOfAlone, ""))
		}
		if c.Workers > 0 && c.Polite != nil {
			all = append(all, devtool.AtLeast(fmt.Sprintf("polite crawl with %d workers, relative to the possible rate", c.Workers), c.Polite.Share, leastOfPolite, ""),
				devtool.AtMost(fmt.Sprintf("polite crawl with %d workers, requests too early or overlapping", c.Workers), float64(c.Polite.Sooner+c.Polite.Overlapped), 0, ""))
		}
		if c.Workers > 0 {
			all = append(all, devtool.AtMost(fmt.Sprintf("memory of one of %d workers", c.Workers), devtool.MiB(c.HandPeak), maxHand>>20, "MiB"))
		}
	}
	return all
}
