package erasing

import (
	"errors"
	"testing"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// TestUnlinkingErases: from before its transaction ends, what was made of a page with the links is not stored.
func TestUnlinkingErases(t *testing.T) {
	s := storetest.Open(t)
	c, err := store.Packed([]byte(`<a href="http://one.test/">one</a>`))
	if err != nil {
		t.Fatal(err)
	}
	storetest.OK(t, s.Exec(t.Context(), "INSERT INTO contents (hash, gzip) VALUES (?, ?)", c.Hash[:], c.Gzip))
	read := s.Erasures()
	_, _, err = unlinkContents(t.Context(), s.DB, nil, nil, func([]byte) (unlinkedPage, bool) { return unlinkedPage{HTML: []byte("one")}, true },
		func(w *db.Work, _ []byte, _ unlinks) {
			late := &db.Work{}
			if late.Unerased(s.DB, read); !errors.Is(late.Err, db.ErrErased) {
				t.Error(late.Err)
			}
		})
	storetest.OK(t, err)
}

// TestErasedWhileUnlinked: a page that is erased while a site is being taken out of it does not come back without the site.
func TestErasedWhileUnlinked(t *testing.T) {
	s := storetest.Open(t)
	c, err := store.Packed([]byte(`<a href="http://one.test/">one</a>`))
	if err != nil {
		t.Fatal(err)
	}
	storetest.OK(t, s.Exec(t.Context(), "INSERT INTO contents (hash, gzip) VALUES (?, ?)", c.Hash[:], c.Gzip))
	var asked int
	_, _, err = unlinkContents(t.Context(), s.DB, nil, nil, func([]byte) (unlinkedPage, bool) {
		asked++
		if err := All(t.Context(), s); err != nil {
			t.Error(err)
		}
		return unlinkedPage{HTML: []byte("one")}, true
	}, nil)
	if err != nil || asked != 1 {
		t.Fatalf("%d pages, %v", asked, err)
	}
	var left int
	if err := s.Readers.QueryRow("SELECT count(*) FROM contents").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d pages are stored, %v", left, err)
	}
}
