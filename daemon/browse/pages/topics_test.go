package pages

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/browse/topics"
	"nightjar/daemon/lab/hostile"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/night/crawls"
)

// withTopics is a seeded dashboard with a second topic, and the ids of both.
func withTopics(t *testing.T) (*fixture, []string) {
	t.Helper()
	s := seed(t)
	other, err := topics.Create(t.Context(), s.Store.DB, "Curling")
	if err != nil {
		t.Fatal(err)
	}
	return s, []string{strconv.FormatInt(s.Topic, 10), strconv.FormatInt(other.ID, 10)}
}

func TestCombineTopics(t *testing.T) {
	s, ids := withTopics(t)
	form := s.Page(t, "/model").Find(`form[action="/topics/combine"]`)
	var offered []string
	form.Find(`input[name=topic]`).Each(func(_ int, box *goquery.Selection) { offered = append(offered, box.AttrOr("value", "")) })
	slices.Sort(offered)
	if want := slices.Sorted(slices.Values(ids)); !slices.Equal(offered, want) || form.Find("label input[name=name]").Length() != 1 {
		t.Fatalf("the form offers %v, want %v and a name", offered, want)
	}
	for _, bad := range []struct {
		form url.Values
		says string
	}{
		{url.Values{"topic": ids[:1], "name": {"Ice"}}, "at least two topics"},
		{url.Values{"topic": {ids[0], ids[0]}, "name": {"Ice"}}, "at least two topics"},
		{url.Values{"topic": ids, "name": {" "}}, "needs a name"},
		{url.Values{"topic": ids, "name": {strings.Repeat("x", 201)}}, "needs a name"},
		{url.Values{"topic": ids, "name": {"cURLING"}}, "choose another name"},
	} {
		w := s.Post("/topics/combine", bad.form)
		if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), bad.says) {
			t.Errorf("%v: %d, want words that say %q", bad.form, w.Code, bad.says)
		}
	}
	if n := s.Count(t, `SELECT count(*) FROM topics`); n != 2 {
		t.Fatalf("%d topics after refused forms", n)
	}
	s.MustPost(t, "/topics/combine", url.Values{"topic": ids, "name": {"Ice"}})
	ice, err := topics.ByName(t.Context(), s.Store.DB, "Ice")
	if err != nil || len(s.Submitted) != 1 || s.Submitted[0] != ice.ID {
		t.Fatalf("combined: %+v, %v; submitted %v", ice, err, s.Submitted)
	}
	for _, path := range []string{"/model", "/sessions"} {
		if words := webtest.Text(s.Page(t, path).Find("main")); !strings.Contains(words, "made of Curling, "+s.Web.Topic) {
			t.Errorf("%s does not say what the topic is made of", path)
		}
	}
	again := url.Values{"topic": {ids[0], strconv.FormatInt(ice.ID, 10)}, "name": {"All"}}
	if w := s.Post("/topics/combine", again); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "cannot be part of another") {
		t.Errorf("a combined topic in a combined one: %d", w.Code)
	}
}

func TestRenameAndDissolve(t *testing.T) {
	s, ids := withTopics(t)
	s.MustPost(t, "/topics/combine", url.Values{"topic": ids, "name": {"Ice"}})
	ice, err := topics.ByName(t.Context(), s.Store.DB, "Ice")
	if err != nil {
		t.Fatal(err)
	}
	base := fmt.Sprintf("/topics/%d", ice.ID)
	if w := s.Get("/topics/" + ids[0] + "/parts"); w.Code != http.StatusNotFound {
		t.Errorf("parts of a topic that has none: %d", w.Code)
	}
	for _, path := range []string{"/topics/" + ids[0] + "/dissolve", "/topics/" + ids[0] + "/rename"} {
		if w := s.Post(path, url.Values{"name": {"New"}}); w.Code != http.StatusUnprocessableEntity {
			t.Errorf("%s of a topic that is not combined: %d", path, w.Code)
		}
	}
	if w := s.Post(base+"/rename", url.Values{"name": {"Curling"}}); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("renamed to what is taken: %d", w.Code)
	}
	s.MustPost(t, base+"/rename", url.Values{"name": {"ICE"}})
	if got, err := topics.ByID(t.Context(), s.Store.DB, ice.ID); err != nil || got.Name != "ICE" {
		t.Errorf("renamed: %+v, %v", got, err)
	}
	m, err := models.Save(t.Context(), s.Store.DB, s.Store.Erasures(), ice.ID, s.Bundle, models.Facts{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := crawls.Create(t.Context(), s.Store.DB, crawls.Crawl{TopicID: ice.ID, ModelID: m.ID, Strategy: "hmm"}); err != nil {
		t.Fatal(err)
	}
	models := s.Count(t, `SELECT count(*) FROM models`)
	words := webtest.Text(s.Page(t, base+"/parts").Find("main"))
	if !strings.Contains(words, "1 version of its model, 1 crawl and 0 finds") || !strings.Contains(words, "cannot be undone") {
		t.Errorf("what dissolving deletes: %s", words)
	}
	s.Exec(t, `UPDATE crawls SET status = 'ended' WHERE topic_id <> ?`, ice.ID)
	s.MustPost(t, base+"/dissolve", nil)
	if len(s.Stopped) != 1 || len(s.Canceled) != 1 || s.Canceled[0] != ice.ID {
		t.Errorf("stopped crawls %v and trainings %v", s.Stopped, s.Canceled)
	}
	if n := s.Count(t, `SELECT count(*) FROM models`); n != models-1 {
		t.Errorf("%d models, had %d", n, models)
	}
	if n := s.Count(t, `SELECT count(*) FROM topics`); n != 2 {
		t.Errorf("%d topics left, want the members", n)
	}
}

func TestTopicNamesAreText(t *testing.T) {
	s, ids := withTopics(t)
	s.MustPost(t, "/topics/combine", url.Values{"topic": ids, "name": {"plain"}})
	topic, err := topics.ByName(t.Context(), s.Store.DB, "plain")
	if err != nil {
		t.Fatal(err)
	}
	paths := []string{"/model", fmt.Sprintf("/topics/%d/parts", topic.ID), "/sessions"}
	show := func(path string) []string { // topics are listed by name, so the order of the elements says nothing
		return slices.Sorted(slices.Values(webtest.Elements(t, path, s.Get(path).Body.String())))
	}
	plain := map[string][]string{}
	for _, path := range paths {
		plain[path] = show(path)
	}
	for _, evil := range hostile.Joined(t, 15) {
		if s.Post(fmt.Sprintf("/topics/%d/rename", topic.ID), url.Values{"name": {evil}}).Code == http.StatusUnprocessableEntity {
			continue // no name for a topic
		}
		for _, path := range paths {
			if got := show(path); !slices.Equal(got, plain[path]) {
				t.Errorf("%s with %.60q has other elements than with plain text", path, evil)
			}
		}
	}
}
