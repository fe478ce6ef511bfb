package communities

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/texts"
	"nightjar/crawler/weburl"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/morning/search"
	"nightjar/daemon/panorama/document"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/panorama/trainingset"
	"nightjar/model"
)

// How positive pages are fetched.
const (
	hostsAtOnce = 8
	mostWait    = 2 * time.Minute // for a host that must rest; its pages are left out after that

	indexStuck = 10 * time.Second // without progress of the search index, nobody works on it
	indexMost  = 10 * time.Minute
)

// findPages is the step StepPages: it looks for the titles, fetches what is not stored, and checks that a classifier can be
// trained. note says what was not asked.
func (m *Maker) findPages(ctx context.Context, one maps.Map) (note string, err error) {
	asked, titles, err := m.search(ctx, one)
	if err != nil {
		return "", err
	}
	if _, local := asked.(*trainingset.Local); local {
		if err := m.indexed(ctx, one.ID); err != nil {
			return "", err
		}
	}
	result, err := trainingset.Run(ctx, asked, titles, func(p trainingset.Progress) {
		m.note(one.ID, Progress{Step: maps.StepPages, Done: p.Done, Of: p.Of, Text: "looked for “" + p.Title + "”"})
	})
	if err != nil {
		return "", err
	}
	if err := trainingdata.PutPositives(ctx, m.Store.DB, one.Document, result.Pages); err != nil {
		return "", err
	}
	err = m.found(ctx, one)
	if err == nil {
		err = m.fetchPages(ctx, one)
	}
	if err == nil {
		err = m.enough(ctx, one)
	}
	if result.Ended != nil {
		note = sentence(result.Ended.Error())
	}
	if err != nil {
		if result.Ended != nil {
			err = fmt.Errorf("%w; %w", err, result.Ended)
		}
		return "", err
	}
	return note, nil
}

// indexed waits until the search index has all pages, as after an import, as long as it is being brought up to date.
func (m *Maker) indexed(ctx context.Context, id int64) error {
	began := time.Now()
	moved, last := began, int64(0)
	for {
		queue, err := search.Queue(ctx, m.Store.DB, 1)
		if err != nil || len(queue) == 0 {
			return err
		}
		now := time.Now()
		if queue[0].QueueID != last {
			moved, last = now, queue[0].QueueID
		}
		if now.Sub(moved) > indexStuck || now.Sub(began) > indexMost {
			m.Log.Warn("the search index is not up to date; some pages may not be found", "map", id)
			return nil
		}
		m.note(id, Progress{Step: maps.StepPages, Text: "bringing the search index up to date"})
		if !clock.Sleep(ctx, clock.System, 100*time.Millisecond) {
			return ctx.Err()
		}
	}
}

// found returns why it is of no use to fetch pages: there are too few, even if all can be read.
func (m *Maker) found(ctx context.Context, one maps.Map) error {
	pages, err := trainingdata.PositivePages(ctx, m.Store.DB, one.Document)
	if err != nil {
		return err
	}
	kept := 0
	for _, p := range pages {
		if !p.LeftOut {
			kept++
		}
	}
	if kept < trainingdata.MinPositives {
		return fmt.Errorf("%s found, none was fetched: %w", texts.Count(kept, "page was", "pages were"), trainingdata.ErrFewPositives)
	}
	return nil
}

// enough returns why a classifier cannot be trained: there are too few positive or negative pages with content.
func (m *Maker) enough(ctx context.Context, one maps.Map) error {
	pages, err := trainingdata.PositivePages(ctx, m.Store.DB, one.Document)
	if err != nil {
		return err
	}
	var positives []string
	for _, p := range pages {
		if !p.LeftOut && len(p.Hash) > 0 {
			positives = append(positives, p.URL)
		}
	}
	if len(positives) < trainingdata.MinPositives {
		return fmt.Errorf("%d of %d found can be learned from: %w", len(positives), len(pages), trainingdata.ErrFewPositives)
	}
	d, err := maps.DocumentByID(ctx, m.Store.DB, one.Document)
	if err != nil {
		return err
	}
	_, err = trainingdata.DrawNegatives(ctx, m.Store, d.ID, d.Topic, positives, model.DefaultSettings().Seed)
	return err
}

