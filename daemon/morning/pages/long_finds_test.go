//go:build !race

package pages

import (
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/lab/webtest"
)

func TestFindsAndTrail(t *testing.T) {
	s := seed(t)
	d := s.Page(t, "/")
	finds := s.Count(t, `SELECT count(*) FROM finds`)
	if finds < 3 || d.Find("article.find").Length() != finds {
		t.Fatalf("%d of %d finds shown", d.Find("article.find").Length(), finds)
	}
	if got := webtest.Text(d.Find("#nav-new")); got != strconv.Itoa(finds)+" new" {
		t.Errorf("navigation says %q", got)
	}
	d.Find("article.find").Each(func(_ int, card *goquery.Selection) {
		a := card.Find("h3 a")
		if !strings.HasPrefix(a.AttrOr("href", ""), "http://") || a.AttrOr("rel", "") != "noopener noreferrer" {
			t.Errorf("link %v", a.Nodes[0].Attr)
		}
		if card.Find(".trail ol").Length() != 0 {
			t.Error("the list carries the trail, which is loaded when it is wanted")
		}
		about := s.Page(t, card.Find("details.trail").AttrOr("data-details", "")).Find(".find-about")
		steps := about.Find(".way li")
		if got, _ := strconv.Atoi(strings.Fields(webtest.Text(about.Find(".head .hint").First()))[0]); got != steps.Length()-1 {
			t.Errorf("%d links on a trail of %d pages", got, steps.Length())
		}
		if webtest.Text(steps.First().Find(".hint").First()) != "start" || !strings.Contains(webtest.Text(steps.First()), "Compass") {
			t.Errorf("first step: %s", webtest.Text(steps.First()))
		}
		if got := steps.Last().Find("a").AttrOr("href", ""); got != a.AttrOr("href", "") {
			t.Errorf("the trail ends at %s", got)
		}
		last := webtest.Text(about.Find(".read .reading").Last())
		if !strings.HasPrefix(last, "Most likely ") || !strings.Contains(last, "at first sight ") || !strings.Contains(last, "%") || !strings.Contains(last, "Its text is like that of pages about") {
			t.Errorf("reading %q", last)
		}
	})
}

func TestFilters(t *testing.T) {
	s := seed(t)
	all := s.Count(t, `SELECT count(*) FROM finds`)
	var title string
	if err := s.DB.QueryRow(`SELECT title FROM finds LIMIT 1`).Scan(&title); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]int{
		"": all, "state=all": all, "state=useful": 0, "q=" + url.QueryEscape(title): 1, "q=zzzz": 0, "q=%25": 0, "q=_": 0, "q='": 0,
		"topic=" + strconv.FormatInt(s.Topic, 10): all, "topic=99": 0, "topic=x": all, "from=x": all, "until=-5": 0, "from=99999": 0, "state=none-such": all,
	} {
		if got := s.Page(t, "/?"+query).Find("article.find").Length(); got != want {
			t.Errorf("%q shows %d finds, want %d", query, got, want)
		}
	}
}
