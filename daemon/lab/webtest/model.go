package webtest

import (
	"strconv"
	"testing"

	"nightjar/model"
)

// ModelPath is the page of the demo's model.
func (d Demo) ModelPath() string { return "/model/" + strconv.FormatInt(d.Topic, 10) }

// ModelPart is a part of that page.
func (d Demo) ModelPart(part string) string { return d.ModelPath() + "/newest/" + part }

// CopyBundle copies the demo's model, for a test that changes it.
func (d Demo) CopyBundle(t testing.TB) *model.Bundle {
	t.Helper()
	encoded, err := d.Bundle.Encode()
	if err != nil {
		t.Fatal(err)
	}
	b, err := model.Decode(encoded)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// StoreBundle stores a bundle in place of that of a model.
func (s *Site) StoreBundle(t testing.TB, id int64, b *model.Bundle) {
	t.Helper()
	encoded, err := b.Encode()
	if err != nil {
		t.Fatal(err)
	}
	s.Exec(t, `UPDATE models SET bundle = ? WHERE id = ?`, encoded, id)
	s.Exec(t, `DELETE FROM model_pictures`)
	s.Store.Erasing()() // so that models are read again
}
