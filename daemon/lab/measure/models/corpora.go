package models

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"nightjar/crawler/fetch"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/session"
	"nightjar/daemon/trainer"
)

const (
	// category is the label of useful pages: about 10 of a session of 50, 30 of 200, 70 of 700, and 110 of all pages.
	category = "subject.Science.Biology.Mammals"

	// mostPlayed is the largest session that is made of games. Larger ones are made of whole corpora.
	mostPlayed = 1000
)

// corpora are recorded pages in a folder that holds
//
//	wikispeedia/articles.warc.gz labels.tsv games_*.tsv   articles, their categories, and games played on them
//	webkb/*.warc.gz docs/*.warc.gz                        other pages, without games
type corpora struct {
	articles *fetch.Replay
	others   *fetch.Replay
	games    []corpus.Game
	labels   *corpus.Labels
}

// prepareRecorded writes sessions of recorded pages.
func prepareRecorded(ctx context.Context, o *options, dir string) error {
	c, err := openCorpora(o.Corpora)
	if err != nil {
		return err
	}
	defer c.articles.Close()
	defer c.others.Close()
	rng := rand.New(rand.NewPCG(o.Seed, 0x62656e6368))
	articles, others := drawn(rng, c.articles.Pages()), drawn(rng, c.others.Pages())
	for _, size := range o.Sizes {
		s, err := c.session(ctx, o, size, articles, others)
		if err != nil {
			return fmt.Errorf("session of %d pages: %w", size, err)
		}
		if err := s.save(dir, size); err != nil {
			return err
		}
	}
	return nil
}

// drawn returns a list in random order.
func drawn(rng *rand.Rand, list []string) []string {
	list = slices.Clone(list)
	rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// openCorpora opens a folder of corpora.
func openCorpora(dir string) (*corpora, error) {
	c := new(corpora)
	for _, part := range []struct {
		patterns []string
		open     func(files []string) error
	}{
		{[]string{"wikispeedia/articles.warc.gz"}, func(files []string) (err error) { c.articles, _, err = fetch.OpenReplay(files); return err }},
		{[]string{"webkb/*.warc.gz", "docs/*.warc.gz"}, func(files []string) (err error) { c.others, _, err = fetch.OpenReplay(files); return err }},
		{[]string{"wikispeedia/games_*.tsv"}, func(files []string) (err error) { c.games, err = corpus.ReadGames(files); return err }},
		{[]string{"wikispeedia/labels.tsv"}, func(files []string) (err error) { c.labels, err = corpus.ReadLabels(files); return err }},
	} {
		var files []string
		for _, p := range part.patterns {
			found, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(p)))
			if err != nil || len(found) == 0 {
				return nil, fmt.Errorf("the corpora folder %s has no %s", dir, p)
			}
			files = append(files, found...)
		}
		if err := part.open(files); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// session makes a session of a size. Half of the pages to score are articles, half are other pages, since a crawl fetches
// both. The background is of other pages.
func (c *corpora) session(ctx context.Context, o *options, size int, articles, others []string) (*sample, error) {
	s := new(sample)
	var err error
	if size <= mostPlayed {
		err = c.play(ctx, s, o.Seed, size)
	} else {
		err = c.visitAll(ctx, s, size, others)
	}
	if err != nil {
		return nil, err
	}
	known := make(map[string]bool)
	for _, p := range s.Set.Pages {
		known[p.URL] = true
	}
	fresh := slices.DeleteFunc(slices.Clone(others), func(url string) bool { return known[url] })
	unread := slices.DeleteFunc(slices.Clone(articles), func(url string) bool { return known[url] })
	if len(unread) < o.Scored/2 {
		unread = articles // the session holds all of them
	}
	half := o.Scored / 2
	if len(fresh) < o.Scored-half+o.Background {
		return nil, fmt.Errorf("only %d pages are left for scoring and the background", len(fresh))
	}
	s.Scored = append(c.documents(ctx, c.articles, unread[:min(half, len(unread))]), c.documents(ctx, c.others, fresh[:o.Scored-half])...)
	for _, d := range c.documents(ctx, c.others, fresh[o.Scored-half:][:o.Background]) {
		s.Set.Background = append(s.Set.Background, d.text())
	}
	return s, nil
}

// play makes a session of games, as "lab corpus games" does.
func (c *corpora) play(ctx context.Context, s *sample, seed uint64, size int) error {
	events, _, err := corpus.Games(ctx, c.articles, c.games, c.labels, corpus.GamesOptions{Category: category, Pages: size, Seed: seed})
	if err != nil {
		return err
	}
	recs, err := session.Fold(events)
	if err != nil {
		return err
	}
	s.Set = trainer.Set("Mammals", recs, nil)
	return nil
}

// visitAll makes a session of all articles, filled up with other pages.
func (c *corpora) visitAll(ctx context.Context, s *sample, size int, others []string) error {
	pages := c.documents(ctx, c.articles, c.articles.Pages())
	pages = pages[:min(size, len(pages))]
	missing := size - len(pages)
	if missing > len(others) {
		return fmt.Errorf("the corpora have only %d pages", len(pages)+len(others))
	}
	pages = append(pages, c.documents(ctx, c.others, others[:missing])...)
	for i, useful := 0, c.labels.With(category); i < len(pages); i++ {
		pages[i].Target = useful[pages[i].URL]
	}
	s.Set = trainingSet("Mammals", pages)
	return ctx.Err()
}

// documents reads pages of a recording and skips those that cannot be read.
func (c *corpora) documents(ctx context.Context, from *fetch.Replay, urls []string) []document {
	var all []document
	for _, url := range urls {
		if r := from.Fetch(ctx, url); r.Outcome == fetch.OK {
			all = append(all, document{URL: r.FinalURL, HTML: r.Body})
		}
	}
	return all
}
