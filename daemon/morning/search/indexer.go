package search

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"nightjar/crawler/page"
	"nightjar/crawler/texts"
	"nightjar/daemon/base/jobs"
	"nightjar/daemon/morning/search/words"
	"nightjar/daemon/store"
)

// Sizes of the indexer's steps. A transaction is as short as that of a crawl, so that other writers do not wait.
const (
	atOnce   = 20                     // pages read from the queue
	most     = 64 << 10               // bytes of words in a transaction, unless one page has more
	maxBody  = 256 << 10              // bytes of a page's text that are indexed
	rest     = 5 * time.Millisecond   // between two steps, so that others come first
	interval = 500 * time.Millisecond // between two looks at an empty queue
	merging  = time.Second            // of merging at once
)

// Indexer keeps the search index up to date. One indexer works on a database.
type Indexer struct {
	store *store.Store
	log   *slog.Logger
}

// NewIndexer returns an indexer for a database.
func NewIndexer(s *store.Store, log *slog.Logger) *Indexer { return &Indexer{s, log} }

// Run indexes what waits and what comes, until ctx ends. What it did stays when it is killed; the rest is still in the
// queue. It returns nil: a failure of the database is logged and tried again.
func (x *Indexer) Run(ctx context.Context) error {
	loop := jobs.Loop{Retry: 10 * time.Second, Failed: func(err error) {
		x.log.Error("the search index could not be updated; it is tried again", "err", err)
	}}
	loop.Step = func(ctx context.Context) (time.Duration, error) {
		if n, err := x.Step(ctx); err != nil || n > 0 {
			return rest, err
		}
		_, err := store.MergeSearch(ctx, x.store.DB, merging)
		return interval, err
	}
	return loop.Run(ctx)
}

// Step indexes the newest pages of the queue and returns how many it took from it. Pages that were indexed by older rules
// come when no others wait.
func (x *Indexer) Step(ctx context.Context) (int, error) {
	if err := Renew(ctx, x.store.DB); err != nil {
		return 0, err
	}
	queue, err := Queue(ctx, x.store.DB, atOnce)
	if err != nil {
		return 0, err
	}
	var batch []Words
	size := 0
	for _, source := range queue {
		e, err := x.read(ctx, source)
		if err != nil {
			return 0, err
		}
		if size += len(e.BodyWords); size > most && len(batch) > 0 {
			break
		}
		batch = append(batch, e)
	}
	return len(batch), Put(ctx, x.store.DB, batch)
}

// read returns the words of a page. A page that is gone or cannot be parsed has those of its title and address.
func (x *Indexer) read(ctx context.Context, source Source) (Words, error) {
	e := Words{Source: source, TitleWords: words.Join(source.Title), AddressWords: addressWords(source.URL)}
	body, err := bodyText(ctx, x.store, source.URL, source.Hash)
	e.BodyWords = words.Join(body)
	return e, err
}

// bodyText returns the text of a stored page, at most maxBody bytes, or "" when it is not stored or has none.
func bodyText(ctx context.Context, s *store.Store, url string, hash []byte) (string, error) {
	if hash == nil {
		return "", nil
	}
	html, err := s.Content(ctx, hash)
	if errors.Is(err, store.ErrNotFound) {
		return "", nil // erased since
	}
	if err != nil {
		return "", err
	}
	p, err := page.Parse(url, page.ContentUTF8, html)
	if err != nil {
		return "", nil // no HTML
	}
	return texts.Cut(p.Text, maxBody), nil
}
