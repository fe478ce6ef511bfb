package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"time"

	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
	"nightjar/daemon/machine"
	"nightjar/model"
)

// scoreVerb scores pages with the model that measure wrote, and prints what it took as JSON. Its arguments are those of
// measure.
func scoreVerb(args []string, stdout io.Writer) error {
	_, dir, size, err := innerArgs(args)
	if err != nil {
		return err
	}
	pages, err := readGob[[]document](scoredFile(dir, size))
	if err != nil {
		return err
	}
	raw, err := os.ReadFile(bundleFile(dir, size))
	if err != nil {
		return err
	}
	s, err := score(raw, pages)
	if err != nil {
		return err
	}
	return json.NewEncoder(stdout).Encode(s)
}

// score reads fetched pages as a crawl does: parse, then let the strategy fold in, classify, filter, judge and give each
// link its priority. Every page is reached from the one before it, so that all but the first carry a path's state.
func score(raw []byte, pages []document) (scoring, error) {
	if len(pages) == 0 {
		return scoring{}, errors.New("no page to score")
	}
	ctx, began := context.Background(), time.Now()
	b, err := model.Decode(raw)
	if err != nil {
		return scoring{}, err
	}
	b.Observe("words make the model index its vocabulary")
	s := scoring{Load: milliseconds(time.Since(began)), Pages: len(pages)}
	s.Against = strategy.Best
	crawl, err := strategy.New(ctx, s.Against, b)
	if err != nil {
		return scoring{}, err
	}
	var parse, judge, total, cpu, size []float64
	var path []byte
	for i, d := range slices.Concat(pages[:min(warmUp, len(pages))], pages) {
		began, spent := time.Now(), machine.CPUTime()
		p, err := page.Parse(d.URL, page.ContentUTF8, d.HTML)
		parsed := time.Now()
		if err != nil {
			return scoring{}, err
		}
		j, err := crawl.Read(ctx, strategy.Visit{Page: p, Start: i == 0, Parent: path})
		if err != nil {
			return scoring{}, err
		}
		path = j.Path
		judged, spent := time.Now(), machine.CPUTime()-spent
		if i < min(warmUp, len(pages)) {
			continue
		}
		parse = append(parse, milliseconds(parsed.Sub(began)))
		judge = append(judge, milliseconds(judged.Sub(parsed)))
		total = append(total, milliseconds(judged.Sub(began)))
		cpu = append(cpu, milliseconds(spent))
		size = append(size, float64(len(d.HTML)))
	}
	s.Parse, s.Judge, s.Total, s.CPU = quantiles(parse), quantiles(judge), quantiles(total), quantiles(cpu)
	s.Bytes = int(quantiles(size).Median)
	return s, nil
}

// warmUp is how many pages are read before the clock runs.
const warmUp = 20

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// quantiles are the nearest-rank quantiles of x, which is not empty and is sorted in place.
func quantiles(x []float64) quantile {
	slices.Sort(x)
	return quantile{Median: x[(len(x)-1)/2], P95: x[(len(x)*95+99)/100-1]}
}
