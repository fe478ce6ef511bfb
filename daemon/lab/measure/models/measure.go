package models

import (
	"context"
	"path/filepath"
	"runtime/debug"

	"nightjar/daemon/machine"
	"nightjar/model"
)

// textsFile is the file with the pages for the baseline.
const textsFile = "texts.jsonl"

// measureSize trains one session, writes its pages for the baseline, and returns what the training cost.
func measureSize(ctx context.Context, j *job) (*measured, error) {
	set := madeUp(j.Options, j.Size)
	m, b, err := measure(ctx, j.Options, set)
	if err != nil {
		return nil, err
	}
	raw, err := b.Encode()
	if err != nil {
		return nil, err
	}
	m.Size, m.Bundle = j.Size, len(raw)
	if j.Options.Sklearn {
		err = saveTexts(filepath.Join(j.Dir, textsFile), set, b)
	}
	return m, err
}

// measure trains a model and measures that.
func measure(ctx context.Context, o *options, set model.TrainingSet) (*measured, *model.Bundle, error) {
	debug.FreeOSMemory()
	machine.ResetPeakMemory()
	m := &measured{Base: machine.PeakMemory(), Background: len(set.Background)}
	settings := model.DefaultSettings()
	settings.Seed = o.Seed
	b, err := m.train(ctx, o, set, settings)
	if err != nil {
		return nil, nil, err
	}
	f := b.Facts
	m.Pages, m.Targets, m.Edges, m.Terms, m.Rank, m.Clusters, m.Features = f.Pages, f.Targets, f.Edges, f.Terms, f.Rank, f.Clusters, f.Features
	return m, b, nil
}

// train trains a model and, if o.Assess is set, makes its report.
func (m *measured) train(ctx context.Context, o *options, set model.TrainingSet, settings model.Settings) (*model.Bundle, error) {
	c := newClock()
	t, err := model.Learn(ctx, set, settings, func(p model.Progress) { c.reach(p.Stage) })
	if err != nil {
		return nil, err
	}
	m.Stages, m.Seconds, m.Peak = c.end()
	if !o.Assess {
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