// fetchPages fetches the positive pages that are not stored: those of a host one after the other, and hostsAtOnce hosts at
// the same time. A page that was requested before is not requested again.
func (m *Maker) fetchPages(ctx context.Context, one maps.Map) error {
	pages, err := trainingdata.PositivePages(ctx, m.Store.DB, one.Document)
	if err != nil {
		return err
	}
	byHost := map[string][]string{}
	var hosts []string
	count := 0
	for _, p := range pages {
		if p.LeftOut || len(p.Hash) > 0 || p.Outcome != "" {
			continue
		}
		host := weburl.Host(p.URL)
		if byHost[host] == nil {
			hosts = append(hosts, host)
		}
		byHost[host] = append(byHost[host], p.URL)
		count++
	}
	if count == 0 {
		return nil
	}
	f, release, err := m.Scheduler.Borrow(ctx)
	if err != nil {
		return err
	}
	defer release()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(hostsAtOnce)
	done := make(chan string, count)
	for _, host := range hosts {
		group.Go(func() error {
			for _, url := range byHost[host] {
				if err := m.fetchPage(ctx, f, one, url); err != nil {
					return err
				}
				done <- url
				m.note(one.ID, Progress{Step: maps.StepPages, Done: len(done), Of: count, Text: "fetched " + url})
			}
			return nil
		})
	}
	return group.Wait()
}

// fetchPage fetches one positive page and stores how that ended. The error is one of this computer.
func (m *Maker) fetchPage(ctx context.Context, f fetch.Fetcher, one maps.Map, url string) error {
	res, err := patient(ctx, f, url, m.Now)
	if err != nil {
		return err
	}
	title := ""
	if res.Outcome == fetch.OK {
		if p, err := page.Parse(res.FinalURL, page.ContentUTF8, res.Body); err == nil {
			title = p.Title
		}
	}
	return trainingdata.PutDocumentPage(context.WithoutCancel(ctx), m.Store.DB, one.Document, title, res)
}

// patient fetches a page and, when its host must rest, waits for it. The error is that of ctx.
func patient(ctx context.Context, f fetch.Fetcher, url string, now func() time.Time) (fetch.Response, error) {
	for until := now().Add(mostWait); ; {
		res := f.Fetch(ctx, url)
		if err := ctx.Err(); err != nil && (res.Outcome == fetch.Canceled || res.Outcome == fetch.Later) {
			return res, err
		}
		if res.Outcome != fetch.Later {
			return res, nil
		}
		ready := f.ReadyAt(res.FinalURL)
		if ready.After(until) || !now().Before(until) {
			return res, nil
		}
		if !clock.Sleep(ctx, clock.System, max(ready.Sub(now()), 100*time.Millisecond)) {
			return res, ctx.Err()
		}
	}
}

// download fetches a document from its address, as politely as a page.
func (m *Maker) download(ctx context.Context, src Source) (Source, error) {
	if src.URL == "" {
		return src, ErrNoSource
	}
	url, err := weburl.Canonical(src.URL)
	if err != nil {
		return src, &document.Problem{What: "this is no address of a document", Next: "write it such as https://example.org/paper.pdf"}
	}
	f, release, err := m.Scheduler.Borrow(ctx)
	if err != nil {
		return src, err
	}
	defer release()
	res, err := patient(fetch.Documents(ctx, document.MaxBytes), f, url, m.Now)
	if err != nil {
		return src, err
	}
	if res.Outcome == fetch.TooLarge {
		return src, document.ErrTooLarge
	}
	if res.Outcome != fetch.OK {
		return src, &document.Problem{What: "this address gives no document: " + res.Reason, Next: "download the file and choose it, or paste its titles, one a line"}
	}
	src.URL, src.Body = res.FinalURL, res.Body
	if src.Body == nil {
		src.Body = []byte{}
	}
	return src, nil
}
