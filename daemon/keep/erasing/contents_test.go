package erasing

import (
	"testing"

	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

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
