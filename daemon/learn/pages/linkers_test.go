package pages

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/lab/webtest"
)

// TestLinkers: only what the page shows is sent to the instance that the person names; its answers are proposed as start pages, none
// ticked and none of a site that is never recorded. What an instance answers that is none is said beside the field.
func TestLinkers(t *testing.T) {
	s := seed(t)
	var mu sync.Mutex
	var asked []string
	answer := "<html>no instance"
	instance := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, r.URL.Query().Get("q"))
		fmt.Fprint(w, answer)
	}))
	defer instance.Close()
	settings, err := s.Store.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	settings.NeverRecord = append(settings.NeverRecord, "never.test")
	if err := s.Store.SaveSettings(t.Context(), settings); err != nil {
		t.Fatal(err)
	}
	d := s.Page(t, s.ModelPart("graph"))
	var shown []string
	d.Find("#linkers li").Each(func(_ int, l *goquery.Selection) { shown = append(shown, webtest.Text(l)) })
	if len(shown) == 0 {
		t.Fatal("the page shows no question")
	}
	before, action := s.Count(t, `SELECT count(*) FROM starts`), d.Find("#linkers form").AttrOr("action", "")

	for _, bad := range []string{"", "localhost", "http://a.test/?q=x"} {
		if w := s.Post(action, url.Values{"instance": {bad}}); w.Code < 400 {
			t.Errorf("%q is taken for an instance: %d", bad, w.Code)
		}
	}
	if w := s.Post(action, url.Values{"instance": {instance.URL}}); w.Code < 400 || !strings.Contains(w.Body.String(), "answers with a web page") {
		t.Errorf("rubbish: %d\n%s", w.Code, w.Body)
	}
	if n := s.Count(t, `SELECT count(*) FROM starts`); n != before {
		t.Errorf("%d start pages, there were %d", n, before)
	}
	asked = nil
	answer = `{"results": [{"url": "http://up.test/list"}, {"url": "http://never.test/x"}, {"url": "http://up.test/?token=Zk3fJ29fjK3kfj3Kf93kfjf93kfjF"}]}`
	to := s.MustPost(t, action, url.Values{"instance": {instance.URL}})
	if want := "/sessions?done=linkers&topic=" + strconv.FormatInt(s.Topic, 10); to != want {
		t.Errorf("leads to %s, want %s", to, want)
	}
	if !slices.Equal(asked, shown) {
		t.Errorf("sent %q, shown %q", asked, shown)
	}
	if s.Count(t, `SELECT count(*) FROM starts`) != before+1 || s.Count(t, `SELECT count(*) FROM starts WHERE url = 'http://up.test/list' AND ticked = 0 AND source = 'proposed'`) != 1 {
		t.Error("the answer is not a proposed start page, or not the only one")
	}
}
