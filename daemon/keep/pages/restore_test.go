package pages

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/daemon/keep/backup"
	"nightjar/daemon/lab/webtest"
)

// upload posts a file as the restore form does.
func (f *fixture) upload(t *testing.T, text []byte, origin string) *httptest.ResponseRecorder {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("backup", `..\..\x".zip`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := part.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	return f.Ask(http.MethodPost, restorePath, &body, "Content-Type", form.FormDataContentType(), "Origin", origin)
}

func TestRestorePage(t *testing.T) {
	s := seed(t)
	file := s.Get("/settings/backup").Body.Bytes()
	own := "http://" + s.Host
	if w := s.upload(t, file, "http://evil.test"); w.Code != http.StatusForbidden {
		t.Errorf("from another site: %d", w.Code)
	}
	if w := s.upload(t, []byte("no backup at all"), own); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "Nothing was changed") {
		t.Errorf("no backup: %d %s", w.Code, w.Body)
	}
	if w := s.Post("/settings/restore/confirm", nil); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("confirmed without a backup: %d", w.Code)
	}
	w := s.upload(t, file, own)
	if w.Code != http.StatusOK || len(file) < 1<<18 {
		t.Fatalf("%d, a backup of %d bytes: %s", w.Code, len(file), w.Body)
	}
	if said := webtest.Text(webtest.Tree(t, w).Find("main")); !strings.Contains(said, "1 session of 1 topic") || !strings.Contains(said, ".before-2026-11-21") {
		t.Error(said)
	}
	dir := filepath.Dir(s.Store.Path())
	s.MustPost(t, "/settings/restore/confirm", url.Values{"keep": {"1"}})
	if left, _ := filepath.Glob(filepath.Join(dir, "restore*")); len(left) > 0 || s.restarted > 0 {
		t.Errorf("kept the data: %v left, restarted %d times", left, s.restarted)
	}
	s.upload(t, file, own)
	if w := s.Post("/settings/restore/confirm", nil); w.Code != http.StatusOK || s.restarted != 1 {
		t.Errorf("%d, restarted %d times", w.Code, s.restarted)
	}
	if _, err := os.Stat(filepath.Join(dir, "restore", "nightjar.db")); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "upload-*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestSpacePage(t *testing.T) {
	s := seed(t)
	sizes, err := backup.Sizes(t.Context(), s.Store.DB)
	if err != nil {
		t.Fatal(err)
	}
	var sum int64
	for _, k := range sizes {
		sum += k.Bytes
	}
	if whole, err := backup.Size(t.Context(), s.Store.DB); err != nil || sum != whole {
		t.Errorf("the kinds take %d bytes, the database %d, %v: %+v", sum, whole, err, sizes)
	}
	for _, k := range sizes[:5] {
		if k.Bytes == 0 {
			t.Errorf("%s takes no space", k.Kind)
		}
	}
	const counting = "/settings/space?count=1"
	d := s.Page(t, "/settings/space")
	if d.Find("meter").Length() != 0 || d.Find(`#sizes[data-load="`+counting+`"] a[href="`+counting+`"]`).Length() != 1 {
		t.Error("the page counts by itself, or offers no way to count")
	}
	for _, path := range []string{counting, "/settings/space"} { // counted, then as it was counted
		d := s.Page(t, path)
		if n := d.Find("meter").Length(); n != len(sizes)+1 {
			t.Errorf("%s: %d bars", path, n)
		}
		if d.Find("#sizes .hint time").Length() != 1 {
			t.Errorf("%s does not say when it was counted", path)
		}
	}
}
