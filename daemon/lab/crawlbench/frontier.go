package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"time"

	"nightjar/crawler/frontier"
	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
	"nightjar/daemon/lab/farm"
	"nightjar/daemon/machine"
	"nightjar/model"
)

const (
	sampled    = 40     // pages whose links are what the frontier is filled with
	perPage    = 50     // links that a page brings after the frontier is full
	popped     = 20_000 // links that are followed then
	hostsPer   = 100    // links a host has
	reordering = 3      // times that all links are valued anew
)

// frontierSpec says how many links wait, and where a model and pages are from.
type frontierSpec struct {
	Options farm.Options `json:"options"`
	Bundle  string       `json:"bundle"`
	Queued  int          `json:"queued"`
}

// frontierResult is what the frontier took.
type frontierResult struct {
	Queued  int     `json:"queued"`
	Hosts   int     `json:"hosts"`
	Peak    int64   `json:"peak_bytes"` // of the whole process, model and strategy included
	PopP50  float64 `json:"pop_p50_ms"` //
	PopP99  float64 `json:"pop_p99_ms"` //
	PopMax  float64 `json:"pop_max_ms"` //
	Page    float64 `json:"page_ms"`    // processor time of following a link: pop, release, and the links of a page put in
	Reorder float64 `json:"reorder_ms"` // processor time of valuing all links anew
	NoteAvg float64 `json:"note_bytes"` // that the strategy leaves with a link
}

// frontierVerb fills a frontier with links as the default strategy values them, follows some of them, and measures that.
func frontierVerb(ctx context.Context, raw string, _ io.Reader, stdout io.Writer) error {
	var spec frontierSpec
	if err := json.Unmarshal([]byte(raw), &spec); err != nil {
		return err
	}
	s, samples, err := sampleLinks(ctx, &spec)
	if err != nil {
		return err
	}
	debug.FreeOSMemory() // the farm is no part of a crawl
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
		r.Reorder = milliseconds(machine.CPUTime()-began) / reordering
	}
	r.Peak = machine.PeakMemory()
	return json.NewEncoder(stdout).Encode(r)
}

// follow pops and puts in by turns, as a crawl does.
func (r *frontierResult) follow(f *frontier.Frontier, g *linkMaker) {
	var took []float64
	began := machine.CPUTime()
	n := min(popped, r.Queued)
	for range n {
		start := time.Now()
		e, _, ok := f.Pop(start)
		took = append(took, milliseconds(time.Since(start)))
		if !ok {
			break
		}
		f.Release(e.Host)
		for range perPage {
			f.Add(g.make())
		}
		f.Dropped()
	}
	r.Page = milliseconds(machine.CPUTime()-began) / float64(n)
	slices.Sort(took)
	r.PopP50, r.PopP99, r.PopMax = took[len(took)/2], took[len(took)*99/100], took[len(took)-1]
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// sampleLinks judges some pages of a farm as a crawl would.
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

// linkMaker makes links with addresses of their own, each with memory of its own as a crawl's have: its address is no
// part of another text, and so are its anchor text and its note.
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
