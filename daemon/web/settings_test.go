package web

import (
	"cmp"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/crawler/strategy"
	"nightjar/daemon/base/machine"
	"nightjar/daemon/browse/ingest"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/store/settings"
)

func settingsValues(t *testing.T, f *fixture) url.Values {
	t.Helper()
	form := url.Values{}
	d := f.Page(t, "/settings")
	d.Find("form.settings").Find("input, select, textarea").AddSelection(d.Find("[form=settings][name]")).Each(func(_ int, s *goquery.Selection) {
		name := s.AttrOr("name", "")
		switch goquery.NodeName(s) {
		case "textarea":
			form.Set(name, s.Text())
		case "select":
			form.Set(name, s.Find("[selected]").AttrOr("value", ""))
		default:
			if s.AttrOr("type", "") != "checkbox" {
				form.Set(name, s.AttrOr("value", ""))
			} else if _, on := s.Attr("checked"); on {
				form.Set(name, "on")
			}
		}
	})
	return form
}

func TestSettings(t *testing.T) {
	f := newFixture(t)
	before, err := f.Store.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	form := settingsValues(t, f)
	f.MustPost(t, "/settings", form)
	if same, _ := f.Store.Settings(t.Context()); !equalSettings(same, before) {
		t.Errorf("saving the form as it was changed %+v to %+v", before, same)
	}
	if before.Strategy != strategy.Auto || form.Get("strategy") != strategy.Auto {
		t.Errorf("the strategy of a new data folder is %q, the form has %q", before.Strategy, form.Get("strategy"))
	}
	f.Page(t, "/settings").Find("#strategy option").Each(func(_ int, o *goquery.Selection) {
		if name := o.AttrOr("value", ""); webtest.Text(o) == name || webtest.Text(o) == "" {
			t.Errorf("the strategy %q has no words", name)
		}
	})
	for _, name := range []string{"on_mains", "unmetered", "archive_on"} { // the other boxes are off
		if form.Get(name) != "on" {
			t.Errorf("%s is not on", name)
		}
		form.Del(name)
	}
	form.Set("site_lists", "on")
	form.Set("read_pdfs", "on")
	form.Set("render_on", "on")
	form.Set("zone", "Asia/Tokyo")
	form.Set("per_site", "55")
	form.Set("archive_megabytes", "70")
	form.Set("strategy", "hmm")
	form.Set("night_on", "on")
	form.Set("night_start", "23:30")
	form.Set("pages", "77")
	form.Set("minutes", "90")
	form.Set("never", "Bank.example\r\nmail.example, Bank.example")
	form.Set("resolve", "*.test=127.0.0.1:8080")
	f.MustPost(t, "/settings", form)
	got, _ := f.Store.Settings(t.Context())
	if !got.Night.Enabled || got.Night.Start != "23:30" || got.Budget.Pages != 77 || got.Strategy != "hmm" || got.Budget.Minutes != 90 || strings.Join(got.NeverRecord, " ") != "bank.example mail.example" {
		t.Errorf("saved %+v", got)
	}
	if got.OnMains || got.Unmetered || got.Archive.Enabled || !got.Sitemaps || !got.ReadPDFs || !got.Render.Enabled || got.Night.Zone != "Asia/Tokyo" ||
		got.Budget.PerSite != 55 || got.Archive.Megabytes != 70 {
		t.Errorf("saved %+v", got)
	}
	if !strings.Contains(webtest.Text(f.Page(t, "/crawls").Find(".opened")), "*.test=127.0.0.1:8080") {
		t.Error("the page of crawls does not say what is opened")
	}
	if d := f.Page(t, "/sessions"); strings.Contains(webtest.Text(d.Find("body")), "private addresses") {
		t.Error("every page says what is opened")
	}
	for name, value := range map[string]string{"pages": "many", "delay": "-1", "night_end": "25:00", "resolve": "x", "allow_private": "10.0.0.1", "never": "a b/c", "minutes": "", "zone": "Mars/Olympus", "per_site": "-1", "archive_megabytes": "9999999999999", "second_share": "1e3", "strategy": "guess"} {
		bad := url.Values{}
		for k, v := range form {
			bad[k] = v
		}
		bad.Set(name, value)
		w := f.Post("/settings", bad)
		d := webtest.Tree(t, w)
		if w.Code != http.StatusUnprocessableEntity || !strings.Contains(webtest.Text(d.Find("[role=alert]")), "Nothing was saved: correct 1 field below") {
			t.Errorf("%s = %q: %d", name, value, w.Code)
		}
		field := d.Find(`[name="` + name + `"]`)
		at, _, _ := strings.Cut(field.AttrOr("aria-describedby", "none"), " ")
		if field.AttrOr("aria-invalid", "") != "true" || len(webtest.Text(d.Find("#"+at+".problem"))) < 10 {
			t.Errorf("%s: what is wrong is not said at the field", name)
		}
		if !strings.Contains(w.Body.String(), `name="`+name+`"`) || (value != "" && !strings.Contains(w.Body.String(), value)) {
			t.Errorf("%s: what was typed is lost", name)
		}
	}
	if after, _ := f.Store.Settings(t.Context()); !equalSettings(after, got) {
		t.Error("a refused form changed something")
	}
}

