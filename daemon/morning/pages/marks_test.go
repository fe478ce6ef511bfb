package pages

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/crawler/strategy"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/lab/webtest/served"
	"nightjar/daemon/night/echo"
	"nightjar/daemon/night/scheduler"
)

// findIDs lists the finds, in the order of the list.
func (s *fixture) findIDs(t testing.TB) []string {
	t.Helper()
	var ids []string
	s.Page(t, "/?state=all").Find("article.find").Each(func(_ int, card *goquery.Selection) {
		ids = append(ids, card.AttrOr("data-find", ""))
	})
	if len(ids) < 3 {
		t.Fatalf("finds %v", ids)
	}
	return ids
}

// TestSeveralMarksAreOneAction: one form marks several finds, one press takes all of them back, after a restart too.
func TestSeveralMarksAreOneAction(t *testing.T) {
	s := seed(t)
	ids := s.findIDs(t)[:3]
	w := s.PostPart("/finds/mark", url.Values{"id": ids, "mark": {"not-useful"}})
	d := webtest.Tree(t, w)
	if w.Code != http.StatusOK || d.Find(".actions[data-state=not-useful]").Length() != 3 || d.Find("article").Length() != 0 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if got := webtest.Text(d.Find("#echo .done p")); got != "Marked Not useful: 3 finds." {
		t.Errorf("says %q", got)
	}
	if want := [][]int64{{s.Topic}}; len(s.Marked) != 1 || !slices.Equal(s.Marked[0], want[0]) {
		t.Errorf("compared %v, want %v", s.Marked, want)
	}
	s = &fixture{served.At(t, s.Store.Path(), wingsOf)} // a restart
	undo := s.Page(t, "/").Find("#echo form")
	action := undo.Find("input[name=action]").AttrOr("value", "")
	s.MustPost(t, undo.AttrOr("action", ""), url.Values{"action": {action}})
	if n := s.Count(t, `SELECT count(*) FROM finds WHERE mark = 'none'`); n != s.Count(t, `SELECT count(*) FROM finds`) {
		t.Errorf("%d finds have no mark", n)
	}
	if len(s.Marked) != 1 {
		t.Errorf("undoing was compared %d times", len(s.Marked))
	}
	for form, want := range map[string]int{"": 422, "id=x&mark=useful": 422, "id=99999&mark=useful": 404, "id=" + ids[0] + "&mark=great": 422, "id=" + ids[0] + "&id=" + ids[1] + "&mark=refuse": 422} {
		q, _ := url.ParseQuery(form)
		if got := s.Post("/finds/mark", q).Code; got != want {
			t.Errorf("%q: %d, want %d", form, got, want)
		}
	}
	for _, action := range []string{"", "x", "99999"} {
		if got := s.Post("/finds/undo", url.Values{"action": {action}}).Code; got != 422 {
			t.Errorf("undo %q: %d", action, got)
		}
	}
}

func TestLater(t *testing.T) {
	s := seed(t)
	id := s.findIDs(t)[0]
	d := webtest.Tree(t, s.PostPart("/finds/"+id+"/mark", url.Values{"mark": {"later"}}))
	if got := webtest.Text(d.Find("#echo .done p")); !strings.HasSuffix(got, "It is listed under Later. This teaches nothing.") || len(s.Marked) != 0 {
		t.Errorf("says %q, compared %v", got, s.Marked)
	}
	if s.Page(t, "/").Find("#find-"+id).Length() != 0 || s.Page(t, "/?state=open").Find("#find-"+id).Length() != 0 {
		t.Error("what was put off is still in the list")
	}
	if s.Page(t, "/?state=later").Find("#find-"+id+" button[value=none]").Length() != 1 {
		t.Error("Later does not offer it back")
	}
	s.MustPost(t, "/finds/"+id+"/mark", url.Values{"mark": {"none"}})
	if s.Page(t, "/").Find("#find-"+id).Length() != 1 {
		t.Error("it did not come back")
	}
}

