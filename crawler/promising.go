package crawler

import (
	"math/rand/v2"

	"nightjar/crawler/frontier"
	"nightjar/crawler/promise"
	"nightjar/crawler/strategy"
)

const (
	lookEvery = 10    // pages of budget between two estimates of what the next pages promise
	lookedAt  = 1_000 // waiting links whose chances are added up for what the whole queue holds
	untold    = -1    // Fetch.Chance when the strategy can tell nothing
)

// promising tells a crawl when the next pages promise too little. See package promise for the estimate.
type promising struct {
	o          *Options
	foreteller strategy.Foreteller // nil when the strategy cannot tell what links promise
	frontier   *frontier.Frontier
	network    *network
	meter      *meter
	harvest    *promise.Harvest
	last       promise.Estimate
	due        bool // last is an estimate of now
}

func newPromising(s strategy.Strategy, c *Crawl) *promising {
	p := &promising{o: &c.o, frontier: c.frontier, network: c.network, meter: c.meter, harvest: promise.NewHarvest()}
	p.foreteller, _ = s.(strategy.Foreteller)
	return p
}

// chance is the probability that the strategy gives a link to lead to a useful page, or untold.
func (p *promising) chance(e *frontier.Entry) float64 {
	if p.foreteller != nil && len(e.Note) > 0 {
		if chance, ok := p.foreteller.Chance(e.URL, e.Note); ok {
			return chance
		}
	}
	return untold
}

// add counts a fetch and, when it is time, estimates what the next pages promise.
func (p *promising) add(f *Fetch) {
	if f.Cost == 0 || f.Look != nil { // looks say nothing of the links that wait
		return
	}
	if f.Page != nil && f.Credit && f.NoFind == "" && !(p.o.Known != nil && p.o.Known(f)) {
		f.Brought = f.Judgement.Useful // also of pages that are no finds: the judge may be unsure of all
	}
	p.harvest.Add(promise.Page{N: f.N, Brought: f.Brought, Chance: f.Chance})
	if p.look() {
		next := p.last.Next // which the next look replaces, maybe before this page is stored
		f.Promised = &next
	}
}

// look estimates what the next pages promise, if it is time.
func (p *promising) look() bool {
	n := p.meter.totals.Fetched
	p.due = (p.o.StopBelow > 0 || p.o.OnEstimate != nil) && n > 0 && n%lookEvery == 0
	if !p.due {
		return false
	}
	p.last = p.harvest.Estimate(n, p.queue())
	if p.o.OnEstimate != nil {
		p.o.OnEstimate(p.last)
	}
	return true
}

// queue sums up what the waiting links promise.
func (p *promising) queue() (q promise.Queue) {
	q.Links = p.frontier.Len()
	p.frontier.Best(promise.Ahead, func(e *frontier.Entry) {
		if e.Depth == 0 {
			q.Starts++
		}
		q.Best += max(0, p.chance(e))
	})
	random := rand.New(rand.NewPCG(uint64(p.meter.totals.Fetched), uint64(q.Links)))
	seen := 0
	p.frontier.Sample(lookedAt, random, func(e *frontier.Entry) {
		seen++
		q.All += max(0, p.chance(e))
	})
	if seen > 0 {
		q.All *= float64(q.Links) / float64(seen)
	}
	q.Told = p.foreteller != nil
	return q
}

// poor reports whether the crawl should end because the next pages promise too little. While it is not clear whether the
// network works, nothing is: the pages that it withholds count for nothing yet.
func (p *promising) poor() bool {
	return p.o.StopBelow > 0 && p.last.Below(p.o.StopBelow) && p.network.settled()
}
