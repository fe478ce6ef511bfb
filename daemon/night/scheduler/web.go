package scheduler

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"nightjar/crawler"
	"nightjar/crawler/archive"
	"nightjar/crawler/fetch"
	"nightjar/crawler/render"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
)

// Shared is the web as crawls in memory and borrowers share it. Its methods may be called concurrently.
type Shared struct {
	st *store.Store
	o  *Options

	refused refused

	mu    sync.Mutex // held while the web is opened or closed
	web   *web       // nil while nobody uses it
	users int        // of web: crawls in memory, and borrowers
}

// web is what is shared: the fetcher with its politeness, the browser, the archive.
type web struct {
	fetcher  fetch.Fetcher
	renderer *render.Renderer // nil means that no scripts are run
	archive  *archive.Archive // nil means that nothing is archived
	lends    bool             // fetcher lends hosts to workers

	night  string        // the night that ration is for
	ration *atomic.Int64 // pages that may still be rendered
}

// openArchive prunes the archive and starts that of a new night.
func (s *Shared) openArchive(chosen settings.Settings, userAgent string) *archive.Archive {
	pruned, err := s.o.Archive.Prune(chosen.Archive.Megabytes)
	if err != nil {
		s.o.Log.Warn("prune the archive", "error", err)
	}
	if pruned.Files > 0 {
		s.o.Log.Info("old nights were deleted from the archive", "files", pruned.Files, "bytes", pruned.Bytes)
	}
	err = s.o.Archive.Begin(archive.About{
		Description: "pages that Nightjar fetched", Operator: chosen.Contact, UserAgent: userAgent,
	})
	if err != nil {
		s.o.Log.Warn("start the night's archive; this night is not archived", "error", err)
		return nil
	}
	return s.o.Archive
}

// renderPages is how many pages the crawls of a night render at most, and a crawl that the person starts. A page takes seconds and
// up to 1 GB of memory, and on most webs few pages are empty without scripts.
const renderPages = 50

// openRenderer prepares a browser for pages that are empty without scripts; nil if that is off or no browser is installed.
func (s *Shared) openRenderer(live *fetch.Live, r settings.Render) *render.Renderer {
	if !r.Enabled {
		return nil
	}
	renderer, err := render.New(live, render.Options{})
	if err != nil {
		s.o.Log.Warn("pages are read without running scripts", "error", err)
		return nil
	}
	return renderer
}

// share adds archive and renderer to the options of a crawl. A night's crawls share one limit of rendered pages.
func (s *Shared) share(ctx context.Context, w *web, c crawls.Crawl, o *crawler.Options) error {
	if w.archive != nil {
		o.Archive = w.archive
	}
	if w.renderer == nil {
		return nil
	}
	o.Renderer, o.RenderPages = w.renderer, renderPages
	if c.Night == "" {
		return nil
	}
	if w.night != c.Night {
		had, err := renderedPages(ctx, s.st.DB, c.Night)
		if err != nil {
			return err
		}
		w.night, w.ration = c.Night, new(atomic.Int64)
		w.ration.Store(int64(renderPages - had))
	}
	o.Renderer = rationed{w.renderer, w.ration}
	return nil
}

// rationed is a renderer with a limit that the crawls of a night share.
type rationed struct {
	crawler.Renderer
	left *atomic.Int64
}

var errRation = errors.New("the night's limit of rendered pages is reached")

// Render renders a page unless the night's limit is reached.
func (r rationed) Render(ctx context.Context, url string, body []byte) ([]byte, []fetch.Exchange, error) {
	if r.left.Add(-1) < 0 {
		return nil, nil, errRation
	}
	return r.Renderer.Render(ctx, url, body)
}

// leave ends one use of the web. The last one closes it; the next one opens it again with the settings of that time.
func (s *Shared) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users--; s.users > 0 {
		return
	}
	w := s.web
	s.web = nil
	closing := []func() error{}
	if w.lends {
		s.o.Leases.Shut()
	}
	if w.renderer != nil {
		closing = append(closing, w.renderer.Close)
	}
	if w.archive != nil {
		closing = append(closing, w.archive.Finish)
	}
	switch c := w.fetcher.(type) {
	case interface{ Close() }:
		c.Close()
	case io.Closer:
		closing = append(closing, c.Close)
	}
	for _, end := range closing {
		if err := end(); err != nil {
			s.o.Log.Warn("close what crawls share", "error", err)
		}
	}
}
