package pages

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/panorama/communities"
	"nightjar/daemon/panorama/document"
	"nightjar/daemon/panorama/maps"
)

// TestMapsBegin starts maps from each source.
func TestMapsBegin(t *testing.T) {
	s := seed(t)
	bib := []byte("@article{a, title={Tidal barrages}}")
	w := s.SendFile(t, "/communities", map[string]string{"from": "document", "search": "searxng", "instance": "https://searx.example.org", "pages": "800", "clusters": "auto", "when": "night"}, "tides.bib", bib)
	if w.Code != http.StatusSeeOther {
		t.Fatalf("%d %s", w.Code, webtest.Text(webtest.Tree(t, w).Find("main")))
	}
	if got := s.maps.sources[0]; got.Name != "tides.bib" || !bytes.Equal(got.Body, bib) || got.TitlePerLine {
		t.Errorf("the source is %+v", got)
	}
	all, err := maps.All(t.Context(), s.Store.DB)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d maps, %v", len(all), err)
	}
	want := maps.Options{Search: "searxng=https://searx.example.org", Pages: 800, Auto: true, Night: true, Hold: true}
	if got := all[0].Options; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("options %+v, want %+v", got, want)
	}
	if to := w.Header().Get("Location"); to != mapAt(all[0].ID) {
		t.Errorf("leads to %s", to)
	}
	s.SendFile(t, "/communities", map[string]string{"from": "document", "titles": "One title\nAnother"}, "", nil)
	if got := s.maps.sources[1]; string(got.Body) != "One title\nAnother" || !got.TitlePerLine {
		t.Errorf("pasted titles are %+v", got)
	}
	s.MustPost(t, "/communities", url.Values{"from": {"document"}, "url": {"https://example.org/a.pdf"}, "search": {"list"}, "list": {"https://a.example/\nhttps://b.example/"}})
	if got := s.maps.sources[2]; got.URL != "https://example.org/a.pdf" || got.Body != nil {
		t.Errorf("the address is %+v", got)
	}
	s.MustPost(t, "/communities", url.Values{"from": {"topic"}, "topic": {fmt.Sprint(s.Topic)}})
	s.MustPost(t, "/communities", url.Values{"from": {"crawl"}, "crawl": {fmt.Sprint(s.Crawl)}})
	for _, want := range []string{fmt.Sprintf("topic %d", s.Topic), fmt.Sprintf("crawl %d", s.Crawl)} {
		if !slices.Contains(s.maps.said, want) {
			t.Errorf("%q was not asked for: %q", want, s.maps.said)
		}
	}
	for query, want := range map[string]int{"": 5, fmt.Sprintf("?topic=%d", s.Topic): 2, fmt.Sprintf("?crawl=%d", s.Crawl): 1} {
		if got := s.Page(t, "/communities"+query).Find("#maps tbody tr").Length(); got != want {
			t.Errorf("/communities%s lists %d maps, want %d", query, got, want)
		}
	}
}

