package communities

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"nightjar/crawler/texts"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/panorama/trainingset"
	"nightjar/daemon/store"
	"nightjar/model/label"
)

// Limits of a View.
const (
	mostPoints = 200 // of the harvest
	mostGone   = 100
)

// View returns a finished map, or ErrNotReady until it is done.
func (m *Maker) View(ctx context.Context, id int64) (*View, error) {
	one, result, err := m.finished(ctx, id)
	if err != nil {
		return nil, err
	}
	v := &viewing{Maker: m, v: &View{Map: one, Result: *result}}
	for _, part := range []func(context.Context) error{v.origin, v.document, v.earlier, v.communities} {
		if err := part(ctx); err != nil {
			return nil, fmt.Errorf("read map %d: %w", id, err)
		}
	}
	v.harvest()
	return v.v, nil
}

// finished returns a map that is done, with what draw stored of it.
func (m *Maker) finished(ctx context.Context, id int64) (one maps.Map, r *Result, err error) {
	if one, err = maps.ByID(ctx, m.Store.DB, id); err != nil {
		return one, nil, err
	}
	if one.State != maps.Done {
		return one, nil, ErrNotReady
	}
	text, err := maps.Result(ctx, m.Store.DB, id)
	if errors.Is(err, store.ErrNotFound) {
		return one, nil, ErrNotReady
	}
	if err != nil {
		return one, nil, err
	}
	r = &Result{}
	if err := json.Unmarshal(text, r); err != nil {
		return one, nil, fmt.Errorf("read map %d: %w", id, err)
	}
	return one, r, nil
}

// viewing is a View in the making.
type viewing struct {
	*Maker
	v *View

	pages  []maps.MappedPage
	byID   map[int64]maps.MappedPage
	before map[string]bool // addresses of the earlier map; nil without one
}

// origin reads the crawl, the topic and the pages.
func (v *viewing) origin(ctx context.Context) (err error) {
	if v.v.Crawl, err = crawls.Get(ctx, v.Store.DB, v.v.Map.Crawl); err != nil {
		return err
	}
	topic, err := topics.ByID(ctx, v.Store.DB, v.v.Crawl.TopicID)
	if err != nil {
		return err
	}
	v.v.Topic = topic.Name
	if v.pages, err = maps.PagesOf(ctx, v.Store.DB, v.v.Map.ID); err != nil {
		return err
	}
	v.byID = make(map[int64]maps.MappedPage, len(v.pages))
	for _, p := range v.pages {
		v.byID[p.Fetch] = p
	}
	return nil
}

// document reads what a document's map was made from.
func (v *viewing) document(ctx context.Context) error {
	one := v.v.Map
	if one.Document == 0 {
		return nil
	}
	d, err := maps.DocumentByID(ctx, v.Store.DB, one.Document)
	if err != nil {
		return err
	}
	v.v.Document = &d
	asked, titles, err := v.search(ctx, one)
	if err != nil {
		return err
	}
	v.v.Titles = titles
	if v.v.Positives, err = trainingdata.Positives(ctx, v.Store.DB, d.ID); err != nil {
		return err
	}
	plan, err := trainingset.PlanOf(ctx, asked, titles)
	if err != nil {
		return err
	}
	v.v.Provider = cmp.Or(plan.To, one.Options.Search, "local")
	if missing := Missing(titles, v.v.Positives); len(missing) > 0 && v.v.Provider != "list" {
		v.v.Missing = missing
		v.v.Warnings = append(v.v.Warnings, fmt.Sprintf("%s of %d found no page.", texts.Count(len(missing), "title", "titles"), len(titles)))
	}
	unanswered := 0
	for _, q := range plan.Queries {
		switch q.Fate {
		case trainingset.WillReuse, trainingset.WillMiss:
			v.v.Queries = append(v.v.Queries, q.Query)
		default:
			unanswered++
		}
	}
	if unanswered > 0 {
		v.v.Warnings = append(v.v.Warnings, fmt.Sprintf("%s not answered by %s: it refused, or the limit of %d queries was reached.",
			texts.Count(unanswered, "title was", "titles were"), plan.To, trainingset.MaxQueries))
	}
	return nil
}

// Missing lists the titles that found no page.
func Missing(titles []string, pages []trainingdata.Positive) (all []string) {
	found := map[string]bool{}
	for _, p := range pages {
		for _, r := range p.Reasons {
			found[r.Title] = true
		}
	}
	for _, title := range titles {
		if !found[title] {
			all = append(all, title)
		}
	}
	return all
}

// earlier compares the pages with those of the earlier map.
func (v *viewing) earlier(ctx context.Context) error {
	if v.v.Map.Earlier == 0 {
		return nil
	}
	before, err := maps.ByID(ctx, v.Store.DB, v.v.Map.Earlier)
	if errors.Is(err, store.ErrNotFound) || err == nil && before.State != maps.Done {
		return nil
	}
	if err != nil {
		return err
	}
	pages, err := maps.PagesOf(ctx, v.Store.DB, before.ID)
	if err != nil {
		return err
	}
	v.v.Earlier, v.before = &before, make(map[string]bool, len(pages))
	now := make(map[string]bool, len(v.pages))
	for _, p := range v.pages {
		now[p.URL] = true
	}
	for _, p := range pages {
		v.before[p.URL] = true
		if p.Community < 0 || now[p.URL] {
			continue
		}
		if v.v.GoneAll++; len(v.v.Gone) < mostGone {
			v.v.Gone = append(v.v.Gone, Page{
				Fetch: p.Fetch, URL: p.URL, Title: cmp.Or(p.Title, p.URL), Score: p.Similarity, P: p.Probability,
			})
		}
	}
	return nil
}

