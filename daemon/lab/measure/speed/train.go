package speed

import (
	"context"
	"os"
	"time"

	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/lab/farm"
	"nightjar/model"
	"nightjar/model/webgraph"
)

// Pages that the model is trained on.
const (
	trainTargets = 20
	trainOthers  = 120
	trainFar     = 100 // background pages
)

// lastEvent dates the session.
var lastEvent = time.Date(2026, time.March, 1, 9, 0, 0, 0, time.UTC)

// trainSpec says what to train on and where to write the model.
type trainSpec struct {
	Options farm.Options `json:"options"`
	Bundle  string       `json:"bundle"`
}

// train trains a model on pages of the farm, as if a person had looked for the farm's topic, and writes it to a file.
func train(ctx context.Context, spec *trainSpec) (none struct{}, err error) {
	f, err := farm.Open(spec.Options)
	if err != nil {
		return none, err
	}
	defer f.Close()
	b, err := model.Train(ctx, trainingSet(f), model.DefaultSettings(), func(model.Progress) {})
	if err != nil {
		return none, err
	}
	bundle, err := b.Encode()
	if err != nil {
		return none, err
	}
	return none, os.WriteFile(spec.Bundle, bundle, 0o600)
}

// trainingSet makes a session of the farm's pages: pages about the topic are useful; other pages, taken at even distances,
// are the rest of the session and the background.
func trainingSet(f *farm.Farm) model.TrainingSet {
	var useful, others []string
	for _, url := range f.Pages() {
		if f.Relevant(url) {
			useful = append(useful, url)
		} else {
			others = append(others, url)
		}
	}
	far := spread(others, trainOthers+trainFar)
	near := far[:min(trainOthers, len(far))]
	var loads []webgraph.Load
	for _, url := range append(spread(useful, trainTargets), near...) {
		if l, ok := devtool.Load(url, f.HTML(url)); ok {
			l.Target = f.Relevant(url)
			loads = append(loads, l)
		}
	}
	set := model.FromGraph(f.Topic(), webgraph.Build(loads), lastEvent)
	for _, url := range far[len(near):] {
		if l, ok := devtool.Load(url, f.HTML(url)); ok {
			set.Background = append(set.Background, l.Text)
		}
	}
	return set
}

// spread takes n elements of a list at even distances, interleaved so that every prefix is spread as well.
func spread(list []string, n int) []string {
	n = min(n, len(list))
	taken := make([]string, 0, n)
	const lanes = 7
	for lane := range lanes {
		for i := lane; i < n; i += lanes {
			taken = append(taken, list[i*len(list)/n])
		}
	}
	return taken
}
