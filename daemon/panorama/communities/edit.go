package communities

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"nightjar/crawler/strategy"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/panorama/document"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/panorama/trainingset"
	"nightjar/daemon/store"
	"nightjar/model/community"
)

// Limits of what a person may ask for.
const (
	MaxPages    = 50_000
	MaxClusters = 50
)

// steps are all steps in their order.
var steps = []maps.Step{maps.StepTitles, maps.StepPages, maps.StepTraining, maps.StepCrawl, maps.StepDrawing}

// after reports whether a step comes after another.
func after(a, b maps.Step) bool { return slices.Index(steps, a) > slices.Index(steps, b) }

// Titles returns the title of a map's document and the titles to look for, as the person left them, and what else was read.
func (m *Maker) Titles(ctx context.Context, id int64) (main string, titles []string, read maps.ReadDocument, err error) {
	d, err := m.documentOf(ctx, id)
	if err == nil {
		titles, read, err = maps.DocumentTitles(ctx, m.Store.DB, d.ID)
	}
	return d.Title, titles, read, err
}

// documentOf returns the document of a map. A map without one gives store.ErrNotFound.
func (m *Maker) documentOf(ctx context.Context, id int64) (maps.Document, error) {
	one, err := maps.ByID(ctx, m.Store.DB, id)
	if err != nil {
		return maps.Document{}, err
	}
	return maps.DocumentByID(ctx, m.Store.DB, one.Document)
}

// SetTitles changes the title of a map's document and the titles to look for. Empty ones and ones that are there twice are
// left out. It is possible until the classifier is trained; the pages are then looked for again. The errors are ErrWorking,
// ErrUsed and ErrNoTitles.
func (m *Maker) SetTitles(ctx context.Context, id int64, main string, titles []string) error {
	main, titles = document.Clean(main), cleanTitles(titles)
	if main == "" && len(titles) == 0 {
		return ErrNoTitles
	}
	if main == "" {
		main = titles[0]
	}
	err := maps.SetTitles(ctx, m.Store.DB, id, main, titles, func(one *maps.Map) error {
		if err := changeable(one, maps.StepTraining); err != nil {
			return err
		}
		one.Title, one.Step, one.State, one.Problem = main, maps.StepTitles, maps.Waiting, ""
		return nil
	})
	m.tell(id)
	return err
}

// changeable returns why what a step uses cannot be changed: the map is working, or the step is done.
func changeable(one *maps.Map, usedBy maps.Step) error {
	switch {
	case one.State == maps.Working:
		return ErrWorking
	case one.State == maps.Done, after(one.Step, usedBy), one.Step == usedBy && one.State != maps.Failed:
		return ErrUsed
	}
	return nil
}

// SetOptions changes the options of a map that no step has used yet. Those of the map itself (Clusters, Auto, Words,
// Links and Seed) may be changed when it is done, too: Go then draws it again. The errors are ErrWorking, ErrUsed, and an *OptionError
// that says which option is wrong.
func (m *Maker) SetOptions(ctx context.Context, id int64, change func(*maps.Options)) error {
	_, err := maps.Change(ctx, m.Store.DB, id, func(one *maps.Map) error {
		before := one.Options
		change(&one.Options)
		if err := checkOptions(one.Options); err != nil {
			return err
		}
		return usable(one, before)
	})
	m.tell(id)
	return err
}

// usable returns why the options of a map cannot be changed from those before.
func usable(one *maps.Map, before maps.Options) error {
	if one.State == maps.Working {
		return ErrWorking
	}
	now := one.Options
	for _, c := range []struct {
		usedBy      maps.Step
		now, before []any
	}{
		{maps.StepPages, []any{now.Search, now.List}, []any{before.Search, before.List}},
		{maps.StepTraining, []any{now.Paper}, []any{before.Paper}},
		{maps.StepCrawl, []any{now.Pages, now.Night}, []any{before.Pages, before.Night}},
	} {
		if !reflect.DeepEqual(c.now, c.before) {
			if err := changeable(one, c.usedBy); err != nil {
				return err
			}
		}
	}
	drawn := now.Clusters != before.Clusters || now.Auto != before.Auto || now.Words != before.Words || now.Links != before.Links ||
		now.Seed != before.Seed
	if one.State == maps.Done && drawn {
		one.Step, one.State = maps.StepCrawl, maps.Waiting // what is done before the map is kept
	}
	return nil
}

