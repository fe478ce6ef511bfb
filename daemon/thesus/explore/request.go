package explore

import (
	"context"
	"errors"
	"fmt"

	"nightjar/daemon/thesus/links"
	"nightjar/model/conceptset"
	"nightjar/model/senses"
)

// Request says what to group.
type Request struct {
	Scope    links.Scope // "" means links.AllPages
	ScopeID  int64       // of the topic, crawl or session
	Ontology int64       // 0 for none
	Options  GroupingOptions
}

// Defaults and bounds of the options of a grouping.
const (
	DefaultWords         = senses.DefaultWords
	DefaultMinSimilarity = senses.DefaultMinSimilarity
	DefaultMinDocs       = 3

	MaxWords   = 32
	MaxMinDocs = 1000
)

// MaxPages is the largest number of pages that are grouped: those that most pages link to. At worst all 200 million pairs of
// them are compared, each in 3 µs.
const MaxPages = 5 * conceptset.MaxAll

// MaxDepth is how many depths of COBWEB's tree a grouping has at most.
const MaxDepth = 10

// Group makes a grouping, or makes the one of the same scope and ontology again. It returns at once; Run does the work. The
// error is store.ErrNotFound when the topic, crawl, session or ontology is gone, and ErrOptions for a wrong option.
func (m *Maker) Group(ctx context.Context, r Request) (Grouping, error) {
	if err := checkOptions(r.Options); err != nil {
		return Grouping{}, err
	}
	g := Grouping{Scope: r.Scope, ScopeID: r.ScopeID, Ontology: r.Ontology, Options: r.Options}
	if g.Scope == "" {
		g.Scope = links.AllPages
	}
	g, err := PutGrouping(ctx, m.Store.DB, g)
	if err != nil {
		return Grouping{}, err
	}
	err = m.running.Stop(ctx, g.ID, errAgain, nil) // it read other options
	m.loop.Wake()
	m.tell(g.ID, m.Progress(g.ID))
	return g, err
}

func checkOptions(o GroupingOptions) error {
	switch {
	case o.Words < 0 || o.Words > MaxWords:
		return fmt.Errorf("%w: 1 to %d words of a page take part, not %d", ErrOptions, MaxWords, o.Words)
	case !(o.MinSimilarity >= 0 && o.MinSimilarity <= 1):
		return fmt.Errorf("%w: the similarity of a word and its term is above 0 and at most 1, not %v", ErrOptions, o.MinSimilarity)
	case o.MinDocs < 0 || o.MinDocs > MaxMinDocs:
		return fmt.Errorf("%w: 1 to %d similar pages make a core, not %d", ErrOptions, MaxMinDocs, o.MinDocs)
	}
	return nil
}

// Stop ends the making of a grouping, which then has failed with the problem Stopped. An earlier result stays. Stopping one that
// is not being made does nothing. The error is store.ErrNotFound when there is none.
func (m *Maker) Stop(ctx context.Context, id int64) error {
	g, err := GroupingByID(ctx, m.Store.DB, id)
	if err == nil {
		err = FailGrouping(ctx, m.Store.DB, g, Stopped)
	}
	if err != nil {
		return nilIf(err, ErrGroupingChanged)
	}
	err = m.running.Stop(ctx, id, errStopped, nil)
	m.tell(id, Progress{})
	return err
}

// Delete deletes a grouping; when it is being made, that ends. The error is store.ErrNotFound when there is none.
func (m *Maker) Delete(ctx context.Context, id int64) error {
	err := DeleteGrouping(ctx, m.Store.DB, id)
	m.views.Remove(id)
	err = errors.Join(err, m.running.Stop(ctx, id, errStopped, nil))
	m.tell(id, Progress{})
	return err
}
