package models

import (
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/machine"
	"nightjar/model"
)

// scoreSize scores pages with the model that measureSize wrote, and returns the cost.
func scoreSize(ctx context.Context, j *job) (scoring, error) {
	pages, err := readGob[[]document](scoredFile(j.Dir, j.Size))
	if err != nil {
		return scoring{}, err
	}
	raw, err := os.ReadFile(bundleFile(j.Dir, j.Size))
	if err != nil {
		return scoring{}, err
	}
	return score(ctx, raw, pages)
}

// score reads fetched pages as a crawl does: it parses each and has the strategy fold it in, filter and judge it, and give
// each link a priority. Every page but the first is reached from the one before, so that it carries a path state.
func score(ctx context.Context, raw []byte, pages []document) (scoring, error) {
	if len(pages) == 0 {
		return scoring{}, errors.New("no page to score")
	}
	began := time.Now()
	b, err := model.Decode(raw)
	if err != nil {
		return scoring{}, err
	}
	b.Observe("a text makes the model index its vocabulary")
	s := scoring{Load: devtool.Milliseconds(time.Since(began)), Pages: len(pages)}
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
		parse = append(parse, devtool.Milliseconds(parsed.Sub(began)))
		judge = append(judge, devtool.Milliseconds(judged.Sub(parsed)))
		total = append(total, devtool.Milliseconds(judged.Sub(began)))
		cpu = append(cpu, devtool.Milliseconds(spent))
		size = append(size, float64(len(d.HTML)))
	}
	s.Parse, s.Judge, s.Total, s.CPU = quantiles(parse), quantiles(judge), quantiles(total), quantiles(cpu)
	s.Bytes = int(quantiles(size).Median)
	return s, nil
}

// warmUp is how many pages are read before the measurement.
const warmUp = 20

// quantiles are the nearest-rank quantiles of x, which is not empty and is sorted in place.
func quantiles(x []float64) quantile {
	slices.Sort(x)
	return quantile{Median: x[(len(x)-1)/2], P95: x[(len(x)*95+99)/100-1]}
}
