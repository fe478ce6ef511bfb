package api

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

func TestExplore(t *testing.T) {
	f := newFixture(t)
	words := mustGet[Exploration](f, "/explore?q="+url.QueryEscape("weightedSourceKeywords([], [])"))
	if words.Kind != "words" || words.Counted != "source pages" || words.Total != 2 || len(words.Pages) != 0 ||
		!slices.Equal(words.Words, []ExploredWord{{2, WordFromWeb{"tide"}}, {1, WordFromWeb{"barrage"}}}) {
		t.Errorf("%+v", words)
	}
	pages := mustGet[Exploration](f, "/explore?q="+url.QueryEscape("crawl([http://site0.test/, http://nowhere.test/], 1)")+"&limit=1")
	if pages.Kind != "pages" || pages.Counted != "links away" || pages.Total != 2 || len(pages.Pages) != 1 || len(pages.Words) != 0 ||
		pages.Pages[0].FromTheWeb.URL != "http://site0.test/" || !slices.Equal(pages.Notes, []string{"no link leads from or to http://nowhere.test/"}) {
		t.Errorf("%+v", pages)
	}
	text := mustGet[Exploration](f, "/explore?q="+url.QueryEscape("fetch(http://site1.test/stored)"))
	if text.Kind != "text" || text.Text == nil || text.Text.FromTheWeb.Title != "Tides" ||
		!slices.Equal(text.Text.FromTheWeb.Lines, []string{"Tides", "The tide comes in.", "It goes out."}) {
		t.Errorf("%+v %+v", text, text.Text)
	}
}

func TestExploreSaysWhatIsWrong(t *testing.T) {
	f := newFixture(t)
	for q, says := range map[string]string{
		"":                            "q must have an expression",
		"crwal([], 1)":                "character 1: there is no operator \"crwal\"; did you mean crawl?",
		"fetch(http://site0.test/)":   "character 7: the text of this page is not stored; open it in the browser",
		strings.Repeat("[", 9000):     "at most 8000 bytes",
		"groupKeywords([topic:X],[])": "character 16: there is no topic \"X\"",
	} {
		w := f.get(Base+"/explore?q="+url.QueryEscape(q), f.read)
		var p Problem
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code != http.StatusBadRequest || !strings.Contains(p.Detail, says) {
			t.Errorf("%.40q: %d %+v %v; want %q", q, w.Code, p, err, says)
		}
	}
}
