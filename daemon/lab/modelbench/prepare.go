package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"nightjar/daemon/lab/devtool"
	"nightjar/model"
	"nightjar/model/webgraph"
)

// lastEvent dates every session.
var lastEvent = time.Date(2026, time.March, 1, 9, 0, 0, 0, time.UTC)

// prepareVerb writes a session file for each size. Its argument is the options as JSON, and the folder.
func prepareVerb(ctx context.Context, args []string, stdout io.Writer) error {
	var o options
	if len(args) != 2 {
		return fmt.Errorf("%w: prepare OPTIONS DIR", devtool.ErrUsage)
	}
	if err := json.Unmarshal([]byte(args[0]), &o); err != nil {
		return err
	}
	if o.Corpora != "" {
		return prepareReal(ctx, &o, args[1])
	}
	return prepareMade(&o, args[1])
}

// prepareMade makes sessions up. The pages of the background are of another seed, which has other topics.
func prepareMade(o *options, dir string) error {
	for _, size := range o.Sizes {
		pages := newMaker(o.Seed).site(size + o.Scored)
		s := &sample{Set: trainingSet("Made up", pages[:size]), Scored: pages[size:]}
		for _, d := range newMaker(o.Seed + 1).site(o.Background) {
			s.Set.Background = append(s.Set.Background, d.text())
		}
		if err := s.save(dir, size); err != nil {
			return err
		}
	}
	return nil
}

// trainingSet makes a training set of pages as if all of them had been visited.
func trainingSet(topic string, pages []document) model.TrainingSet {
	var loads []webgraph.Load
	for _, d := range pages {
		if l, ok := loadOf(d); ok {
			loads = append(loads, l)
		}
	}
	return model.FromGraph(topic, webgraph.Build(loads), lastEvent)
}
