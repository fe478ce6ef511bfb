package speed

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"time"

	"nightjar/crawler/frontier"
	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/lab/farm"
	"nightjar/daemon/machine"
	"nightjar/model"
)

const (
	sampled    = 40     // pages whose links fill the frontier
	perPage    = 50     // links that each page adds once the frontier is full
	popped     = 20_000 // links that are then followed
	hostsPer   = 100    // links per host
	reordering = 3      // times that all links are reordered
)

// frontierSpec says how many links the frontier holds, and where model and pages come from.
type frontierSpec struct {
	Options farm.Options `json:"options"`
	Bundle  string       `json:"bundle"`
	Queued  int          `json:"queued"`
}

// frontierResult is what the frontier cost.
type frontierResult struct {
	Queued  int     `json:"queued"`
	Hosts   int     `json:"hosts"`
	Peak    int64   `json:"peak_bytes"` // of the whole process, with model and strategy
	PopP50  float64 `json:"pop_p50_ms"`
	PopP99  float64 `json:"pop_p99_ms"`
	PopMax  float64 `json:"pop_max_ms"`
	Page    float64 `json:"page_ms"`    // processor time to follow a link: pop, release, add a page's links
	Reorder float64 `json:"reorder_ms"` // processor time to reorder all links
	NoteAvg float64 `json:"note_bytes"` // average size of a strategy's note on a link
}

// measureFrontier fills a frontier with links that carry the default strategy's priorities, and follows some of them.
func measureFrontier(ctx context.Context, spec *frontierSpec) (*frontierResult, error) {
	s, samples, err := sampleLinks(ctx, spec)
	if err != nil {
		return nil, err
	}
	debug.FreeOSMemory() // the farm does not count
	machine.ResetPeakMemory()
	defer machine.HoldMemory()()
	r := &frontierResult{Queued: spec.Queued, Hosts: max(1, spec.Queued/hostsPer)}
	f := frontier.New(spec.Queued, func(string) time.Time { return time.Time{} })
	g := &linkMaker{samples: samples, hosts: r.Hosts, rng: rand.New(rand.NewPCG(spec.Options.Seed, 1))}
	for f.Len() < spec.Queued {
		e := g.make()
		r.NoteAvg += float64(len(e.Note)) / float64(spec.Queued)
		f.Add(e)
	}
	r.follow(f, g)
	if l, ok := s.(strategy.Learner); ok {
		began := machine.CPUTime()
		for range reordering {
			f.Reorder(func(e *frontier.Entry) strategy.Priority { return l.Priority(e.URL, e.Note) })
		}
		r.Reorder = devtool.Milliseconds(machine.CPUTime()-began) / reordering
	}
	r.Peak = machine.PeakMemory()
	return r, nil
}

// follow pops and adds links in turns, as a crawl does.
func (r *frontierResult) follow(f *frontier.Frontier, g *linkMaker) {
	var took []float64
	began := machine.CPUTime()
	n := min(popped, r.Queued)
	for range n {
		start := time.Now()
		e, _, ok := f.Pop(start)
		took = append(took, devtool.Milliseconds(time.Since(start)))
		if !ok {
			break
		}
		f.Release(e.Host)
		for range perPage {
			f.Add(g.make())
		}
		f.Dropped()
	}
	r.Page = devtool.Milliseconds(machine.CPUTime()-began) / float64(n)
	slices.Sort(took)
	r.PopP50, r.PopP99, r.PopMax = took[len(took)/2], took[len(took)*99/100], took[len(took)-1]
}

// sampleLinks reads some pages of a farm as a crawl would, and returns their links with priorities.
func sampleLinks(ctx context.Context, spec *frontierSpec) (strategy.Strategy, []frontier.Entry, error) {
	raw, err := os.ReadFile(spec.Bundle)
	if err != nil {
		return nil, nil, err
	}
	b, err := model.Decode(raw)
	if err != nil {
		return nil, nil, err
	}
	s, err := strategy.New(ctx, strategy.Best, b)
	if err != nil {
		return nil, nil, err
	}
	f, err := farm.Open(spec.Options)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	var samples []frontier.Entry
	for _, url := range spread(f.Pages(), sampled) {
		p, err := page.Parse(url, page.ContentUTF8, f.HTML(url))
		if err != nil {
			continue
		}
		j, err := s.Read(ctx, strategy.Visit{Page: p, URL: url, Start: true})
		if err != nil {
			return nil, nil, err
		}
		for i, l := range p.Links {
			samples = append(samples, frontier.Entry{URL: l.URL, Anchor: l.Anchor, Priority: j.Priorities[i], Path: j.Path, Note: j.Notes[i]})
		}
	}
	if len(samples) == 0 {
		return nil, nil, fmt.Errorf("no page of the farm has links")
	}
	return s, samples, nil
}

// linkMaker makes links with distinct addresses. As in a crawl, address, anchor text and note do not share memory with
// other links.
type linkMaker struct {
	samples []frontier.Entry
	hosts   int
	made    int
	rng     *rand.Rand
}

func (g *linkMaker) make() frontier.Entry {
	e := g.samples[g.rng.IntN(len(g.samples))]
	g.made++
	e.Host = fmt.Sprintf("www.host%d.example", g.rng.IntN(g.hosts))
	e.URL = fmt.Sprintf("http://%s/department/people/page-%d.html", e.Host, g.made)
	e.Seq, e.Depth, e.Parent = int64(g.made), 3, g.made/perPage+1
	e.Anchor = string([]byte(e.Anchor))
	e.Note = slices.Clone(e.Note)
	e.Priority = slices.Clone(e.Priority)
	if len(e.Priority) > 0 {
		e.Priority[0] += int32(g.rng.IntN(1000))
	}
	return e
}
