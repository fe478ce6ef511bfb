package pages

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/lab/effort"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/thesus/wordnet"
)

// TestWordNetPage: the page says whether there is a WordNet, where, and under which licence, and what is lost without it.
func TestWordNetPage(t *testing.T) {
	f := newFixture(t)
	full := fullWordNet("3.1")
	f.wordnet.offer = full.offer
	d := f.Page(t, "/explore/wordnet")
	if got := webtest.Text(d.Find("#wordnet .empty")); !strings.Contains(got, "There is no WordNet on this computer.") || !strings.Contains(got, "as they are written") {
		t.Errorf("without WordNet: %q", got)
	}
	if got := webtest.Text(d.Find("#wordnet-get, #wordnet-get ~ p")); !strings.Contains(got, "Download it") || !strings.Contains(got, "There is WordNet 3.1 of 10.5 MB.") {
		t.Errorf("the offer is %q", got)
	}
	if n := d.Find("main").Find("form, a[href$=remove], #wordnet-notice, [role=alert]").Length(); n != 1 { // for a file
		t.Errorf("%d forms and warnings without WordNet", n)
	}
	if n := f.Page(t, "/settings").Find("pre.licence").Length(); n != 0 {
		t.Error("the settings have a notice of no WordNet")
	}

	*f.wordnet = full
	f.wordnet.state.Notice = "WordNet 3.1 Copyright\n  by \x1bnobody"
	f.WordNet = f.wordnet.state // for the settings
	d = f.Page(t, "/explore/wordnet")
	if got := webtest.Text(d.Find("#wordnet-here")); got != "WordNet 3.1 is used" {
		t.Errorf("heading %q", got)
	}
	here := webtest.Text(d.Find("#wordnet"))
	for _, want := range []string{"/data/3.1: you added it.", "117 953", "82 192", "13 789", "“mice” is not recognised", "X3.1.", "Replace it by a download"} {
		if !strings.Contains(strings.ReplaceAll(here, "\u00a0", " "), want) {
			t.Errorf("the page lacks %q: %s", want, here)
		}
	}
	for path, of := range map[string]string{"/explore/wordnet": "#wordnet-notice ~ pre", "/settings": ".colophon pre"} {
		if got := f.Page(t, path).Find(of).Text(); got != "WordNet 3.1 Copyright\n  by nobody" {
			t.Errorf("%s: the notice is %q", path, got)
		}
	}
	f.wordnet.state.From, f.wordnet.state.Added, f.wordnet.state.Nouns.Irregular = wordnet.FromVariable, false, 9
	d = f.Page(t, "/explore/wordnet")
	if got := webtest.Text(d.Find("#wordnet")); !strings.Contains(got, "WNSEARCHDIR names it") || strings.Contains(got, "mice") || d.Find("a[href$=remove]").Length() > 0 {
		t.Errorf("what the variable names: %s", got)
	}
}

// TestWordNetDownload: it is asked for on a page that names address, size and licence; then it can be followed and stopped.
func TestWordNetDownload(t *testing.T) {
	f := newFixture(t)
	*f.wordnet = fullWordNet("3.1")
	page := f.Page(t, f.Page(t, "/explore/wordnet").Find("#wordnet a.button[href$=get]").AttrOr("href", ""))
	ask, o := webtest.Text(page.Find("main")), f.wordnet.offer
	for _, want := range []string{"10.5 MB", "replaces the WordNet that you added", o.URL, o.Name, o.Licence} {
		if !strings.Contains(strings.ReplaceAll(ask, "\u00a0", " "), want) {
			t.Errorf("the question lacks %q: %s", want, ask)
		}
	}
	if len(f.wordnet.said) > 0 {
		t.Fatalf("%q was done before it was asked", f.wordnet.said)
	}
	if w := f.Post(page.Find("main form").AttrOr("action", ""), nil); w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/explore/wordnet" {
		t.Errorf("%d to %s", w.Code, w.Header().Get("Location"))
	}
	f.wordnet.download = wordnet.Download{Running: true, Done: 2_000_000, Offer: f.wordnet.offer}
	d := f.Page(t, "/explore/wordnet")
	if bar := d.Find("[data-live~=wordnet] progress"); bar.AttrOr("value", "") != "2000000" || bar.AttrOr("max", "") != "10548693" {
		t.Errorf("progress %q of %q", bar.AttrOr("value", ""), bar.AttrOr("max", ""))
	}
	if d.Find("a[href$='/get']").Length() > 0 {
		t.Error("a second download is offered")
	}
	if w := f.Post("/explore/wordnet/stop", nil); w.Code != http.StatusSeeOther {
		t.Errorf("stop: %d", w.Code)
	}
	f.wordnet.err = wordnet.ErrBusy
	if w := f.Post("/explore/wordnet/get", nil); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "already: wait until that is done") {
		t.Errorf("a second download: %d", w.Code)
	}
	if want := []string{"start", "stop", "start"}; !slices.Equal(f.wordnet.said, want) {
		t.Errorf("asked for %q, want %q", f.wordnet.said, want)
	}
}

