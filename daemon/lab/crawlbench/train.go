package main

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"time"

	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
	"nightjar/daemon/lab/farm"
	"nightjar/daemon/session"
	"nightjar/model"
	"nightjar/model/webgraph"
)

// What the model is trained on.
const (
	trainTargets = 20
	trainOthers  = 120
	trainFar     = 100 // pages of the background
)

// lastEvent dates the session.
var lastEvent = time.Date(2026, time.March, 1, 9, 0, 0, 0, time.UTC)

// trainSpec says what to train on and where to put the model.
type trainSpec struct {
	Options farm.Options `json:"options"`
	Bundle  string       `json:"bundle"`
}

// trainVerb trains a model on some pages of the farm, as a person would have who looked at the farm's topic, and writes
// it to a file.
func trainVerb(ctx context.Context, raw string, _ io.Reader, _ io.Writer) error {
	var spec trainSpec
	if err := json.Unmarshal([]byte(raw), &spec); err != nil {
		return err
	}
	f, err := farm.Open(spec.Options)
	if err != nil {
		return err
	}
	defer f.Close()
	b, err := model.Train(ctx, trainingSet(f), model.DefaultSettings(), func(model.Progress) {})
	if err != nil {
		return err
	}
	bundle, err := b.Encode()
	if err != nil {
		return err
	}
	return os.WriteFile(spec.Bundle, bundle, 0o600)
}

// trainingSet makes a session of pages of the farm: those about the topic are its useful ones, and pages at even distances
// the others and the background.
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
	for _, url := range spread(useful, trainTargets) {
		if l, ok := loadOf(f, url); ok {
			l.Target = true
			loads = append(loads, l)
		}
	}
	for _, url := range near {
		if l, ok := loadOf(f, url); ok {
			loads = append(loads, l)
		}
	}
	set := model.FromGraph(f.Topic(), webgraph.Build(loads), lastEvent)
	for _, url := range far[len(near):] {
		if l, ok := loadOf(f, url); ok {
			set.Background = append(set.Background, l.Text)
		}
	}
	return set
}

// spread takes n of a list at even distances, shuffled by interleaving so that a beginning of them is spread as well.
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

func loadOf(f *farm.Farm, url string) (webgraph.Load, bool) {
	p, err := page.Parse(url, page.ContentUTF8, f.HTML(url))
	if err != nil {
		return webgraph.Load{}, false
	}
	l := webgraph.Load{ID: url, URL: url, Site: weburl.Site(url), Title: p.Title, Text: p.Text}
	for _, link := range p.Links {
		l.Links = append(l.Links, session.LinkOf(link))
	}
	return l, true
}
