package speed

import (
	"slices"

	"nightjar/daemon/lab/devtool"
)

// The aims.
const (
	leastOfBare   = 0.5       // pages a second, relative to the bare loop's
	leastOfColly  = 1         // the same, relative to Colly's
	mostOfColly   = 1         // processor time a page, relative to Colly's
	maxMemory     = 512 << 20 // bytes, of the pipeline
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

	Contenders []*contender  `json:"contenders"`
	Polite     *politeResult `json:"polite,omitempty"`
	Aims       []devtool.Aim `json:"aims"`
	Changes    []change      `json:"changes,omitempty"` // since the landed figures
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
	if p := r.Polite; p != nil {
		least("polite crawl, relative to the possible rate", p.Share, leastOfPolite)
		most("polite crawl, requests too early or overlapping", float64(p.Sooner+p.Overlapped), 0, "")
	}
	return all
}
