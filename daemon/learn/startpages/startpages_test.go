package startpages

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"nightjar/daemon/db"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/crawls/crawlstest"
	"nightjar/daemon/store/storetest"
)

func TestStarts(t *testing.T) {
	s, c := crawlstest.Open(t, crawls.Options{})
	ctx := t.Context()
	secret := "https://a.test/?access_token=8f3a9c1d7e5b2a6f4c8d"
	storetest.OK(t, Propose(ctx, s.DB, c.TopicID, []string{"http://A.test:80/x#y", secret, "mailto:a@b.test"}, s.Erasures()))
	if u, err := Add(ctx, s.DB, c.TopicID, "HTTP://b.test"); err != nil || u != "http://b.test/" {
		t.Errorf("Add = %q, %v", u, err)
	}
	if _, err := Add(ctx, s.DB, c.TopicID, secret); !errors.Is(err, ErrSecret) {
		t.Errorf("Add of a secret: %v", err)
	}
	if _, err := Add(ctx, s.DB, c.TopicID, "ftp://b.test"); err == nil {
		t.Error("Add takes ftp")
	}
	ticked := func(want ...string) {
		t.Helper()
		if got, err := Ticked(ctx, s.DB, c.TopicID); err != nil || !slices.Equal(got, want) {
			t.Errorf("ticked %v, want %v (%v)", got, want, err)
		}
	}
	ticked("http://b.test/")
	if topics, err := Topics(ctx, s.DB); err != nil || !slices.Equal(topics, []int64{c.TopicID}) {
		t.Errorf("topics to crawl %v, %v", topics, err)
	}
	storetest.OK(t, Tick(ctx, s.DB, c.TopicID, "http://a.test/x", true))
	storetest.OK(t, Propose(ctx, s.DB, c.TopicID, []string{"http://a.test/x"}, s.Erasures()))
	read := s.Erasures()
	s.Erasing()()
	if err := Propose(ctx, s.DB, c.TopicID, []string{"http://erased.test/"}, read); !errors.Is(err, db.ErrErased) { // of sessions that were read before
		t.Error(err)
	}
	storetest.OK(t, Tick(ctx, s.DB, c.TopicID, "http://b.test/", false))
	ticked("http://a.test/x")
	if err := Tick(ctx, s.DB, c.TopicID, "http://never.test/", true); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("Tick of an unknown page: %v", err)
	}
	sources := map[string]string{}
	all, err := All(ctx, s.DB, c.TopicID)
	for _, start := range all {
		sources[start.URL] = start.Source
	}
	if want := map[string]string{"http://a.test/x": Proposed, "http://b.test/": Added}; err != nil || !maps.Equal(sources, want) {
		t.Errorf("starts %+v, %v", all, err)
	}
}