// TestMapSteps looks at a map in the making in each step and state.
func TestMapSteps(t *testing.T) {
	s := seed(t).withMaps(t)
	s.maps.progress = communities.Progress{Step: maps.StepPages, Done: 3, Of: 9, Text: "asking for the third title"}
	for name, id := range s.making {
		step, state, _ := strings.Cut(name, " ")
		d := s.Page(t, mapAt(id))
		if n := d.Find("ol.map-steps > li").Length(); n != 5 {
			t.Fatalf("%s: %d steps", name, n)
		}
		at := slices.IndexFunc(allSteps, func(key maps.Step) bool { return string(key) == step })
		done := at
		if state == "waiting" {
			done++
		}
		if n := d.Find(".map-steps > .done").Length(); n != done && !(step == "map" && state == "waiting") {
			t.Errorf("%s: %d steps are done, want %d", name, n, done)
		}
		if state == "working" != (d.Find("form[action$='/stop']").Length() == 1) {
			t.Errorf("%s: there is a button that stops, or none", name)
		}
		if state == "failed" != strings.Contains(webtest.Text(d.Find(".map-steps [role=alert]")), "It went wrong: try again.") {
			t.Errorf("%s: says %q", name, webtest.Text(d.Find(".map-steps [role=alert]")))
		}
		if state == "working" && d.Find(".map-steps textarea, .map-steps input:not([type=hidden], :disabled)").Length() > 0 {
			t.Errorf("%s: what is in use can be changed", name)
		}
		if goes := d.Find(".map-go button.primary").Length(); goes != map[bool]int{true: 0, false: 1}[state == "working" || step == "map" && state == "waiting" || step == "titles" && state == "failed"] {
			t.Errorf("%s: %d buttons go on", name, goes)
		}
	}
	d := s.Page(t, mapAt(s.making["pages working"]))
	if bar := d.Find("#map-step-pages progress"); bar.AttrOr("max", "") != "9" || bar.AttrOr("value", "") != "3" || !strings.Contains(webtest.Text(d.Find("#map-step-pages")), "Asking for the third title.") {
		t.Errorf("progress is %q", webtest.Text(d.Find("#map-step-pages")))
	}
	if d := s.Page(t, mapAt(s.making["crawl working"])); d.Find("#map-step-crawl .plot").Length() != 2 || d.Find("form[action$='/enough']").Length() != 0 {
		t.Error("a crawl that has ended has a curve, and does not end once more")
	}
}

// TestMapIsCorrected changes titles, the search, pages and options.
func TestMapIsCorrected(t *testing.T) {
	s := seed(t).withMaps(t)
	id := s.making["titles waiting"]
	path := mapAt(id)
	d := s.Page(t, path)
	if got := d.Find("textarea[name=titles]").Text(); strings.TrimSpace(got) != strings.Join(s.maps.titles, "\n") {
		t.Errorf("the titles are %q", got)
	}
	if got := webtest.Text(d.Find(".map-plan")); !strings.Contains(got, "Nothing leaves this computer") {
		t.Errorf("the plan says %q", got)
	}
	s.MustPost(t, path+"/titles", url.Values{"main": {"Tides"}, "titles": {"One\r\nTwo"}, "search": {"local"}, "do": {"go"}})
	if got := strings.Join(s.maps.said, "; "); got != fmt.Sprintf(`options %d {"hold":true}; titles %d Tides: One / Two; go %d`, id, id, id) {
		t.Errorf("asked: %s", got)
	}
	// Queries that the page did not list are not sent: it shows them first.
	s.maps.said = nil
	form := url.Values{"main": {"Tides"}, "titles": {"One\nThree <b>"}, "search": {"searxng"}, "instance": {"https://searx.example.org"}, "do": {"go"}}
	s.maps.to = func() string { // once it was chosen
		if strings.Contains(strings.Join(s.maps.said, " "), "searxng=") {
			return "https://searx.example.org"
		}
		return ""
	}
	if to := s.MustPost(t, path+"/titles", form); to != path+"?done=map-look" || slices.Contains(s.maps.said, fmt.Sprint("go ", id)) {
		t.Errorf("leads to %s, asked %q", to, s.maps.said)
	}
	d = s.Page(t, path)
	if got := webtest.Text(d.Find(".map-plan")); !strings.Contains(got, "2 queries are sent to https://searx.example.org") || !strings.Contains(got, `"Three <b>"`) {
		t.Errorf("the plan says %q", got)
	}
	if to := s.MustPost(t, path+"/titles", form); to != path || !slices.Contains(s.maps.said, fmt.Sprint("go ", id)) {
		t.Errorf("leads to %s, asked %q", to, s.maps.said)
	}
	s.maps.said = nil
	pages := mapAt(s.making["pages waiting"])
	d = s.Page(t, pages)
	if got := webtest.Text(d.Find("#map-step-pages")); !strings.Contains(got, "“Tidal barrages of Europe”: contains the exact title") || !strings.Contains(got, "3 titles to which no page answers") ||
		!strings.Contains(got, "robots.txt forbids it") ||
		d.Find("#map-positives input[checked]").Length() != 2 {
		t.Errorf("the pages are %q", got)
	}
	s.MustPost(t, pages+"/pages", url.Values{"keep": {"https://a.example/1", "https://b.example/2"}, "do": {"go"}})
	n := s.making["pages waiting"]
	if got, want := strings.Join(s.maps.said, "; "), fmt.Sprintf("leave out %d https://b.example/2 false; leave out %d https://c.example/3 true; go %d", n, n, n); got != want {
		t.Errorf("asked %q, want %q", got, want)
	}
	s.maps.said = nil
	n = s.making["training waiting"]
	s.MustPost(t, mapAt(n)+"/options", url.Values{"pages": {"1200"}, "clusters": {"7"}, "when": {"night"}, "labels": {"words"}, "links": {"folders"}})
	if want := fmt.Sprintf(`options %d {"pages":1200,"clusters":7,"words":true,"links":"folders","night":true,"hold":true}`, n); strings.Join(s.maps.said, "; ") != want {
		t.Errorf("asked %q, want %q", s.maps.said, want)
	}
}

