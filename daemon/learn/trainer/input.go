package trainer

import (
	"context"
	"fmt"
	"slices"
	"time"

	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/model"
	"nightjar/model/webgraph"
)

// input is everything that a topic's training learns from.
type input struct {
	set        model.TrainingSet
	recs       []*session.Session
	marked     []trainingdata.MarkedFind
	known      trainingdata.Known
	milestones map[string]string // names of pages, by canonical URL
	entries    []string          // proposed start pages
	background background
	sessions   []string // UUIDs, oldest first

	examples  trainingdata.Examples // positive pages of the topic's documents
	loads     []webgraph.Load       // pages that neither sessions nor finds have
	negatives []examplePage         // drawn for the classifier, with text
	noBayes   string                // why there is no classifier, in words; "" when there is one
}

// read collects the submitted sessions of a topic and of its members, the marks on their finds, the positive pages of their
// documents, and background pages. The same data and seed give the same input.
func (t *Trainer) read(ctx context.Context, topic topics.Topic, seed uint64) (*input, error) {
	in := &input{}
	all, err := sessions.OfTopic(ctx, t.Store.DB, topic.ID)
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		in.sessions = append(in.sessions, s.UUID)
	}
	in.known.Sessions = slices.Sorted(slices.Values(in.sessions))
	events, err := sessions.TopicEvents(ctx, t.Store.DB, topic.ID)
	if err != nil {
		return nil, err
	}
	recs, err := session.Fold(events)
	if err != nil {
		return nil, err
	}
	for _, r := range recs {
		in.entries = append(in.entries, r.EntryPages()...)
	}
	if in.known.Feedback, err = trainingdata.LastFeedback(ctx, t.Store.DB, topic.ID); err != nil {
		return nil, err
	}
	if in.milestones, err = topics.Milestones(ctx, t.Store.DB, topic.ID); err != nil {
		return nil, err
	}
	in.known.Milestones = topics.MilestoneDigest(in.milestones)
	marked, err := trainingdata.MarkedFinds(ctx, t.Store.DB, topic.ID, trainingdata.AllMarks)
	if err != nil {
		return nil, err
	}
	in.recs, in.marked = recs, marked
	if err := t.collect(ctx, topic, in, seed); err != nil {
		return nil, err
	}
	if in.background, err = t.background(ctx, topic.ID, in.set.Pages, trainingdata.AllMarks); err != nil {
		return nil, err
	}
	in.set.Background, in.set.Declared = in.background.texts, in.background.declared
	return in, t.noteSources(ctx, in)
}

// Set returns the training set of sessions and marked finds, whose union is one web graph ([HMM] §2.1, §6). A find
// marked Useful is a target, and the pages and links of its trail are added too. A find marked Not useful is added as a
// page that is not a target; it is rejected unless it is marked Useful elsewhere.
func Set(topic string, recs []*session.Session, marked []trainingdata.MarkedFind) model.TrainingSet {
	return setWith(topic, recs, marked, nil, time.Time{})
}

// setWith is Set with pages that neither sessions nor finds have, whose last is from a time.
func setWith(topic string, recs []*session.Session, marked []trainingdata.MarkedFind, more []webgraph.Load, last time.Time) model.TrainingSet {
	var loads []webgraph.Load
	for _, r := range recs {
		loads = append(loads, r.Loads()...)
		if r.LastEvent.After(last) {
			last = r.LastEvent
		}
	}
	for _, find := range marked {
		loads = append(loads, trainedLoads(find)...)
		if find.At.After(last) {
			last = find.At
		}
	}
	g := webgraph.Build(append(loads, more...))
	set := model.FromGraph(topic, g, last)
	set.Entries = entries(g, recs)
	for _, find := range marked {
		if find.Useful {
			continue
		}
		for _, i := range g.ByLoad[stepID(find, len(find.Trail)-1)] { // none when the find was deleted
			set.Pages[i].Rejected = !set.Pages[i].Target
		}
	}
	return set
}

// entries returns the pages of the graph that are start pages of sessions, in order, each once.
func entries(g *webgraph.Graph, recs []*session.Session) []int {
	var all []int
	for _, r := range recs {
		for _, load := range r.EntryLoads() {
			all = append(all, g.ByLoad[load]...)
		}
	}
	return sortedSet(all)
}

// trainedLoads returns the page loads that a marked find adds to the training set: the find itself and, when it is
// useful, its trail.
func trainedLoads(find trainingdata.MarkedFind) []webgraph.Load {
	first := 0
	if !find.Useful {
		first = max(0, len(find.Trail)-1)
	}
	return findLoads(find, parseTrail(find, first))
}

// parseTrail parses the pages of a find's trail from a step on. One that cannot be read is nil: it teaches nothing. So
// is the end of a trail whose find was deleted.
func parseTrail(find trainingdata.MarkedFind, first int) []*page.Page {
	all := make([]*page.Page, len(find.Trail))
	for i := first; i < len(find.Trail); i++ {
		step := find.Trail[i]
		if step.Gap && i == len(find.Trail)-1 {
			break
		}
		if p, err := page.Parse(step.URL, page.ContentUTF8, step.HTML); err == nil {
			p.Documents() // a crawl fetched it
			all[i] = p
		}
	}
	return all
}

// findLoads returns the page loads of a find's trail.
func findLoads(find trainingdata.MarkedFind, pages []*page.Page) []webgraph.Load {
	var loads []webgraph.Load
	for i, p := range pages {
		if p == nil {
			continue
		}
		step := find.Trail[i]
		load := webgraph.Load{
			ID: stepID(find, i), URL: step.URL, Site: weburl.Site(step.URL),
			Title: p.Title, Text: p.Text, Declared: p.Language, Target: find.Useful && i == len(find.Trail)-1,
		}
		if step.Requested != step.URL && step.Requested != "" {
			load.Aliases = []string{step.Requested}
		}
		for _, l := range p.Links {
			load.Links = append(load.Links, session.LinkOf(l))
		}
		if i > 0 && !find.Trail[i-1].Gap {
			load.From = stepID(find, i-1)
		}
		loads = append(loads, load)
	}
	return loads
}

// stepID returns the id of a page load of a find's trail.
func stepID(find trainingdata.MarkedFind, step int) string {
	return fmt.Sprintf("find %d step %d", find.ID, step)
}
