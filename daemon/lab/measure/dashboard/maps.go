package dashboard

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/morning/search"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/store"
	"nightjar/model/cluster"
	"nightjar/model/label"
	"nightjar/model/layout"
)

const (
	pagesOfMap = 5000
	mapsMade   = 40  // in the list
	titlesMade = 500 // of a document
)

// mapPage is a page of a map as communities.Result has it.
type mapPage struct {
	Fetch   int64   `json:"fetch"`
	URL     string  `json:"url"`
	Title   string  `json:"title"`
	Snippet string  `json:"snippet"`
	Score   float64 `json:"score"`
}

// makeMaps makes maps of 5,000 pages, each made again from the one before, and one of a document that waits for the person.
// It makes none of a small database.
func makeMaps(ctx context.Context, dir string) (err error) {
	name := filepath.Join(dir, "nightjar.db")
	pages, err := mappedPages(ctx, name)
	if err != nil {
		return fmt.Errorf("make maps: %w", err)
	}
	st, err := store.Open(ctx, name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	crawls, err := crawls.Views(ctx, st.DB, 1)
	if err != nil || len(crawls) == 0 || len(pages) < 1000 { // too few pages for maps
		return err
	}
	one := maps.Map{Source: maps.FromCrawl, Title: "A large map", Topic: crawls[0].TopicID, Crawl: crawls[0].ID, Step: maps.StepDrawing}
	for n := range mapsMade {
		one.State = maps.Working
		made, err := maps.Add(ctx, st.DB, one)
		if err != nil {
			return err
		}
		if n+2 < mapsMade { // the pages of the last two are compared
			continue
		}
		if err := finishMap(ctx, st, made.ID, pages); err != nil {
			return err
		}
		one.Earlier = made.ID
	}
	return makeDocument(ctx, st, pages)
}

// mappedPages are pages that crawls read.
func mappedPages(ctx context.Context, name string) (pages []mapPage, err error) {
	db, err := sql.Open("sqlite", store.FileURL(name)+"?mode=ro")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	rows, err := db.QueryContext(ctx, `SELECT id, final_url, title FROM fetches WHERE outcome = 'ok' ORDER BY id DESC LIMIT ?`, pagesOfMap)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		p := mapPage{Score: .5, Snippet: "The barrage of the estuary turns the tide into power, and its gates hold the water of the basin until the sea is low."}
		if err := rows.Scan(&p.Fetch, &p.URL, &p.Title); err != nil {
			return nil, err
		}
		pages = append(pages, p)
	}
	return pages, rows.Err()
}

// finishMap stores a map of five communities.
func finishMap(ctx context.Context, st *store.Store, id int64, pages []mapPage) error {
	const communities = 5
	between := make([][]float64, communities)
	sizes := make([]int, communities)
	for i := range between {
		between[i] = []float64{.3, .3, .3, .3, .3}
		between[i][i], sizes[i] = 1, len(pages)/communities
	}
	var all []map[string]any
	for i, circle := range layout.Places(between, sizes, layout.Options{}) {
		own := pages[i*sizes[i] : (i+1)*sizes[i]]
		c := map[string]any{"size": sizes[i], "circle": circle, "examples": own[:10], "hubs": own[10:20], "authorities": own[20:30]}
		var labels []label.Label
		for _, text := range []string{"tidal power", "barrage", "OTEC", "estuary", "generators"} {
			labels = append(labels, label.Label{Text: text, Words: []string{text}, Score: 1, Pages: 10})
		}
		var words []cluster.Scored
		for k := range 30 {
			words = append(words, cluster.Scored{Term: fmt.Sprint("term", k), Score: 1})
		}
		c["labels"], c["words"] = labels, words
		all = append(all, c)
	}
	result, err := json.Marshal(map[string]any{"made": time.Now(), "communities": all, "between": between, "classified": true,
		"counts": map[string]int{"fetched": pagesOfMap, "pages": len(pages), "kept": len(pages)}})
	if err != nil {
		return err
	}
	var stored []maps.Page
	for i, p := range pages {
		stored = append(stored, maps.Page{Fetch: p.Fetch, Community: 1 + i*communities/len(pages), Similarity: .5, Probability: .5})
	}
	return maps.Finish(ctx, st.DB, st.Erasures(), id, result, stored)
}

// makeDocument makes a document with many titles and pages, whose map waits.
func makeDocument(ctx context.Context, st *store.Store, pages []mapPage) error {
	var titles []string
	var found []trainingdata.Positive
	for i, p := range pages[:titlesMade] {
		titles = append(titles, p.Title)
		found = append(found, trainingdata.Positive{URL: p.URL, Title: p.Title, Snippet: p.Snippet, LeftOut: i%5 == 0,
			Reasons: []trainingdata.PositiveReason{{Title: p.Title, Stage: search.TitlePhrase, Place: 1}}})
	}
	d, err := maps.AddDocument(ctx, st.DB, maps.Document{Key: "large", Title: "A large bibliography", Source: "large.bib"}, titles, maps.ReadDocument{Kind: "bibtex"})
	if err != nil {
		return err
	}
	if err := trainingdata.PutPositives(ctx, st.DB, d.ID, found); err != nil {
		return err
	}
	_, err = maps.Add(ctx, st.DB, maps.Map{Source: maps.FromDocument, Title: d.Title, Document: d.ID, Step: maps.StepPages, State: maps.Waiting,
		Options: maps.Options{Hold: true}})
	return err
}