// TestMapPlanIsWhole: every query that is sent is on the page, and only these; the page of the longest document is small.
func TestMapPlanIsWhole(t *testing.T) {
	s := seed(t).withMaps(t)
	s.maps.plan.To, s.maps.titles = "https://searx.example.org", nil
	for i := range document.MaxReferences {
		s.maps.titles = append(s.maps.titles, fmt.Sprintf("The title of the reference with the number %d", i))
	}
	path := mapAt(s.making["titles waiting"])
	d := s.Page(t, path)
	var shown []string
	d.Find(".map-queries code").Each(func(_ int, e *goquery.Selection) { shown = append(shown, e.Text()) })
	plan, err := s.maps.Plan(t.Context(), 1)
	if err != nil || !slices.Equal(shown, plan.Sends()) {
		t.Errorf("%d queries are shown, %v", len(shown), err)
	}
	if got := webtest.Text(d.Find(".map-plan")); !strings.Contains(got, "60 queries are sent to") || !strings.Contains(got, "1 940 more titles are not sent: at most 60") {
		t.Errorf("the plan says %q", got[:min(300, len(got))])
	}
	if n := s.Get(path).Body.Len(); n > 150_000 {
		t.Errorf("the page has %d bytes", n)
	}
}

// TestMapActions: what the maker refuses is said on the map's page.
func TestMapActions(t *testing.T) {
	s := seed(t).withMaps(t)
	id := s.making["crawl working"]
	for _, action := range []string{"stop", "enough", "go"} {
		s.MustPost(t, mapAt(id)+"/"+action, nil)
		if !slices.Contains(s.maps.said, fmt.Sprint(action, " ", id)) {
			t.Errorf("%s was not asked for", action)
		}
	}
	s.maps.err = communities.ErrWorking
	w := s.Post(mapAt(id)+"/go", nil)
	if got := webtest.Text(webtest.Tree(t, w).Find(".banner.bad")); w.Code != http.StatusUnprocessableEntity || !strings.Contains(got, "wait for it, or stop it first") {
		t.Errorf("%d %q", w.Code, got)
	}
	s.maps.err = errors.New("secret words of the database")
	if w := s.Post(mapAt(id)+"/go", nil); w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	s.maps.err = nil
	if to := s.MustPost(t, mapAt(s.done)+"/again", nil); to == mapAt(s.done) || s.Page(t, to).Find(".map-steps").Length() != 1 {
		t.Errorf("again leads to %s", to)
	}
	if d := s.Page(t, mapAt(id)+"/delete"); d.Find("form[action='"+mapAt(id)+"/delete']").Length() != 1 {
		t.Error("nothing is asked before a map is deleted")
	}
	s.MustPost(t, mapAt(id)+"/delete", nil)
	if w := s.Get(mapAt(id)); w.Code != http.StatusNotFound {
		t.Errorf("a deleted map: %d", w.Code)
	}
}
