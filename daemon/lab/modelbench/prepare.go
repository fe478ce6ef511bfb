package main

import (
	"context"
	"time"

	"nightjar/model"
	"nightjar/model/webgraph"
)

// lastEvent dates every session.
var lastEvent = time.Date(2026, time.March, 1, 9, 0, 0, 0, time.UTC)

// prepare makes up a session for each size and writes its files. The background is made with another seed, which has other
// topics.
func prepare(_ context.Context, j *job) (none struct{}, err error) {
	o := j.Options
	for _, size := range o.Sizes {
		pages := newMaker(o.Seed).site(size + o.Scored)
		s := &sample{Set: trainingSet("Made up", pages[:size]), Scored: pages[size:]}
		for _, d := range newMaker(o.Seed + 1).site(o.Background) {
			s.Set.Background = append(s.Set.Background, d.text())
		}
		if err := s.save(j.Dir, size); err != nil {
			return none, err
		}
	}
	return none, nil
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
