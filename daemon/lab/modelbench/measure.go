package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"

	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/machine"
	"nightjar/model"
)

// textsFile is where measure leaves the pages for the baseline.
const textsFile = "texts.jsonl"

// measureVerb trains one session, writes the model, and prints what it took as JSON. Its arguments are the options as
// JSON, the folder, and the size.
func measureVerb(ctx context.Context, args []string, stdout io.Writer) error {
	o, dir, size, err := innerArgs(args)
	if err != nil {
		return err
	}
	set, err := readGob[model.TrainingSet](setFile(dir, size))
	if err != nil {
		return err
	}
	m, b, err := measure(ctx, o, set)
	if err != nil {
		return err
	}
	raw, err := b.Encode()
	if err != nil {
		return err
	}
	m.Size, m.Bundle = size, len(raw)
	if err := os.WriteFile(bundleFile(dir, size), raw, 0o600); err != nil {
		return err
	}
	if o.Sklearn {
		if err := saveTexts(filepath.Join(dir, textsFile), set, b); err != nil {
			return err
		}
	}
	return json.NewEncoder(stdout).Encode(m)
}

// innerArgs reads the arguments of measure and score.
func innerArgs(args []string) (o *options, dir string, size int, err error) {
	if len(args) != 3 {
		return nil, "", 0, fmt.Errorf("%w: OPTIONS DIR SIZE", devtool.ErrUsage)
	}
	o = new(options)
	size, err = strconv.Atoi(args[2])
	return o, args[1], size, errors.Join(err, json.Unmarshal([]byte(args[0]), o))
}

// measure trains.
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
