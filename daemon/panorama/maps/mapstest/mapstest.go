// Package mapstest makes documents and maps for tests.
package mapstest

import (
	"testing"

	"nightjar/crawler/fetch"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/crawls/crawlstest"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// Document stores a document without titles of its own.
func Document(tb testing.TB, s *store.Store, key, source string) maps.Document {
	tb.Helper()
	return storetest.Must(maps.AddDocument(tb.Context(), s.DB, maps.Document{Key: key, Title: "Title " + key, Source: source}, nil, maps.ReadDocument{}))(tb)
}

// Mapped fills a store with a document, its topic and crawl, positive pages that were fetched for it, and a finished map of
// four pages, of which the third is of canary.test, as is much else.
func Mapped(tb testing.TB) (s *store.Store, d maps.Document, c crawls.Crawl, m maps.Map) {
	tb.Helper()
	s, other := crawlstest.Open(tb, crawls.Options{Starts: []string{"http://a.test/"}})
	ctx := tb.Context()
	d = storetest.Must(maps.AddDocument(ctx, s.DB, maps.Document{Key: "k", Title: "Glaciers", Source: "paper.pdf"}, []string{"Ice", "About canary.test"}, maps.ReadDocument{
		URLs: []string{"http://canary.test/read", "http://ice.test/"}, Warnings: []maps.DocumentWarning{{What: "no such page: canary.test"}},
	}))(tb)
	storetest.OK(tb, trainingdata.PutPositives(ctx, s.DB, d.ID, []trainingdata.Positive{
		{URL: "http://ice.test/", Reasons: []trainingdata.PositiveReason{{Title: "About canary.test", Stage: "phrase", Place: 1}}},
		{URL: "http://canary.test/p", Title: "canary"}, {URL: "http://moved.test/"},
	}))
	for url, final := range map[string]string{
		"http://ice.test/": "http://ice.test/", "http://canary.test/p": "http://canary.test/p", "http://moved.test/": "http://www.canary.test/moved",
	} {
		res := fetch.Response{URL: url, FinalURL: final, Outcome: fetch.OK, Status: 200, Body: []byte("<p>page " + final)}
		storetest.OK(tb, trainingdata.PutDocumentPage(ctx, s.DB, d.ID, "Page", res))
	}
	topic := storetest.Must(maps.DocumentTopic(ctx, s.DB, d.ID))(tb)
	c = crawlstest.Make(tb, s, crawls.Crawl{TopicID: topic.ID, ModelID: other.ModelID, Strategy: "test", Options: crawls.Options{Starts: []string{"http://ice.test/"}}})
	m = storetest.Must(maps.Add(ctx, s.DB, maps.Map{Source: maps.FromDocument, Title: "Glaciers", Document: d.ID, Topic: topic.ID, Crawl: c.ID, Step: maps.StepDrawing, State: maps.Working,
		Options: maps.Options{Search: "list", List: []string{"http://ice.test/", "http://canary.test/listed"}}}))(tb)
	var pages []maps.Page
	for i, url := range []string{"http://ice.test/", "http://snow.test/", "http://canary.test/mapped", "http://firn.test/"} {
		id := storetest.Fetched(tb, s, c.ID, i+1, url, url, "<p>crawled "+url)
		pages = append(pages, maps.Page{Fetch: id, Community: 1, Similarity: .5})
	}
	storetest.OK(tb, maps.Finish(ctx, s.DB, s.Erasures(), m.ID, []byte(`{"communities":[{"words":["ice","firn"]}]}`), pages))
	return s, d, c, m
}
