package ingest_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"nightjar/daemon/browse/ingest"
	"nightjar/daemon/db"
	"nightjar/daemon/store/storetest"
)

func TestBrowsers(t *testing.T) {
	s := storetest.Open(t)
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	s.Now = func() time.Time { return now }
	b := ingest.Browser{Client: "c", Name: "Firefox", Origin: "moz-extension://x", Key: []byte("0123456789abcdef0123456789abcdef")}
	if _, err := ingest.BrowserByClient(t.Context(), s.DB, "c"); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("before pairing: %v", err)
	}
	storetest.OK(t, ingest.PairBrowser(t.Context(), s.DB, b))
	now = now.Add(time.Hour)
	storetest.OK(t, ingest.BrowserSeen(t.Context(), s.DB, "c"))
	if got, err := ingest.BrowserByClient(t.Context(), s.DB, "c"); err != nil || !reflect.DeepEqual(got, b) {
		t.Errorf("got %+v, %v; want %+v", got, err, b)
	}
	views, err := s.BrowserViews(t.Context())
	if err != nil || len(views) != 1 || !views[0].SeenAt.Equal(now) || !views[0].PairedAt.Equal(now.Add(-time.Hour)) {
		t.Errorf("views %+v, %v", views, err)
	}
	storetest.OK(t, ingest.RevokeBrowser(t.Context(), s.DB, "c"))
	if _, err := ingest.BrowserByClient(t.Context(), s.DB, "c"); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("after revoking: %v", err)
	}
	if n := storetest.Count(t, s, "SELECT count(*) FROM browsers WHERE length(key) = 0 AND revoked_at = "+fmt.Sprint(db.Millis(now))); n != 1 {
		t.Errorf("%d browsers are revoked and have no key, want 1", n)
	}
	b.Name = "Firefox again"
	storetest.OK(t, ingest.PairBrowser(t.Context(), s.DB, b))
	if got, err := ingest.BrowserByClient(t.Context(), s.DB, "c"); err != nil || got.Name != b.Name || len(got.Key) != 32 {
		t.Errorf("paired again: %+v, %v", got, err)
	}
	if err := ingest.RevokeBrowser(t.Context(), s.DB, "nobody"); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("revoking nobody: %v", err)
	}
}