// isNew reports whether the earlier map lacks a page.
func (v *viewing) isNew(url string) bool { return v.before != nil && !v.before[url] }

// communities fills in the communities, with the person's marks.
func (v *viewing) communities(ctx context.Context) error {
	finds, err := maps.Finds(ctx, v.Store.DB, v.v.Map.ID, v.v.Crawl.TopicID)
	if err != nil {
		return err
	}
	all := v.v.Communities
	for _, p := range v.pages {
		if i := p.Community - 1; i >= 0 && i < len(all) {
			all[i].Harvest += p.Probability
			if v.isNew(p.URL) {
				all[i].New++
			}
		}
	}
	for i := range all {
		c := &all[i]
		c.N, c.Name, c.Harvest = i+1, nameOf(*c, i+1), c.Harvest/float64(max(c.Size, 1))
		for _, list := range [][]Page{c.Examples, c.Hubs, c.Authorities} {
			for k := range list {
				p := &list[k]
				f := finds[p.Fetch]
				p.Title, p.P, p.New, p.Find, p.Mark = cmp.Or(p.Title, p.URL), v.byID[p.Fetch].Probability, v.isNew(p.URL), f.ID, f.Mark
			}
		}
	}
	return nil
}

// nameOf is the name of a community: its labels or, when it has none, its best example.
func nameOf(c Community, n int) string {
	switch {
	case len(c.Labels) > 0:
		return joined(c.Labels)
	case len(c.Examples) > 0 && c.Examples[0].Title != "":
		return "pages like “" + c.Examples[0].Title + "”"
	}
	return fmt.Sprintf("community %d", n)
}

// joined writes labels as one name.
func joined(labels []label.Label) string {
	names := make([]string, len(labels))
	for i, l := range labels {
		names[i] = l.Text
	}
	return strings.Join(names, ", ")
}

// harvest fills in the harvest after each page, or fewer points.
func (v *viewing) harvest() {
	if !v.v.Classified {
		return
	}
	n, sum := len(v.pages), 0.
	every := max(1, (n+mostPoints-1)/mostPoints)
	for i, p := range v.pages {
		sum += p.Probability
		if at := i + 1; at%every == 0 || at == n {
			v.v.Harvest = append(v.v.Harvest, HarvestPoint{Pages: at, Rate: sum / float64(at)})
		}
	}
}

// Mark stores the person's mark on a page of a map that is done, which becomes a find of the topic if it was not one. The
// action can be undone as that of a find; its topics have something new to learn from. The errors are ErrNotReady and
// ErrNotOnMap.
func (m *Maker) Mark(ctx context.Context, id, fetchID int64, mark string) (store.Acted, error) {
	_, result, err := m.finished(ctx, id)
	if err != nil {
		return store.Acted{}, err
	}
	acted, err := maps.MarkPage(ctx, m.Store.DB, id, fetchID, snippetOf(result, fetchID), mark)
	if errors.Is(err, store.ErrNotFound) {
		err = ErrNotOnMap
	}
	return acted, err
}

// snippetOf returns what a listed page says first; "" for one that is in no list.
func snippetOf(r *Result, fetchID int64) string {
	for _, c := range r.Communities {
		for _, list := range [][]Page{c.Examples, c.Hubs, c.Authorities} {
			for _, p := range list {
				if p.Fetch == fetchID {
					return p.Snippet
				}
			}
		}
	}
	return ""
}

// MoreLikeThis makes a topic whose positive pages are the examples of a community, numbered from 1, and has it trained.
// They are its start pages, so that the next night crawls it. The same community gives the same topic. The errors are
// ErrNotReady, store.ErrNotFound, and ErrFewToLike.
func (m *Maker) MoreLikeThis(ctx context.Context, id int64, community int) (topicID int64, err error) {
	_, result, err := m.finished(ctx, id)
	if err != nil {
		return 0, err
	}
	if community < 1 || community > len(result.Communities) {
		return 0, fmt.Errorf("community %d of map %d: %w", community, id, store.ErrNotFound)
	}
	c := result.Communities[community-1]
	if len(c.Examples) < trainingdata.MinPositives {
		return 0, ErrFewToLike
	}
	positives := make([]trainingdata.Positive, len(c.Examples))
	for i, p := range c.Examples {
		positives[i] = trainingdata.Positive{URL: p.URL, Title: p.Title, Snippet: p.Snippet,
			Reasons: []trainingdata.PositiveReason{{Stage: trainingset.StageList, Place: i + 1}}}
	}
	topic, err := maps.TopicOfPages(ctx, m.Store.DB, fmt.Sprintf("map:%d:%d", id, community), likeName(c, community), positives)
	if err != nil {
		return 0, err
	}
	m.Trainer.Submit(topic.ID)
	return topic.ID, nil
}

// likeName names the topic of a community by its best labels.
func likeName(c Community, n int) string {
	c.Labels = append([]label.Label{}, c.Labels[:min(len(c.Labels), 3)]...)
	return nameOf(c, n)
}
