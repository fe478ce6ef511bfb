package trainer

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/store"
	"nightjar/model"
	"nightjar/model/text"
)

// maxBackground is the largest number of background pages.
const maxBackground = 2000

// background is the pages that represent the rest of the web.
type background struct {
	texts    []string
	declared []string      // languages of the pages
	sessions []string      // of the pages, sorted
	hosts    []string      // of the pages, sorted
	offTopic []text.Source // those that the person marked as of another topic
}

// background reads pages of other topics: pages that their sessions visited and that crawls fetched. It leaves out the
// topic's own pages. Marks with an id above last do not count.
func (t *Trainer) background(ctx context.Context, topicID int64, own []model.Page, last int64) (background, error) {
	all, err := trainingdata.Background(ctx, t.Store.DB, topicID, last)
	if err != nil {
		return background{}, err
	}
	known := map[string]bool{}
	for _, p := range own {
		known[p.URL] = true
	}
	var b background
	texts := map[string]text.Source{}
	for _, p := range spread(all, known, maxBackground) {
		read, err := t.text(ctx, p, texts)
		if err != nil {
			return background{}, err
		}
		if strings.TrimSpace(read.Text) == "" {
			continue // a frameset or an image
		}
		b.texts, b.declared = append(b.texts, read.Text), append(b.declared, read.Declared)
		b.hosts = append(b.hosts, weburl.Host(p.URL))
		switch {
		case p.Session != "":
			b.sessions = append(b.sessions, p.Session)
		case p.Crawl == 0:
			b.offTopic = append(b.offTopic, read)
		}
	}
	t.mu.Lock()
	t.texts = texts
	t.mu.Unlock()
	b.hosts, b.sessions = sortedSet(b.hosts), sortedSet(b.sessions)
	return b, nil
}

// text returns a page's text and declared language and adds it to kept, from which the next training takes texts that it needs again.
func (t *Trainer) text(ctx context.Context, p trainingdata.BackgroundPage, kept map[string]text.Source) (text.Source, error) {
	key := string(p.Hash)
	t.mu.Lock()
	read, ok := t.texts[key]
	t.mu.Unlock()
	if !ok {
		html, err := t.Store.Content(ctx, p.Hash)
		if errors.Is(err, store.ErrNotFound) {
			return read, nil // erased in the meantime
		}
		if err != nil {
			return read, err
		}
		if parsed, err := page.Parse(p.URL, page.ContentUTF8, html); err == nil {
			read = text.Source{Text: parsed.Text, Declared: parsed.Language}
		}
	}
	kept[key] = read
	return read, nil
}

// spread picks at most limit pages, evenly from their sessions and crawls: one from each in turn, in the given order.
// It picks no known address, and no address or content twice.
func spread(all []trainingdata.BackgroundPage, known map[string]bool, limit int) []trainingdata.BackgroundPage {
	type source struct {
		session string
		crawl   int64
	}
	var sources [][]trainingdata.BackgroundPage
	at := map[source]int{}
	for _, p := range all {
		key := source{p.Session, p.Crawl}
		i, ok := at[key]
		if !ok {
			i = len(sources)
			at[key] = i
			sources = append(sources, nil)
		}
		sources[i] = append(sources[i], p)
	}
	var picked []trainingdata.BackgroundPage
	urls, hashes := map[string]bool{}, map[string]bool{}
	for left := len(all); left > 0 && len(picked) < limit; {
		for i := range sources {
			for len(sources[i]) > 0 && len(picked) < limit {
				p := sources[i][0]
				sources[i] = sources[i][1:]
				left--
				if !known[p.URL] && !urls[p.URL] && !hashes[string(p.Hash)] {
					urls[p.URL], hashes[string(p.Hash)] = true, true
					picked = append(picked, p)
					break
				}
			}
		}
	}
	return picked
}

// sortedSet sorts a list and removes duplicates.
func sortedSet[T cmp.Ordered](list []T) []T {
	slices.Sort(list)
	return slices.Compact(list)
}
