package web

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/learn/trainer"
	"nightjar/model"
)

func TestEmptyStore(t *testing.T) {
	webtest.OneHeading(t, newFixture(t).Site, "/", "/sessions", "/model", "/crawls", "/settings", "/?state=useful&q=x")
}

func TestTrainingBanner(t *testing.T) {
	s := seed(t)
	s.Training[s.Topic] = trainer.Status{Running: true, Stage: "clusters", Done: 1, Total: 4}
	d := s.Page(t, "/")
	if got := webtest.Text(d.Find("#banners .banner").First()); !strings.Contains(got, "grouping the pages") || d.Find("#banners progress").AttrOr("value", "") != "25" {
		t.Errorf("banner %q", got)
	}
	s.Training[s.Topic] = trainer.Status{Problem: "mark at least one page Useful before you submit"}
	if got := webtest.Text(s.Page(t, "/").Find("#banners .banner")); !strings.Contains(got, "Mark at least one page Useful before you submit.") {
		t.Errorf("banner %q", got)
	}
}

// Every page has the box of the search.
func TestSearchBoxIsOnEveryPage(t *testing.T) {
	s := seed(t)
	for _, path := range []string{"/", "/sessions", "/crawls", "/settings"} {
		if n := s.Page(t, path).Find(`form[action="/search"] input[name=q][data-seek]`).Length(); n != 1 {
			t.Errorf("%s has %d boxes", path, n)
		}
	}
}

// TestModelOfAnotherFormat: the Model page says that it cannot be read and what to do, and all other pages are there without it.
func TestModelOfAnotherFormat(t *testing.T) {
	s := seed(t)
	pages := s.wing(t).EveryPage(t)
	for version, want := range map[int]string{model.FormatVersion - 1: "An older Nightjar made this version", model.FormatVersion + 1: "A newer Nightjar made this version"} {
		encoded, err := s.Bundle.Encode()
		if err != nil {
			t.Fatal(err)
		}
		at := slices.Index(encoded, byte(model.FormatVersion))
		encoded[at] = byte(version)
		s.Exec(t, `UPDATE models SET bundle = ?`, encoded)
		s.Store.Erasing()() // so that models are read again
		d := s.Page(t, s.ModelPath())
		if got := webtest.Text(d.Find("#model")); !strings.Contains(got, want) || d.Find("main svg").Length() != 0 {
			t.Errorf("format %d: %q", version, got)
		}
		if d.Find("[aria-label=Versions] tbody tr").Length() != 1 {
			t.Errorf("format %d: the versions are gone", version)
		}
		for _, path := range pages {
			if w := s.Get(path); w.Code >= http.StatusInternalServerError {
				t.Errorf("format %d: %s: %d", version, path, w.Code)
			}
		}
	}
}
