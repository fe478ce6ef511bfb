package scheduler

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/archive"
	"nightjar/crawler/fetch"
	"nightjar/crawler/render"
	"nightjar/daemon/settings"
	"nightjar/daemon/store"
)

// web is what the crawls that run at a time share: the fetcher with its politeness to hosts, the browser, the archive.
type web struct {
	fetcher  fetch.Fetcher
	renderer *render.Renderer // nil means that no scripts are run
	pages    int              // rendered a night at most, 0 without limit
	archive  *archive.Archive // nil means that nothing is kept

	night  string        // whose rendered pages are counted
	ration *atomic.Int64 // pages that it may still render
}

// recalled is how far back it matters when a host was asked last.
const recalled = 24 * time.Hour

// recall tells a fetcher what earlier ones knew, so that no restart is a reason to ask a host too soon.
func (s *Scheduler) recall(ctx context.Context, o *fetch.LiveOptions) (err error) {
	if o.Asked, err = s.st.LastAsked(ctx, s.o.Clock.Now().Add(-recalled)); err != nil {
		return err
	}
	o.Silent, err = s.st.Silent(ctx)
	return err
}

// openArchive begins the archive of a night, after what is too old or too much was deleted from the earlier ones.
func (s *Scheduler) openArchive(chosen settings.Settings, userAgent string) *archive.Archive {
	pruned, err := s.o.Archive.Prune(chosen.Archive.Days, chosen.Archive.Megabytes)
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
		s.o.Log.Warn("begin the night's archive: nothing is kept in it", "error", err)
		return nil
	}
	return s.o.Archive
}

// openRenderer prepares a browser for pages that are empty without scripts, nil when that is off or there is none.
func (s *Scheduler) openRenderer(live *fetch.Live, r settings.Render) *render.Renderer {
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

// share gives a crawl its part of the web. A night's crawls together render no more pages than a night may.
func (s *Scheduler) share(ctx context.Context, c store.Crawl, o *crawler.Options) error {
	w := s.web
	if w.archive != nil {
		o.Archive = w.archive
	}
	if w.renderer == nil {
		return nil
	}
	o.Renderer, o.RenderPages = w.renderer, w.pages
	if c.Night == "" || w.pages == 0 {
		return nil
	}
	if w.night != c.Night {
		had, err := s.st.RenderedPages(ctx, c.Night)
		if err != nil {
			return err
		}
		w.night, w.ration = c.Night, new(atomic.Int64)
		w.ration.Store(int64(w.pages - had))
	}
	o.Renderer = rationed{w.renderer, w.ration}
	return nil
}

// rationed is a renderer that the crawls of a night share.
type rationed struct {
	crawler.Renderer
	left *atomic.Int64
}

var errRation = errors.New("as many pages were rendered as a night may")

// Render runs the scripts of a page as long as the night may.
func (r rationed) Render(ctx context.Context, url string, body []byte) ([]byte, []fetch.Exchange, error) {
	if r.left.Add(-1) < 0 {
		return nil, nil, errRation
	}
	return r.Renderer.Render(ctx, url, body)
}

// closeWeb lets go of the web; the next crawl opens it by the settings of its time.
func (s *Scheduler) closeWeb() {
	w := s.web
	s.web = nil
	if w == nil {
		return
	}
	closing := []func() error{}
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
			s.o.Log.Warn("end the night's work", "error", err)
		}
	}
}
