package pages

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/morning/api"
	"nightjar/daemon/morning/orders"
	"nightjar/daemon/morning/token"
	"nightjar/daemon/store/storetest"
)

func TestAPIPage(t *testing.T) {
	f := seed(t)
	page := f.Page(t, "/api")
	paths, err := api.Describe()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range paths {
		if !strings.Contains(page.Find("main").Text(), "GET "+p.Path) {
			t.Errorf("lacks %s", p.Path)
		}
	}
	if w := f.Get("/api/v1/openapi.json"); w.Code != 200 {
		t.Errorf("its link leads to %d", w.Code)
	}
}

// TestPrograms: each page says that a search waits; the person sees who asks for what, and answers. Marks of programs can be undone.
func TestPrograms(t *testing.T) {
	f := seed(t)
	if text := f.Page(t, "/programs").Find("main").Text(); !strings.Contains(text, "No program has asked") {
		t.Errorf("%s", text)
	}
	made := f.Post("/settings/tokens", url.Values{"name": {"Claude <b>"}, "scope": {token.ScopeRead}})
	text, _ := webtest.Tree(t, made).Find("#token").Attr("value")
	desk := f.desk()
	search := orders.Ask{Token: text, Search: &orders.Search{Topic: f.Topic, Pages: 120}}
	if _, err := desk.Answer(t.Context(), search); !errors.Is(err, orders.ErrNotAllowed) {
		t.Errorf("before it is allowed: %v", err)
	}
	f.MustPost(t, "/settings/tokens/1/allow", url.Values{"may": {"ask"}, "pages": {"300"}})
	settings := f.Page(t, "/settings").Find("#programs form.addform")
	if chosen, _ := settings.Find("option[selected]").Attr("value"); chosen != "ask" || settings.Find("input[name=pages]").AttrOr("value", "") != "300" {
		t.Errorf("Settings show %s", settings.Text())
	}
	for range 2 {
		storetest.Must(desk.Answer(t.Context(), search))(t)
	}
	if text := f.Page(t, "/search").Find("#banners").Text(); !strings.Contains(text, "Programs ask for 2 searches") {
		t.Errorf("the banner says %q", text)
	}
	page := f.Page(t, "/programs")
	if text := page.Find("#orders li").First().Text(); !strings.Contains(text, "Claude <b>") || !strings.Contains(text, f.Web.Topic) || !strings.Contains(text, "120 pages") || len(f.Ran) != 0 {
		t.Errorf("the person sees %q; crawls %v", text, f.Ran)
	}
	f.MustPost(t, page.Find("form[action$=yes]").Last().AttrOr("action", ""), nil)
	if len(f.Ran) != 1 || f.Ran[0] != f.Topic || f.RanPages != 120 {
		t.Errorf("crawls of %v, %d pages", f.Ran, f.RanPages)
	}
	f.RunError = errors.New("the topic has no <start> page")
	f.MustPost(t, page.Find("form[action$=yes]").First().AttrOr("action", ""), nil)
	storetest.Must(desk.Answer(t.Context(), orders.Ask{Token: text, Search: &orders.Search{Topic: f.Topic, Pages: 50}}))(t)
	f.MustPost(t, f.Page(t, "/programs").Find("form[action$=no]").AttrOr("action", ""), nil)
	if w := f.Post(page.Find("form[action$=no]").First().AttrOr("action", ""), nil); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("an answer to what was answered: %d", w.Code)
	}
	find := f.Count(t, `SELECT max(id) FROM finds`)
	storetest.Must(desk.Answer(t.Context(), orders.Ask{Token: text, Mark: &orders.FindMark{Find: int64(find), Mark: "useful"}}))(t)
	page = f.Page(t, "/programs")
	for _, want := range []string{"The topic had a crawl already.", "Could not start: the topic has no <start> page", "You said no.", "marked"} {
		if !strings.Contains(page.Find("#orders").Text(), want) {
			t.Errorf("%q is not in %s", want, page.Find("#orders").Text())
		}
	}
	f.MustPost(t, page.Find("form[action$=undo]").AttrOr("action", ""), nil)
	if f.Count(t, `SELECT count(*) FROM finds WHERE mark = 'useful' AND id = `+strconv.Itoa(find)) != 0 || f.Page(t, "/programs").Find("#orders form").Length() != 0 {
		t.Error("the mark was not undone, or something is still asked")
	}
}
