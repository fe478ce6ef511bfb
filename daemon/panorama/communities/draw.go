package communities

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
	"nightjar/daemon/db"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/panorama/maps"
	"nightjar/model"
	"nightjar/model/community"
	"nightjar/model/label"
	"nightjar/model/naivebayes"
)

// Limits for reading a crawl's pages.
const (
	textOfAll    = 256 << 20 // bytes of text in memory
	mostText     = 64 << 10  // bytes of text of a page, and
	leastText    = 4 << 10   // at least, however many pages there are
	linksOfAPage = 5000
)

// draw is the step StepDrawing: it reads the pages of the crawl, finds the communities and stores them. When something is
// erased meanwhile, it begins again.
func (m *Maker) draw(ctx context.Context, one maps.Map) error {
	select {
	case m.drawing <- struct{}{}:
		defer func() { <-m.drawing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	for {
		erasures := m.Store.Erasures()
		d, err := m.read(ctx, one)
		if err != nil {
			return err
		}
		if err := d.find(ctx, func(s community.Step) {
			m.note(one.ID, Progress{Step: maps.StepDrawing, Done: len(d.pages) + int(s), Of: len(d.pages) + int(community.Steps), Text: stepWords[s]})
		}); err != nil {
			return err
		}
		result, err := json.Marshal(d.result(m.Now().UTC()))
		if err != nil {
			return err
		}
		err = maps.Finish(ctx, m.Store.DB, erasures, one.ID, result, d.mapPages())
		if !errors.Is(err, db.ErrErased) {
			return err
		}
	}
}

var stepWords = [community.Steps]string{
	"counting words", "grouping pages", "finding hubs and authorities", "naming communities", "placing communities",
}

// drawing is a map that is being drawn. Its slices are of the pages with text, in the order of their fetching.
type drawing struct {
	one     maps.Map
	bundle  *model.Bundle // nil when it cannot be read
	fetched int           // pages of the crawl's budget used
	gone    int           // pages whose content is not kept

	pages []maps.CrawledPage
	texts []community.Page

	others []string // texts of other pages, with which the map is compared

	p     []float64
	links [][2]int
	found *community.Map
}

// read reads the pages of a map's crawl from the store, on all processors.
func (m *Maker) read(ctx context.Context, one maps.Map) (*drawing, error) {
	d := &drawing{one: one}
	c, err := crawls.Get(ctx, m.Store.DB, one.Crawl)
	if err != nil {
		return nil, err
	}
	d.fetched = c.Totals.Fetched
	if d.bundle, err = m.bundleOf(ctx, c); err != nil {
		return nil, err
	}
	own, err := m.ownPage(ctx, one)
	if err != nil {
		return nil, err
	}
	all, err := maps.CrawledPages(ctx, m.Store.DB, c.ID)
	if err != nil {
		return nil, err
	}
	place := d.choose(all, own)
	if err := m.readPages(ctx, d, place); err != nil {
		return nil, err
	}
	return d, m.readOthers(ctx, d, c.TopicID)
}

// bundleOf returns the model of a crawl; nil when it is of an older format or was forgotten.
func (m *Maker) bundleOf(ctx context.Context, c crawls.Crawl) (*model.Bundle, error) {
	used, err := models.ByID(ctx, m.Store.DB, c.ModelID)
	if err != nil {
		return nil, err
	}
	b, err := used.Bundle()
	if err != nil {
		m.Log.Warn("the model of a crawl cannot be read; its map is made without a classifier", "crawl", c.ID, "error", err)
		return nil, nil
	}
	return b, nil
}

// ownPage is the address of a map's document, "" when it has none.
func (m *Maker) ownPage(ctx context.Context, one maps.Map) (string, error) {
	if one.Document == 0 {
		return "", nil
	}
	d, err := maps.DocumentByID(ctx, m.Store.DB, one.Document)
	if err != nil {
		return "", err
	}
	url, err := weburl.Canonical(d.Source)
	if err != nil || !strings.Contains(d.Source, "://") {
		return "", nil
	}
	return url, nil
}

// choose picks the pages of a map: each once, without copies and without the document itself. place tells which page an
// address leads to, also by redirects and copies.
func (d *drawing) choose(all []maps.CrawledPage, own string) (place map[string]int) {
	place = map[string]int{}
	byText := map[int64]int{}
	for _, p := range all {
		at, known := place[p.Final]
		if same, is := byText[p.TextHash]; !known && p.Copy && is && p.TextHash != 0 {
			at, known = same, true
		}
		if !known {
			if p.Copy || p.Final == own || p.URL == own {
				continue
			}
			if p.Hash == nil {
				d.gone++
				continue
			}
			at = len(d.pages)
			d.pages = append(d.pages, p)
			byText[p.TextHash] = at
		}
		place[p.Final] = at
		if _, taken := place[p.URL]; !taken {
			place[p.URL] = at
		}
	}
	return place
}

// readPages reads the texts and links of the chosen pages, and leaves those without text out.
func (m *Maker) readPages(ctx context.Context, d *drawing, place map[string]int) error {
	n := len(d.pages)
	most := min(max(textOfAll/max(n, 1), leastText), mostText)
	texts, p, out := make([]community.Page, n), make([]float64, n), make([][]int, n)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	read := make(chan struct{}, n)
	for i := range d.pages {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error {
			html, err := m.Store.Content(ctx, d.pages[i].Hash)
			if err != nil {
				return fmt.Errorf("read the page of fetch %d: %w", d.pages[i].Fetch, err)
			}
			parsed, err := page.Parse(d.pages[i].Final, page.ContentUTF8, html)
			if err != nil {
				return nil // it has no text for us
			}
			texts[i], p[i] = d.readText(parsed, most)
			out[i] = targets(parsed, place)
			read <- struct{}{}
			m.note(d.one.ID, Progress{Step: maps.StepDrawing, Done: len(read), Of: n + int(community.Steps), Text: "reading pages"})
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	d.compact(texts, p, out)
	if len(d.pages) == 0 {
		return ErrNoPages
	}
	return nil
}

// readText returns a page as communities are found in it, and its P(c⁺|p). In the paper's way only the head of the page is read.
func (d *drawing) readText(parsed *page.Page, most int) (community.Page, float64) {
	text := parsed.Text
	if d.one.Options.Paper {
		text = naivebayes.Head(text)
	}
	one := community.Page{
		Text: cut(text, most), Site: weburl.Site(parsed.URL), Host: weburl.Host(parsed.URL), Folder: folder(parsed.URL),
	}
	if d.bundle == nil || d.bundle.Bayes == nil {
		return one, 0
	}
	stems, _ := d.bundle.StemsOf(parsed.Language, one.Text)
	r := d.bundle.Bayes.Read(stems)
	one.LogOdds = r.LogOdds
	return one, r.P
}

// folder is the part of an address up to the last slash of its path.
func folder(url string) string {
	url, _, _ = strings.Cut(url, "?")
	return url[:strings.LastIndexByte(url, '/')+1]
}

// cut returns a copy of the first bytes of a text, cut between lines or at least between characters.
func cut(text string, most int) string {
	if len(text) <= most {
		return strings.Clone(text)
	}
	text = text[:most]
	if line := strings.LastIndexByte(text, '\n'); line > most/2 {
		text = text[:line]
	}
	return strings.Clone(strings.ToValidUTF8(text, ""))
}

// targets lists the chosen pages that a page links to, each once.
func targets(parsed *page.Page, place map[string]int) (all []int) {
	seen := map[int]bool{}
	for _, l := range parsed.Links[:min(len(parsed.Links), linksOfAPage)] {
		if to, ok := place[l.URL]; ok && !seen[to] {
			seen[to] = true
			all = append(all, to)
		}
	}
	return all
}

// compact leaves pages without text out and numbers the links anew.
func (d *drawing) compact(texts []community.Page, p []float64, out [][]int) {
	now := make([]int, len(d.pages)) // of each page: its new number, or -1
	kept := d.pages[:0]
	for i, one := range d.pages {
		now[i] = -1
		if strings.TrimSpace(texts[i].Text) != "" {
			now[i] = len(kept)
			kept = append(kept, one)
			d.texts, d.p = append(d.texts, texts[i]), append(d.p, p[i])
		}
	}
	d.pages = kept
	for i, tos := range out {
		for _, to := range tos {
			if now[i] >= 0 && now[to] >= 0 && i != to {
				d.links = append(d.links, [2]int{now[i], now[to]})
			}
		}
	}
}

// find finds the communities.
func (d *drawing) find(ctx context.Context, progress func(community.Step)) (err error) {
	o := d.one.Options
	how := community.Options{
		Clusters: o.Clusters, Auto: o.Auto, All: !d.classified(), Links: community.Rule(o.Links), Others: d.others, Seed: o.Seed,
		Labels: label.Options{Plain: o.Words},
	}
	if o.Paper {
		how.Links, how.Unscaled, how.Labels.Plain = community.EveryLink, true, true
	}
	d.found, err = community.Find(ctx, d.texts, d.links, how, progress)
	return err
}

// classified reports whether there is a classifier.
func (d *drawing) classified() bool { return d.bundle != nil && d.bundle.Bayes != nil }

// mapPages lists the pages as they are stored.
func (d *drawing) mapPages() []maps.Page {
	all := make([]maps.Page, len(d.pages))
	for i, p := range d.pages {
		all[i] = maps.Page{Fetch: p.Fetch, Similarity: d.found.Similarity[i], Probability: d.p[i]}
		switch c := d.found.Cluster[i]; c {
		case community.Dropped:
			all[i].Community = -1
		case community.NoWords:
			all[i].Community = 0
		default:
			all[i].Community = c + 1
		}
	}
	return all
}

// snippet is what a page of a map says first.
func (d *drawing) snippet(i int) string {
	return (&page.Page{Text: d.texts[i].Text}).Snippet(d.pages[i].Title)
}
