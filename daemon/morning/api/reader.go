package api

import (
	"context"
	"strconv"
	"time"

	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/learn/overview"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/forecast"
	"nightjar/daemon/store"
	"nightjar/model/wordnet"
)

// Reader answers from a store.
type Reader struct {
	Store   *store.Store
	Version string // of the program
	Running bool   // a daemon runs
	Now     func() time.Time
	WordNet wordnet.Source // for words of expressions; may be nil
}

// finds lists finds.
func (r *Reader) finds(ctx context.Context, q *query) (any, error) {
	f := finds.Page{Before: q.cursor()}
	f.Topic, f.Text, f.Limit = q.id("topic"), q.text("q"), q.limit(50, 200)
	f.State = q.oneOf("state", "all", "all", "new", "open", store.MarkLater, store.MarkUseful, store.MarkNotUseful, store.MarkOffTopic)
	if q.err != nil {
		return nil, q.err
	}
	if f.State == "all" {
		f.State = ""
	}
	counts, err := finds.Counts(ctx, r.Store.DB, f.Filter)
	if err != nil {
		return nil, err
	}
	list := FindList{Finds: []Find{}, Total: counts["all"]}
	if f.State != "" {
		list.Total = counts[f.State]
	}
	f.Limit++
	all, err := finds.Before(ctx, r.Store.DB, f)
	if err != nil {
		return nil, err
	}
	all, more := cut(all, f.Limit-1)
	for _, one := range all {
		list.Finds = append(list.Finds, FindOf(one, r.Now()))
	}
	if more {
		list.Next = strconv.FormatInt(all[len(all)-1].ID, 10)
	}
	return list, nil
}

// cut drops what is beyond a page, and reports whether anything was.
func cut[T any](all []T, limit int) ([]T, bool) {
	if len(all) <= limit {
		return all, false
	}
	return all[:limit], true
}

func (r *Reader) find(ctx context.Context, q *query) (any, error) {
	f, err := finds.ByID(ctx, r.Store.DB, q.path)
	if err != nil {
		return nil, err
	}
	return FindOf(f, r.Now()), nil
}

func (r *Reader) why(ctx context.Context, q *query) (any, error) {
	return r.Why(ctx, q.path)
}

// Why explains a find. The error is store.ErrNotFound if there is none.
func (r *Reader) Why(ctx context.Context, id int64) (Why, error) {
	f, err := finds.ByID(ctx, r.Store.DB, id)
	if err != nil {
		return Why{}, err
	}
	trail, err := finds.Trail(ctx, r.Store.DB, f.FetchID)
	if err != nil {
		return Why{}, err
	}
	w := Why{Find: FindOf(f, r.Now()), Strategy: f.Strategy, Like: likeOf(f), Trail: []Step{}}
	for _, t := range trail {
		page := fromPage(t.URL, t.Title)
		page.Anchor = Plain(t.Anchor)
		w.Trail = append(w.Trail, Step{Similarity: t.Similarity, Useful: t.Useful, Worker: Plain(t.Worker), FromTheWeb: page})
	}
	return w, nil
}

func (r *Reader) topics(ctx context.Context, _ *query) (any, error) {
	all, err := overview.Topics(ctx, r.Store.DB)
	if err != nil {
		return nil, err
	}
	list := TopicList{Topics: []Topic{}}
	for _, t := range all {
		counts, err := finds.Counts(ctx, r.Store.DB, finds.Filter{Topic: t.ID})
		if err != nil {
			return nil, err
		}
		list.Topics = append(list.Topics, Topic{ID: t.ID, Name: t.Name, Members: t.Members, Sessions: t.Sessions,
			ModelVersion: t.Version, StartPages: t.Ticked, Finds: countsOf(counts)})
	}
	return list, nil
}

// sessions lists sessions. The cursor is the number of the last one shown.
func (r *Reader) sessions(ctx context.Context, q *query) (any, error) {
	before, limit := q.cursor(), q.limit(50, 200)
	if q.err != nil {
		return nil, q.err
	}
	all, err := sessions.List(ctx, r.Store.DB)
	if err != nil {
		return nil, err
	}
	list := SessionList{Sessions: []Session{}, Total: len(all)}
	var last int64
	for _, s := range all {
		if before > 0 && s.ID >= before {
			continue
		}
		if len(list.Sessions) == limit {
			list.Next = strconv.FormatInt(last, 10)
			break
		}
		list.Sessions, last = append(list.Sessions, sessionOf(s)), s.ID
	}
	return list, nil
}

// crawls lists crawls.
func (r *Reader) crawls(ctx context.Context, q *query) (any, error) {
	before, limit := q.cursor(), q.limit(50, 200)
	if q.err != nil {
		return nil, q.err
	}
	all, err := crawls.Before(ctx, r.Store.DB, 0, before, limit+1)
	if err != nil {
		return nil, err
	}
	all, more := cut(all, limit)
	foretold, err := forecast.Before(ctx, r.Store.DB, before, limit)
	if err != nil {
		return nil, err
	}
	list := CrawlList{Crawls: []Crawl{}}
	for _, c := range all {
		list.Crawls = append(list.Crawls, crawlOf(c, foretold))
	}
	if more {
		list.Next = strconv.FormatInt(all[len(all)-1].ID, 10)
	}
	return list, nil
}

func (r *Reader) crawl(ctx context.Context, q *query) (any, error) {
	c, err := crawls.ByID(ctx, r.Store.DB, q.path)
	if err != nil {
		return nil, err
	}
	foretold, err := forecast.OfTopic(ctx, r.Store.DB, 0, c.ID, 1)
	if err != nil {
		return nil, err
	}
	return crawlOf(c, foretold), nil
}

// status says what the daemon does.
func (r *Reader) status(ctx context.Context, _ *query) (any, error) {
	steps, err := overview.Read(ctx, r.Store.DB)
	if err != nil {
		return nil, err
	}
	counts, err := finds.Counts(ctx, r.Store.DB, finds.Filter{})
	if err != nil {
		return nil, err
	}
	topics, err := overview.Topics(ctx, r.Store.DB)
	if err != nil {
		return nil, err
	}
	open, err := crawls.Open(ctx, r.Store.DB)
	if err != nil {
		return nil, err
	}
	settings, err := r.Store.Settings(ctx)
	if err != nil {
		return nil, err
	}
	now := r.Now()
	night, isOpen := settings.Night.At(now)
	return Status{Version: r.Version, Running: r.Running, Topics: len(topics), Sessions: steps.Sessions,
		Crawling: len(open), Finds: countsOf(counts),
		Night: Night{On: settings.Night.Enabled, Open: isOpen, Opens: settings.Night.Next(now).UTC(), Closes: night.Closes}}, nil
}