func TestNeverThisSite(t *testing.T) {
	s := seed(t)
	id := s.findIDs(t)[0]
	var address string
	if err := s.DB.QueryRow(`SELECT url FROM finds WHERE id = ?`, id).Scan(&address); err != nil {
		t.Fatal(err)
	}
	site := siteName(address)
	all := s.Page(t, "/?state=all").Find("article.find").Length()
	of := s.Count(t, `SELECT count(*) FROM finds WHERE url LIKE '%//' || ? || '/%'`, site)
	d := webtest.Tree(t, s.PostPart("/finds/"+id+"/mark", url.Values{"mark": {"refuse"}}))
	if d.Find(".actions[data-state=refused]").Length() != of || !strings.HasPrefix(webtest.Text(d.Find("#echo .done p")), "Never again: "+site+".") {
		t.Errorf("answer %s", webtest.Text(d.Selection))
	}
	if got := s.Page(t, "/?state=all").Find("article.find").Length(); got != all-of {
		t.Errorf("%d of %d finds are listed, %d are of the site", got, all, of)
	}
	if want := []string{site + " true"}; !slices.Equal(s.Sites, want) {
		t.Errorf("what is compared is %q, want %q", s.Sites, want)
	}
	s.Echo = echo.Echo{At: s.Clock, Site: site}
	if got := webtest.Text(s.Page(t, "/").Find("#echo .done p")); !strings.Contains(got, "first links stay the same") {
		t.Errorf("a site without links says %q", got)
	}
	before := []scheduler.PreviewLink{{URL: address, Anchor: "gone"}, {URL: "http://else.test/", Anchor: "else"}}
	s.Echo.Topics = []echo.Change{{TopicID: 1, Topic: "Tides", Site: site, Before: before, After: before[1:], Sites: []echo.Site{{Name: site, Was: 1}}}}
	change := s.Page(t, "/").Find("#echo .change")
	if got := webtest.Text(change); strings.Contains(got, "word") || strings.Contains(got, "Compared with") || change.Find("ol").Length() != 2 || !strings.Contains(got, "fewer of "+site+" (1 → 0)") {
		t.Errorf("the echo says %q", got)
	}
	var action string
	if err := s.DB.QueryRow(`SELECT max(id) FROM actions`).Scan(&action); err != nil {
		t.Fatal(err)
	}
	if got := s.PostPart("/finds/undo", url.Values{"action": {action}}).Body.String(); !strings.Contains(got, "Undone.") {
		t.Errorf("an action that is undone says %q", got)
	}
	s.PostPart("/finds/"+id+"/mark", url.Values{"mark": {"refuse"}})
	if want := []string{site + " true", site + " false", site + " true"}; !slices.Equal(s.Sites, want) {
		t.Errorf("undone, what is compared is %q, want %q", s.Sites, want)
	}
	s.Echo = echo.Echo{}
	if got := webtest.Text(s.Page(t, "/settings").Find("#refused ~ ul strong")); got != site {
		t.Errorf("settings list %q", got)
	}
	s.MustPost(t, "/settings/sites/allow", url.Values{"site": {site}})
	s.MustPost(t, "/settings/sites/allow", url.Values{"site": {"nobody.example"}})
	if got := s.Page(t, "/?state=all").Find("article.find").Length(); got != all {
		t.Errorf("%d of %d finds are listed again", got, all)
	}
}

// TestSeen: a find is new until it was seen, and stays in the list of the visit that saw it.
func TestSeen(t *testing.T) {
	s := seed(t)
	ids := s.findIDs(t)
	d := webtest.Tree(t, s.PostPart("/finds/seen", url.Values{"ids": {ids[0] + "," + ids[1]}}))
	if got, want := webtest.Text(d.Find("#nav-new")), strconv.Itoa(len(ids)-2)+" new"; got != want {
		t.Errorf("navigation says %q, want %q", got, want)
	}
	if got := s.Page(t, "/").Find("article.find").Length(); got != len(ids)-2 {
		t.Errorf("%d finds are new", got)
	}
	if got := s.Page(t, "/?since="+strconv.FormatInt(s.Clock.UnixMilli()-1, 10)).Find("article.find").Length(); got != len(ids) {
		t.Errorf("%d finds are in the list that was open", got)
	}
	to := s.MustPost(t, "/finds/seen", url.Values{"ids": {strings.Join(ids, ",")}, "next": {"https://evil.example/?from=" + ids[0]}})
	if to != "/?from="+ids[0] || s.Page(t, "/?state=new").Find("article.find").Length() != 0 {
		t.Errorf("went to %s", to)
	}
	d = s.Page(t, "/")
	if got := webtest.Text(d.Find("#finds-tabs [aria-current]")); !strings.HasPrefix(got, "Not reviewed") || d.Find("article.find").Length() != len(ids) {
		t.Errorf("when nothing is new, the list is %q with %d finds", got, d.Find("article.find").Length())
	}
	if code := s.Post("/finds/seen", url.Values{"ids": {"1,x"}}).Code; code != 422 {
		t.Errorf("ids that are none: %d", code)
	}
}

