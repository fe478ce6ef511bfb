package models

import (
	"encoding/json"
	"os"
	"time"

	"nightjar/daemon/lab/devtool"
	"nightjar/model"
	"nightjar/model/webgraph"
)

// lastEvent dates every session.
var lastEvent = time.Date(2026, time.March, 1, 9, 0, 0, 0, time.UTC)

// document is a fetched page.
type document struct {
	URL    string
	HTML   []byte // UTF-8
	Target bool
}

// madeUp makes up a session. The background is made with another seed, which has other topics.
func madeUp(o *options, size int) model.TrainingSet {
	set := trainingSet("Made up", newMaker(o.Seed).site(size))
	for _, d := range newMaker(o.Seed + 1).site(o.Background) {
		l, _ := devtool.Load(d.URL, d.HTML)
		set.Background = append(set.Background, l.Text)
	}
	return set
}

// trainingSet makes a training set as if all pages had been visited.
func trainingSet(topic string, pages []document) model.TrainingSet {
	var loads []webgraph.Load
	for _, d := range pages {
		if l, ok := devtool.Load(d.URL, d.HTML); ok {
			l.Target = d.Target
			loads = append(loads, l)
		}
	}
	return model.FromGraph(topic, webgraph.Build(loads), lastEvent)
}

// pageLine is a page as sklearn_baseline.py reads it.
type pageLine struct {
	Text       string `json:"text"`
	State      int    `json:"state"`
	Target     bool   `json:"target"`
	Background bool   `json:"background"`
}

// saveTexts writes a training's pages, with the states that the model gave them, for the baseline.
func saveTexts(name string, set model.TrainingSet, b *model.Bundle) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // for the early returns; the Close that counts is the last
	out := json.NewEncoder(f)
	for i, p := range set.Pages {
		if err := out.Encode(pageLine{Text: p.Text, State: b.Pages[i].State, Target: p.Target}); err != nil {
			return err
		}
	}
	for _, text := range set.Background {
		if err := out.Encode(pageLine{Text: text, Background: true}); err != nil {
			return err
		}
	}
	return f.Close()
}