// TestManyProblems: each wrong field of a refused form is marked where it is, in an open part, and what was typed is as it was.
func TestManyProblems(t *testing.T) {
	f := newFixture(t)
	form := settingsValues(t, f)
	for name, value := range map[string]string{"pages": "many", "second_share": "half", "delay": "soon", "never": "bank.example\nmail.example"} {
		form.Set(name, value)
	}
	d := webtest.Tree(t, f.Post("/settings", form))
	if got := webtest.Text(d.Find(".banner.bad")); got != "Nothing was saved: correct 3 fields below." {
		t.Errorf("it says %q", got)
	}
	wrong := d.Find("[aria-invalid=true]").Map(func(_ int, field *goquery.Selection) string { return field.AttrOr("name", "") })
	if !slices.Equal(wrong, []string{"pages", "delay", "second_share"}) {
		t.Errorf("wrong are %q", wrong)
	}
	advanced := d.Find("#advanced [name=second_share]")
	id, _, _ := strings.Cut(advanced.AttrOr("aria-describedby", ""), " ")
	if webtest.Text(d.Find("#advanced #"+id+".problem")) != "This must be a whole number." || advanced.Closest("details[open]").Length() != 1 {
		t.Error("the problem is not beside its field, or the part is closed")
	}
	if d.Find("[autofocus]").Length() != 1 || d.Find("[name=pages][autofocus]").Length() != 1 {
		t.Error("the first wrong field has not the focus")
	}
	if got := d.Find("#never").Text(); got != "bank.example\nmail.example" {
		t.Errorf("the hosts are %q", got)
	}
}

// equalSettings compares settings; a list without an entry equals none.
func equalSettings(a, b settings.Settings) bool {
	for _, s := range []*settings.Settings{&a, &b} {
		for _, list := range lists(s) {
			*list = append([]string{}, *list...)
		}
		s.Strategy, s.Second = cmp.Or(s.Strategy, strategy.Auto), cmp.Or(s.Second, strategy.Auto)
	}
	return reflect.DeepEqual(a, b)
}

func TestPairing(t *testing.T) {
	f := newFixture(t)
	f.MustPost(t, "/settings/pairing/open", nil)
	if !strings.Contains(webtest.Text(f.Page(t, "/settings").Find(".pairing")), "Waiting for a browser") {
		t.Error("an open window is not shown")
	}
	f.Pairing.Pending = &ingest.Pending{Name: "Firefox", Digits: "042137", Origin: "moz-extension://x"}
	d := f.Page(t, "/settings")
	if got := webtest.Text(d.Find(".digits")); got != "042 137" {
		t.Errorf("digits %q", got)
	}
	if !strings.Contains(webtest.Text(f.Page(t, "/sessions").Find(".banner.ask")), "wants to connect") {
		t.Error("other pages do not say that a browser asks")
	}
	f.MustPost(t, "/settings/pairing/approve", url.Values{"digits": {d.Find("input[name=digits]").AttrOr("value", "")}})
	f.MustPost(t, "/settings/pairing/refuse", nil)
	f.MustPost(t, "/settings/browsers/revoke", url.Values{"client": {"c1"}})
	if len(f.Approved) != 1 || f.Approved[0] != "042137" || f.Refused != 1 || len(f.Revoked) != 1 || f.Revoked[0] != "c1" {
		t.Errorf("approved %v, refused %d, revoked %v", f.Approved, f.Refused, f.Revoked)
	}
}

// TestMachineWords: what the machine does not report is shown as unknown, with what it counts as.
func TestMachineWords(t *testing.T) {
	f := newFixture(t)
	for _, tt := range []struct {
		status scheduler.Status
		want   []string
	}{
		{scheduler.Status{Machine: machine.State{Free: -1, Size: -1}}, []string{"Now: unknown, which counts as mains power.", "Now: unknown, which counts as not metered."}},
		{scheduler.Status{Machine: machine.State{Battery: machine.Yes, Metered: machine.Yes}}, []string{"Now: on battery power.", "Now: metered."}},
		{scheduler.Status{Machine: machine.State{Battery: machine.No, Metered: machine.No}}, []string{"Now: on mains power.", "Now: not metered."}},
	} {
		f.Status = tt.status
		got := webtest.Text(f.Page(t, "/settings").Find("#night"))
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%+v: %q lacks %q", tt.status.Machine, got, want)
			}
		}
	}
}