// TestPagesOfFinds: each find is on one page, whatever is marked and seen on the way, and back again.
func TestPagesOfFinds(t *testing.T) {
	s := seed(t)
	s.Exec(t, `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 90)
		INSERT INTO finds (topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at, useful)
		SELECT f.topic_id, f.crawl_id, f.fetch_id, 'http://more.test/' || i, 'More ' || i, '', 0.5, f.found_at, (i % 7) / 10.0
		FROM n, (SELECT * FROM finds LIMIT 1) f`)
	all := s.Count(t, `SELECT count(*) FROM finds`)
	seen := map[string]bool{}
	var pages []string
	for path := "/"; path != ""; {
		pages = append(pages, path)
		d := s.Page(t, path)
		var ids []string
		d.Find("article.find").Each(func(_ int, card *goquery.Selection) {
			id := card.AttrOr("data-find", "")
			if seen[id] {
				t.Errorf("%s shows find %s again", path, id)
			}
			seen[id] = true
			ids = append(ids, id)
		})
		s.PostPart("/finds/seen", url.Values{"ids": {strings.Join(ids, ",")}})
		s.PostPart("/finds/mark", url.Values{"id": ids[:5], "mark": {"useful"}})
		path = d.Find("a[rel=next]").AttrOr("href", "")
	}
	if len(seen) != all || len(pages) != 3 {
		t.Errorf("%d of %d finds on %d pages", len(seen), all, len(pages))
	}
	d := s.Page(t, pages[2])
	for range 2 {
		back := d.Find("a[rel=prev]").AttrOr("href", "")
		if d = s.Page(t, back); d.Find("article.find").Length() < 30 { // five of each page were marked
			t.Errorf("%s shows %d finds", back, d.Find("article.find").Length())
		}
	}
	if d.Find("a[rel=prev]").Length() != 0 {
		t.Error("there is a page before the first")
	}
}

// TestEcho: what is said of a change, with texts from the web that try to be more.
func TestEcho(t *testing.T) {
	s := seed(t)
	evil := `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`
	link := func(n int) scheduler.PreviewLink {
		return scheduler.PreviewLink{URL: "http://a.test/" + strconv.Itoa(n), Anchor: evil, Why: []strategy.Reason{}}
	}
	c := echo.Change{TopicID: s.Topic, Topic: evil, Gained: []string{"barrage", evil}, Lost: []string{"history"},
		Sites: []echo.Site{{Name: "a.test", Was: 3, Is: 7}}, Before: []scheduler.PreviewLink{link(1), link(2)}, After: []scheduler.PreviewLink{link(2), link(3)}}
	s.Echo = echo.Echo{At: s.Clock, Topics: []echo.Change{c}}
	d := s.Page(t, "/")
	got := webtest.Text(d.Find("#echo .change p").First())
	if !strings.Contains(got, "counts more: barrage, "+evil) || !strings.HasSuffix(got, "1 of the next crawl's first 2 links is new.") {
		t.Errorf("says %q", got)
	}
	s.Echo.Topics[0].Marks = 11
	if got := webtest.Text(s.Page(t, "/").Find("#echo .change p").First()); !strings.Contains(got, "your last 11 actions together: counts more: barrage, ") {
		t.Errorf("of several marks it says %q", got)
	}
	if got := webtest.Text(d.Find("#echo details p").First()); got != "Among the first 50 links: more links of a.test (3 → 7)." {
		t.Errorf("sites: %q", got)
	}
	if d.Find("#echo script, #echo img").Length() != 0 || d.Find("#echo .fresh").Length() != 1 {
		t.Errorf("echo %s", webtest.Text(d.Find("#echo")))
	}
	for want, change := range map[string]func(*echo.Change){
		"The next crawl's first 2 links stay the same.":                                                    func(c *echo.Change) { c.After = c.Before },
		"The next crawl's first 2 links are the same, in another order.":                                   func(c *echo.Change) { c.After = []scheduler.PreviewLink{link(2), link(1)} },
		"The next crawl's first 2 links change no more than when the model is trained again without this.": func(c *echo.Change) { c.Usual = true },
		"Which links a crawl follows first is known once a start page is ticked and was read.":             func(c *echo.Change) { c.NoLinks = true },
	} {
		one := c
		change(&one)
		s.Echo.Topics = []echo.Change{one}
		if got := webtest.Text(s.Page(t, "/").Find("#echo .change p").First()); !strings.HasSuffix(got, want) {
			t.Errorf("says %q, want %q", got, want)
		}
	}
	s.Clock = s.Clock.Add(2 * undoTime)
	if d := s.Page(t, "/"); d.Find("#echo[hidden]").Length() != 1 {
		t.Error("an old echo is still shown")
	}
}