// TestWordNetAddAndRemove sends a file, one that is none, and one that is too large, and removes.
func TestWordNetAddAndRemove(t *testing.T) {
	effort.Long(t)
	f := newFixture(t)
	*f.wordnet = fullWordNet("3.1")
	if w := f.SendFile(t, "/explore/wordnet", nil, "..\\a.tgz", []byte("WordNet")); w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/explore/wordnet"+"?done=wordnet-added" {
		t.Errorf("%d to %q", w.Code, w.Header().Get("Location"))
	}
	if got := webtest.Text(f.Page(t, "/explore/wordnet"+"?done=wordnet-added").Find(".banner.done")); !strings.Contains(got, "WordNet was added.") {
		t.Errorf("notice %q", got)
	}
	for _, c := range []struct {
		err  error
		file []byte
		want string
	}{
		{&wordnet.Problem{Err: errors.New("data.noun, byte 7: it is damaged: get WordNet again")}, []byte("x"), "data.noun, byte 7: it is damaged"},
		{fmt.Errorf("put: %w", wordnet.ErrBusy), []byte("x"), "already: wait"},
		{nil, make([]byte, 65<<20), "more than 64 MiB"},
	} {
		f.wordnet.err = c.err
		w := f.SendFile(t, "/explore/wordnet", nil, "a.tgz", c.file)
		d := webtest.Tree(t, w)
		if got := webtest.Text(d.Find("#refused-problem")); w.Code != http.StatusUnprocessableEntity || !strings.Contains(strings.ToLower(got), strings.ToLower(c.want)) {
			t.Errorf("%q: %d %q", c.want, w.Code, got)
		}
		if d.Find("input[name=file][aria-invalid=true]").Length() != 1 {
			t.Errorf("%q: not beside the field", c.want)
		}
	}
	f.wordnet.err = errors.New("disk full in /secret")
	if w := f.SendFile(t, "/explore/wordnet", nil, "a.tgz", []byte("x")); w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("another error: %d", w.Code)
	}
	f.wordnet.err = nil
	ask := f.Page(t, f.Page(t, "/explore/wordnet").Find("#wordnet a[href$=remove]").AttrOr("href", ""))
	if action := ask.Find("form[action$=remove] button.danger").Length(); action != 1 {
		t.Error("removing is not asked for")
	}
	if w := f.Post("/explore/wordnet/remove", nil); w.Header().Get("Location") != "/explore/wordnet"+"?done=wordnet-removed" {
		t.Errorf("%d to %q", w.Code, w.Header().Get("Location"))
	}
	f.wordnet.err = wordnet.ErrNothing
	if w := f.Post("/explore/wordnet/remove", nil); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "none to remove") {
		t.Errorf("nothing to remove: %d", w.Code)
	}
	if f.wordnet.said[0] != `add the file “..\a.tgz” of 7 bytes` {
		t.Errorf("said %q", f.wordnet.said)
	}
}
