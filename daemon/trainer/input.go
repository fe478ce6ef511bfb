package trainer

import (
	"context"
	"fmt"
	"time"

	"nightjar/crawler/page"
	"nightjar/daemon/recording"
	"nightjar/daemon/store"
	"nightjar/model"
	"nightjar/model/webgraph"
)

// input is all that a topic's training knows.
type input struct {
	set      model.TrainingSet
	sessions []string
	entries  []string // pages where the sessions began
	feedback int64
}

// read gathers a topic's submitted sessions and the marks on its finds.
func (t *Trainer) read(ctx context.Context, topic store.Topic) (*input, error) {
	sessions, err := t.store.TopicSessions(ctx, topic.ID)
	if err != nil {
		return nil, err
	}
	in := &input{}
	for _, s := range sessions {
		in.sessions = append(in.sessions, s.UUID)
	}
	events, err := t.store.TopicEvents(ctx, topic.ID)
	if err != nil {
		return nil, err
	}
	recs, err := recording.Fold(events)
	if err != nil {
		return nil, err
	}
	for _, r := range recs {
		in.entries = append(in.entries, r.EntryPages()...)
	}
	marked, err := t.store.MarkedFinds(ctx, topic.ID)
	if err != nil {
		return nil, err
	}
	if in.feedback, err = t.store.LastFeedback(ctx, topic.ID); err != nil {
		return nil, err
	}
	in.set = Set(topic.Name, recs, marked)
	return in, nil
}

// Set makes a training set of recorded sessions and of finds that were marked: their union is one web graph
// ([HMM] §2.1, §6). A find marked Useful is a target and brings the pages and links of its trail; one marked Not
// useful is a page that is no target.
func Set(topic string, recs []*recording.Recording, marked []store.MarkedFind) model.TrainingSet {
	var loads []webgraph.Load
	var last time.Time
	for _, r := range recs {
		loads = append(loads, r.Loads()...)
		if r.LastEvent.After(last) {
			last = r.LastEvent
		}
	}
	for _, find := range marked {
		loads = append(loads, findLoads(find)...)
		if find.At.After(last) {
			last = find.At
		}
	}
	return model.FromGraph(topic, webgraph.Build(loads), last)
}

// findLoads are the page loads that a marked find adds: the find itself and, when it is useful, its trail.
func findLoads(find store.MarkedFind) []webgraph.Load {
	steps := find.Trail
	if !find.Useful {
		steps = steps[max(0, len(steps)-1):]
	}
	var loads []webgraph.Load
	for i, step := range steps {
		p, err := page.Parse(step.URL, "text/html; charset=utf-8", step.HTML)
		if err != nil {
			continue // a page that cannot be read teaches nothing
		}
		load := webgraph.Load{
			ID: fmt.Sprintf("find %d step %d", find.ID, i), URL: step.URL, Site: page.Site(step.URL),
			Title: p.Title, Text: p.Text, Target: find.Useful && i == len(steps)-1,
		}
		for _, l := range p.Links {
			load.Links = append(load.Links, webgraph.Link{URL: l.URL, Anchor: l.Anchor})
		}
		if i > 0 {
			load.From = fmt.Sprintf("find %d step %d", find.ID, i-1)
		}
		loads = append(loads, load)
	}
	return loads
}
