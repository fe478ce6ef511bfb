package harvest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"nightjar/daemon/lab/corpus"
)

// The groups.
const (
	wikispeedia = "wikispeedia"
	webkb       = "webkb"
)

// topic is a document, or a topic on one web.
type topic struct {
	name       string
	web        *web
	references []int // the pages that it names
	known      []int // those that a crawl's classifier learns from, a random half
	negatives  []int // of the classifier that judges; the crawl's has the first of them
	starts     []int
}

// learned are how many negatives a classifier of so many positives has, [PANORAMA] §3.3.
func learned(positives int) int { return 2 * positives }

// documents draws articles of Wikispeedia. The negative pages of a document are references of the others.
func documents(ctx context.Context, o *options) ([]*topic, error) {
	w, err := openWeb(ctx, o.Corpora, "wikispeedia/articles.warc.gz")
	if err != nil {
		return nil, err
	}
	return drawTopics(w, o)
}

func drawTopics(w *web, o *options) ([]*topic, error) {
	rng := rand.New(rand.NewPCG(o.Seed, 47))
	drawn := drawDocuments(w.links, o.Documents, rng)
	if len(drawn) < 2 {
		return nil, fmt.Errorf("%d of %d pages have %d to %d links; two are needed", len(drawn), len(w.links), fewestLinks, mostLinks)
	}
	titled := make(map[string][]int)
	for i, title := range w.titles {
		titled[title] = append(titled[title], i)
	}
	var all []*topic
	for _, d := range drawn {
		t := &topic{name: w.titles[d], web: w}
		for _, to := range w.links[d] {
			for _, p := range titled[w.titles[to]] { // the title is what a reference tells
				if p != d && !slices.Contains(t.references, p) {
					t.references = append(t.references, p)
				}
			}
		}
		all = append(all, t)
	}
	for i, t := range all {
		var pool []int
		for k, other := range all {
			if k != i {
				pool = append(pool, other.references...)
			}
		}
		own := setOf(append([]int{drawn[i]}, t.references...))
		t.known = half(t.references, rng)
		t.negatives = drawNegatives(pool, own, learned(len(t.references)), rng)
		t.starts = startPages(t.known, w.back, map[int]bool{drawn[i]: true}, o.Inlinks, rng)
	}
	return all, nil
}

// universities are those of WebKB.
var universities = []string{"cornell", "texas", "washington"}

// courses are the courses of each university, with several random halves. The negative pages are other pages of all three.
func courses(ctx context.Context, o *options) ([]*topic, error) {
	var files, labels []string
	for _, u := range universities {
		files = append(files, "webkb/"+u+".warc.gz")
		labels = append(labels, filepath.Join(o.Corpora, "webkb", u+".labels.tsv"))
	}
	w, err := openWeb(ctx, o.Corpora, files...)
	if err != nil {
		return nil, err
	}
	known, err := corpus.ReadLabels(labels)
	if err != nil {
		return nil, err
	}
	course := known.With("course")
	var references, others []int
	for i, url := range w.urls {
		if course[url] {
			references = append(references, i)
		} else {
			others = append(others, i)
		}
	}
	if len(references) < 2 || len(others) < 2 {
		return nil, errors.New("the recordings of WebKB hold no courses, or nothing else")
	}
	rng := rand.New(rand.NewPCG(o.Seed, 48))
	var all []*topic
	for draw := range o.Draws {
		for _, u := range universities {
			labelled, err := corpus.ReadLabels([]string{filepath.Join(o.Corpora, "webkb", u+".labels.tsv")})
			if err != nil {
				return nil, err
			}
			here := labelled.With("course")
			t := &topic{name: fmt.Sprintf("courses at %s, draw %d", u, draw+1), web: w, references: references}
			t.known = half(references, rng)
			t.negatives = drawNegatives(others, nil, learned(len(references)), rng)
			own := slices.DeleteFunc(slices.Clone(t.known), func(p int) bool { return !here[w.urls[p]] })
			t.starts = startPages(own, w.back, nil, o.Inlinks, rng)
			all = append(all, t)
		}
	}
	return all, nil
}
