package models

import (
	"context"
	"time"

	"nightjar/model"
	"nightjar/model/webgraph"
)

// lastEvent dates every session.
var lastEvent = time.Date(2026, time.March, 1, 9, 0, 0, 0, time.UTC)

// prepare writes the files of a session for each size.
func prepare(ctx context.Context, j *job) (none struct{}, err error) {
	if j.Options.Corpora != "" {
		return none, prepareRecorded(ctx, j.Options, j.Dir)
	}
	return none, prepareMadeUp(j.Options, j.Dir)
}

// prepareMadeUp makes up sessions. The background is made with another seed, which has other topics.
func prepareMadeUp(o *options, dir string) error {
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

// trainingSet makes a training set as if all pages had been visited.
func trainingSet(topic string, pages []document) model.TrainingSet {
	var loads []webgraph.Load
	for _, d := range pages {
		if l, ok := loadOf(d); ok {
			loads = append(loads, l)
		}
	}
	return model.FromGraph(topic, webgraph.Build(loads), lastEvent)
}