// checkOptions returns an *OptionError when an option is wrong.
func checkOptions(o maps.Options) error {
	switch {
	case o.Pages < 0 || o.Pages > MaxPages:
		return &OptionError{fmt.Errorf("choose at most %d pages", MaxPages)}
	case o.Clusters < 0 || o.Clusters > MaxClusters:
		return &OptionError{fmt.Errorf("choose at most %d communities", MaxClusters)}
	}
	if o.Links != "" && (o.Paper || !slices.Contains(community.Rules, community.Rule(o.Links))) {
		return &OptionError{errors.New("links that count are sites, folders or all; in the paper's way, all count")}
	}
	if o.Strategy != "" && (o.Paper || !strategy.Known(o.Strategy)) {
		return &OptionError{errors.New("the paper's way and an ontology do not go together: leave one of them out")}
	}
	if _, err := provider(o, nil, 0, false); err != nil {
		return &OptionError{err}
	}
	return nil
}

// provider returns who is asked for the titles of a document. Titles that are paths are looked for as words in any order.
func provider(o maps.Options, s *store.Store, doc int64, paths bool) (trainingset.Provider, error) {
	instance, ok := strings.CutPrefix(o.Search, "searxng=")
	switch {
	case ok:
		asked, err := trainingset.NewSearXNG(instance, s, doc)
		if err == nil && paths {
			asked.AnyOrder()
		}
		return asked, err
	case o.Search == "" || o.Search == "local":
		return &trainingset.Local{Store: s}, nil
	case o.Search == "list":
		list, bad, err := trainingset.ReadList(strings.NewReader(strings.Join(o.List, "\n")))
		if err == nil && len(bad) > 0 {
			err = bad[0]
		}
		return list, err
	}
	return nil, fmt.Errorf("%q is no way to search: choose local, searxng=URL or list", document.Clean(o.Search))
}

// Plan returns what the search for positive pages would send, and to whom.
func (m *Maker) Plan(ctx context.Context, id int64) (trainingset.Plan, error) {
	one, err := maps.ByID(ctx, m.Store.DB, id)
	if err != nil || one.Document == 0 {
		return trainingset.Plan{}, err
	}
	asked, titles, err := m.search(ctx, one)
	if err != nil {
		return trainingset.Plan{}, err
	}
	return trainingset.PlanOf(ctx, asked, titles)
}

// search returns who is asked for what: the title of the document first, unless it is only the name of its file. In the paper's way,
// addresses of references are left out.
func (m *Maker) search(ctx context.Context, one maps.Map) (trainingset.Provider, []string, error) {
	main, titles, read, err := m.Titles(ctx, one.ID)
	if err != nil {
		return nil, nil, err
	}
	if main != read.Named {
		titles = append([]string{main}, titles...)
	}
	if one.Options.Paper {
		titles = slices.DeleteFunc(titles, func(t string) bool { _, address := trainingset.Address(t); return address })
	}
	asked, err := provider(one.Options, m.Store, one.Document, read.Kind == KindOntology)
	return asked, titles, err
}

// Positives lists the positive pages of a map's document, with their outcome.
func (m *Maker) Positives(ctx context.Context, id int64) ([]PositivePage, error) {
	one, err := maps.ByID(ctx, m.Store.DB, id)
	if err != nil || one.Document == 0 {
		return nil, err
	}
	pages, err := trainingdata.PositivePages(ctx, m.Store.DB, one.Document)
	all := make([]PositivePage, len(pages))
	for i, p := range pages {
		all[i] = PositivePage{Positive: p.Positive, Final: p.Final, Known: len(p.Hash) > 0, Outcome: p.Outcome}
		if !all[i].Known {
			all[i].Reason = p.Reason
		}
	}
	return all, err
}

// LeaveOut leaves a page out of the positive ones, or takes it back. It is possible until the classifier is trained. The
// errors are ErrWorking, ErrUsed, and store.ErrNotFound for any other page.
func (m *Maker) LeaveOut(ctx context.Context, id int64, url string, out bool) error {
	one, err := maps.ByID(ctx, m.Store.DB, id)
	if err == nil {
		err = changeable(&one, maps.StepTraining)
	}
	if err != nil {
		return err
	}
	if err := trainingdata.LeaveOut(ctx, m.Store.DB, one.Document, url, out); err != nil {
		return err
	}
	if one.Step == maps.StepTraining { // that failed: the pages are counted again
		err = m.change(ctx, id, func(one *maps.Map) {
			if one.Step == maps.StepTraining && one.State == maps.Failed {
				one.Step = maps.StepPages
			}
		})
	}
	m.tell(id)
	return err
}

