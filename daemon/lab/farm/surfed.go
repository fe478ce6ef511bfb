package farm

import (
	"slices"
	"time"

	"nightjar/daemon/lab/devtool"
	"nightjar/model"
	"nightjar/model/webgraph"
)

// Surfed is what a person would train on who visited so many pages breadth-first from some front pages, and marked those about
// the topic useful.
func (f *Farm) Surfed(pages int) model.TrainingSet {
	seen := map[string]bool{}
	var loads []webgraph.Load
	for next := slices.Clone(f.Starts()[:5]); len(next) > 0 && len(loads) < pages; next = next[1:] {
		l, ok := devtool.Load(next[0], f.HTML(next[0]))
		if !ok || seen[l.URL] {
			continue
		}
		seen[l.URL], l.Target = true, f.Relevant(l.URL)
		loads = append(loads, l)
		for _, link := range l.Links[:min(8, len(l.Links))] {
			next = append(next, link.URL)
		}
	}
	return model.FromGraph(f.Topic(), webgraph.Build(loads), time.Unix(1, 0))
}
