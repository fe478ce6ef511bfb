package store

import (
	"database/sql"
	"testing"
)

// TestErasedWhileUnlinked: a page that is erased while a site is being taken out of it does not come back without the site.
func TestErasedWhileUnlinked(t *testing.T) {
	s := open(t)
	c, err := Packed([]byte(`<a href="http://one.test/">one</a>`))
	if err != nil {
		t.Fatal(err)
	}
	err = s.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := s.putContent(t.Context(), tx, c)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var asked int
	_, _, err = s.UnlinkContents(t.Context(), nil, func([]byte) (Unlinked, bool) {
		asked++
		if err := s.EraseAll(t.Context()); err != nil {
			t.Error(err)
		}
		return Unlinked{HTML: []byte("one")}, true
	}, nil)
	if err != nil || asked != 1 {
		t.Fatalf("%d pages, %v", asked, err)
	}
	var left int
	if err := s.Readers.QueryRow("SELECT count(*) FROM contents").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d pages are stored, %v", left, err)
	}
}