// Go does the next step of a map that waits, or the step that failed or was stopped again. The errors are ErrWorking,
// ErrDone and ErrNoTitles.
func (m *Maker) Go(ctx context.Context, id int64) error {
	before, err := maps.ByID(ctx, m.Store.DB, id)
	if err == nil {
		err = m.ready(ctx, before)
	}
	if err != nil {
		return err
	}
	_, err = maps.Change(ctx, m.Store.DB, id, func(one *maps.Map) error {
		switch one.State {
		case maps.Working:
			return ErrWorking
		case maps.Done:
			return ErrDone
		case maps.Waiting:
			one.Step = steps[min(slices.Index(steps, one.Step)+1, len(steps)-1)]
		}
		one.State, one.Problem = maps.Working, ""
		return nil
	})
	if err != nil {
		return err
	}
	m.loop.Wake()
	m.tell(id)
	return nil
}

// ready prepares the step that Go does, or returns why it cannot be done.
func (m *Maker) ready(ctx context.Context, one maps.Map) error {
	again := one.State == maps.Failed
	switch {
	case one.State == maps.Waiting && one.Step == maps.StepTitles && one.Options.Search != "list":
		titles, _, err := maps.DocumentTitles(ctx, m.Store.DB, one.Document)
		if err == nil && len(titles) == 0 {
			err = ErrNoTitles
		}
		return err
	case again && one.Step == maps.StepPages: // what failed may succeed now
		return trainingdata.RetryDocumentPages(ctx, m.Store.DB, one.Document)
	case again && one.Step == maps.StepCrawl && one.Crawl != 0 && one.Problem == Stopped:
		return ignoreGone(m.Scheduler.Resume(ctx, one.Crawl))
	}
	return nil
}

// Stop stops the current step of a map; its crawl is paused. Go runs the step again from stored data.
func (m *Maker) Stop(ctx context.Context, id int64) error {
	var one maps.Map
	err := m.halt(ctx, id, func() (err error) {
		one, err = maps.Change(ctx, m.Store.DB, id, func(one *maps.Map) error {
			if one.State == maps.Working {
				one.State, one.Problem = maps.Failed, Stopped
			}
			return nil
		})
		return err
	})
	if err == nil && one.Step == maps.StepCrawl && one.State == maps.Failed && one.Crawl != 0 {
		err = ignoreGone(m.Scheduler.Pause(ctx, one.Crawl))
	}
	m.tell(id)
	return err
}

// Enough ends the crawl of a map, which is then made from the pages there are.
func (m *Maker) Enough(ctx context.Context, id int64) error {
	one, err := maps.ByID(ctx, m.Store.DB, id)
	if err != nil || one.Crawl == 0 || one.Source == maps.FromCrawl {
		return err
	}
	return ignoreGone(m.Scheduler.Stop(ctx, one.Crawl, ""))
}

// Delete deletes a map, with its document when it is of no other map. A crawl that is made for it ends; the topic, its
// crawls and its finds stay.
func (m *Maker) Delete(ctx context.Context, id int64) error {
	err := m.halt(ctx, id, func() error {
		one, err := maps.ByID(ctx, m.Store.DB, id)
		if err != nil {
			return err
		}
		if one.Crawl != 0 && one.Source != maps.FromCrawl && one.State != maps.Done {
			if err := ignoreGone(m.Scheduler.Stop(ctx, one.Crawl, "its map was deleted")); err != nil {
				return err
			}
		}
		return maps.Delete(ctx, m.Store.DB, id)
	})
	m.tell(id)
	return err
}

// change changes a stored map.
func (m *Maker) change(ctx context.Context, id int64, to func(*maps.Map)) error {
	_, err := maps.Change(ctx, m.Store.DB, id, func(one *maps.Map) error {
		to(one)
		return nil
	})
	return err
}

// ignoreGone returns err, or nil if err says that the row is missing.
func ignoreGone(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}

// cleanTitles returns titles in one line each, without empty ones and those that are there already.
func cleanTitles(titles []string) []string {
	all := []string{}
	seen := map[string]bool{"": true}
	for _, t := range titles {
		t = document.Clean(t)
		if key := strings.ToLower(t); !seen[key] && len(all) < document.MaxReferences {
			seen[key] = true
			all = append(all, t)
		}
	}
	return all
}
