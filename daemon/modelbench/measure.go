package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"

	"nightjar/daemon/peakrss"
	"nightjar/model"
)

// textsFile is where measure leaves the pages for the baseline.
const textsFile = "texts.jsonl"

// measureVerb trains one session, scores pages with the model, and prints what it took as JSON. Its arguments are the
// options as JSON, the folder, and the size.
func measureVerb(ctx context.Context, args []string, stdout io.Writer) error {
	var o options
	if len(args) != 3 {
		return fmt.Errorf("%w: measure OPTIONS DIR SIZE", errUsage)
	}
	size, err := parseSizes(args[2])
	if err = errors.Join(err, json.Unmarshal([]byte(args[0]), &o)); err != nil {
		return err
	}
	s, err := readSession(sessionFile(args[1], size[0]))
	if err != nil {
		return err
	}
	m, b, err := measure(ctx, &o, s)
	if err != nil {
		return err
	}
	m.Size = size[0]
	if o.Sklearn {
		if err := saveTexts(filepath.Join(args[1], textsFile), s.Set, b); err != nil {
			return err
		}
	}
	return json.NewEncoder(stdout).Encode(m)
}

// measure trains and scores.
func measure(ctx context.Context, o *options, s *session) (*measured, *model.Bundle, error) {
	debug.FreeOSMemory()
	peakrss.Reset()
	m := &measured{Base: peakrss.Bytes(), Background: len(s.Set.Background)}
	settings := model.DefaultSettings()
	settings.Seed = o.Seed
	b, err := m.train(ctx, o, s.Set, settings)
	if err != nil {
		return nil, nil, err
	}
	f := b.Facts
	m.Pages, m.Targets, m.Edges, m.Terms, m.Rank, m.Clusters, m.Features = f.Pages, f.Targets, f.Edges, f.Terms, f.Rank, f.Clusters, f.Features
	raw, err := b.Encode()
	if err != nil {
		return nil, nil, err
	}
	m.Bundle = len(raw)
	if m.Scoring, err = score(raw, s.Scored); err != nil {
		return nil, nil, err
	}
	return m, b, nil
}

// train trains, and makes the report when that is asked for.
func (m *measured) train(ctx context.Context, o *options, set model.TrainingSet, settings model.Settings) (*model.Bundle, error) {
	c := newClock()
	t, err := model.Learn(ctx, set, settings, func(p model.Progress) { c.reach(p.Stage) })
	if err != nil {
		return nil, err
	}
	m.Stages, m.Seconds, m.Peak = c.end()
	if !o.Report {
		return t.Bundle(), nil
	}
	*c = *newClock()
	r, err := t.Assess(ctx)
	if err != nil {
		return nil, err
	}
	var peak int64
	m.Report, m.ReportSeconds, peak = c.end()
	m.Folds, m.Peak = r.Folds, max(m.Peak, peak)
	return t.Bundle(), nil
}
