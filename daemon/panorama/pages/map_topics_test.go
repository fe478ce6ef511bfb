package pages

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/panorama/maps"
)

// TestMapsAreNoTopics: the topic of a document's map is on no page that lists topics, and in no answer to programs, until the
// person makes it one.
func TestMapsAreNoTopics(t *testing.T) {
	s := seed(t).withMaps(t)
	d, err := maps.AddDocument(t.Context(), s.Store.DB, maps.Document{Key: "zebra", Title: "Zebrafish"}, nil, maps.ReadDocument{})
	if err != nil {
		t.Fatal(err)
	}
	topic, err := maps.DocumentTopic(t.Context(), s.Store.DB, d.ID)
	if err != nil {
		t.Fatal(err)
	}
	s.Exec(t, `UPDATE maps SET source = 'document', title = 'A paper', document_id = ?, topic_id = ? WHERE id = ?`, d.ID, topic.ID, s.done)
	s.Exec(t, `INSERT INTO models (topic_id, version, bundle, facts, created_at) SELECT ?, 1, bundle, facts, 1 FROM models LIMIT 1`, topic.ID)
	s.MustPost(t, fmt.Sprintf("/topics/%d/starts", topic.ID), url.Values{"url": {"http://zebra.test/"}})
	read, _ := webtest.Tree(t, s.Post("/settings/tokens", url.Values{"name": {"script"}, "scope": {"read"}})).Find("input.secret").First().Attr("value")
	pages := []string{"/", "/tonight", "/search", "/sessions", "/model", "/crawls", "/settings", "/communities", "/start"}
	listed := func(want bool) {
		t.Helper()
		for _, path := range pages {
			w := s.Get(path)
			if w.Code == http.StatusSeeOther {
				w = s.Get(w.Header().Get("Location"))
			}
			if w.Code != http.StatusOK {
				t.Errorf("%s: %d", path, w.Code)
			}
			if got := strings.Contains(w.Body.String(), "Zebrafish"); got && !want {
				t.Errorf("%s shows the topic of a map", path)
			} else if !got && want && (path == "/tonight" || path == "/search" || path == "/sessions") {
				t.Errorf("%s lacks the topic that was made of a map", path)
			}
		}
		for _, path := range []string{"/api/v1/topics", "/api/v1/status"} {
			if got := strings.Contains(s.Program("127.0.0.1:4774", path, read).Body.String(), "Zebrafish"); got && !want || !got && want && path == "/api/v1/topics" {
				t.Errorf("%s names the topic: %v", path, got)
			}
		}
	}
	listed(false)
	button := fmt.Sprintf(`form[action="%s/topic"] button`, mapAt(s.done))
	if got := webtest.Text(s.Page(t, mapAt(s.done)).Find(button)); got != "Make this a topic" {
		t.Errorf("button %q", got)
	}
	if to := s.MustPost(t, mapAt(s.done)+"/topic", nil); !strings.HasPrefix(to, "/tonight") || !strings.Contains(s.Get(to).Body.String(), "The map is a topic now.") {
		t.Errorf("leads to %s", to)
	}
	listed(true)
	page := s.Page(t, mapAt(s.done))
	if page.Find(button).Length() != 0 || page.Find(fmt.Sprintf(`.lead a[href="/model/%d"]`, topic.ID)).Length() != 1 {
		t.Error("the map does not say that it is a topic")
	}
	if w := s.Post(mapAt(s.making["titles waiting"])+"/topic", nil); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("a map without a topic: %d", w.Code)
	}
}
