package links

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"nightjar/crawler/linktext"
	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
	"nightjar/daemon/base/jobs"
	"nightjar/daemon/store"
	"nightjar/model/wordnet"
)

// Sizes of the indexer's steps.
const (
	atOnce   = 20                     // pages read from the queue
	most     = 2000                   // links in a step, unless one page has more
	rest     = 5 * time.Millisecond   // between two steps, so that others come first
	interval = 500 * time.Millisecond // between two looks at an empty queue
)

// WordNet gives the base forms of words.
type WordNet interface {
	Net() *wordnet.Net   // nil without WordNet: then words stay as they are
	Fingerprint() string // the same for the same files, "" without WordNet
}

// Options of an Indexer.
type Options struct {
	WordNet        WordNet // nil: there is none
	NavigationFile string  // words that links are named by on any site; written when it is missing; "" for the usual words
	Log            *slog.Logger

	Rest func(context.Context) error // what else Run does whenever no page waits
}

// Indexer reads the links of stored pages. One indexer works on a database.
type Indexer struct {
	store *store.Store
	o     Options

	navigation navigation
	made       string // the fingerprint that extractor was made for, "" before it was
	extractor  *linktext.Extractor
}

// NewIndexer returns an indexer for a database.
func NewIndexer(s *store.Store, o Options) *Indexer {
	return &Indexer{store: s, o: o, navigation: navigation{file: o.NavigationFile, log: o.Log, words: linktext.Navigation()}}
}

// Run reads what waits and what comes, until ctx ends. What it did stays when it is killed; the rest is still in the queue. It
// returns nil: a failure of the database is logged and tried again.
func (x *Indexer) Run(ctx context.Context) error {
	loop := jobs.Loop{Retry: 10 * time.Second, Failed: func(err error) {
		x.o.Log.Error("the links of pages could not be read; it is tried again", "err", err)
	}}
	loop.Step = func(ctx context.Context) (time.Duration, error) {
		if n, err := x.Step(ctx); err != nil || n > 0 {
			return rest, err
		}
		return interval, x.o.Rest(ctx)
	}
	return loop.Run(ctx)
}

// Step reads the links of the newest pages of the queue and returns how many pages it took from it.
func (x *Indexer) Step(ctx context.Context) (int, error) {
	if err := x.prepare(ctx); err != nil {
		return 0, err
	}
	queue, err := Queue(ctx, x.store.DB, atOnce)
	if err != nil || len(queue) == 0 {
		return 0, err
	}
	settings, err := x.store.Settings(ctx)
	if err != nil {
		return 0, err
	}
	var batch []PageLinks
	links := 0
	for _, source := range queue {
		p, err := x.read(ctx, source, settings.NeverRecord)
		if err != nil {
			return 0, err
		}
		if links += len(p.Links); links > most && len(batch) > 0 {
			break
		}
		batch = append(batch, p)
	}
	return len(batch), Put(ctx, x.store.DB, batch)
}

// read returns the links of a page. One that is gone or cannot be read has none.
func (x *Indexer) read(ctx context.Context, source Source, never []string) (PageLinks, error) {
	p := PageLinks{Source: source}
	if source.Hash == nil {
		return p, nil
	}
	html, err := x.store.Content(ctx, source.Hash)
	if errors.Is(err, store.ErrNotFound) {
		return p, nil // erased since: its address is queued again
	}
	if err != nil {
		return p, err
	}
	links, err := x.extractor.Extract(source.URL, page.ContentUTF8, html)
	if err != nil {
		return p, nil // not an address of a page
	}
	for _, l := range links {
		if weburl.Secret(l.URL) || slices.ContainsFunc(never, func(host string) bool { return store.OnHost(l.URL, host) }) {
			continue
		}
		words := make([]Word, len(l.Words))
		for i, w := range l.Words {
			words[i] = Word{Word: w.Word, N: w.N}
		}
		p.Links = append(p.Links, Link{URL: l.URL, Pos: l.Pos, Words: words})
	}
	return p, nil
}
