//go:build !race

package web

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/chart"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/web/frame"
)

// Tests of one goroutine that would take minutes under the race detector, which has nothing to see in them.

func TestHostileForms(t *testing.T) {
	webtest.HostileForms(t, func(t testing.TB) *webtest.Wing {
		s := seed(t)
		s.Exec(t, `INSERT INTO browsers (client, name, origin, key, paired_at) VALUES ('c1', 'Chromium', 'chrome-extension://a', x'00', 1)`)
		return s.wing(t)
	})
}

func TestNothingIsMarkup(t *testing.T) {
	s := seed(t, "x")
	s.Refusal = func(string) error { return nil } // otherwise some of the addresses would not be shown
	s.Exec(t, `INSERT INTO browsers (client, name, origin, key, paired_at) VALUES ('c1', 'Chromium', 'chrome-extension://a', x'00', 1)`)
	// A few of each kind say as much as many.
	s.Exec(t, `DELETE FROM finds WHERE id NOT IN (SELECT id FROM finds ORDER BY id LIMIT 2)`)
	s.Exec(t, `DELETE FROM fetches WHERE id NOT IN (WITH RECURSIVE way(id) AS (SELECT fetch_id FROM finds
		UNION SELECT parent_id FROM fetches JOIN way USING (id) WHERE parent_id IS NOT NULL) SELECT id FROM way)`)
	s.Exec(t, `DELETE FROM events WHERE type <> 'session.start' AND page NOT IN (SELECT page FROM events WHERE type = 'visit' ORDER BY seq LIMIT 8)`)
	s.Exec(t, `INSERT INTO events (id, session_id, client, seq, at, type, page, body) SELECT 'label', session_id, client, seq, at, 'label', page,
		json_set(body, '$.type', 'label', '$.id', 'label') FROM events WHERE type = 'visit' ORDER BY seq LIMIT 1`)
	s.Exec(t, `INSERT INTO milestones (topic_id, at, action, page_id, name) SELECT ?, 1, 'name', id, 'x' FROM pages WHERE id IN
		(SELECT page_id FROM visits ORDER BY seq LIMIT 1 OFFSET 2)`, s.Topic)
	s.Exec(t, `INSERT INTO milestones (topic_id, at, action, name, new_name) VALUES (?, 2, 'rename', 'x', 'y')`, s.Topic)
	webtest.NothingIsMarkup(t, s.wing(t), func(text string) { s.spoil(t, text) })
}

// TestLargeSession: the page of a large session does not wait for its web graph, which is then drawn in parts. Each part is
// small, and together they show every page and step.
func TestLargeSession(t *testing.T) {
	const pages = 1000 // some ten parts
	s := seed(t)
	path := "/sessions/" + s.Session
	s.Exec(t, `UPDATE sessions SET pages = 2000`)
	d := s.Page(t, path)
	if load := d.Find("#session-web").AttrOr("data-load", ""); load != "?draw=1" || d.Find(".web").Length() != 0 {
		t.Errorf("the page waits, or asks for %q", load)
	}
	if d = s.Page(t, path+"?draw=1"); d.Find(".web").Length() != 1 || s.Page(t, path).Find(".web").Length() != 1 {
		t.Error("the web graph is not drawn, or not kept")
	}
	rng := rand.New(rand.NewPCG(3, 4))
	var big keptWeb
	for i := range pages {
		big.Pages = append(big.Pages, keptPage{URL: fmt.Sprint("http://big.test/", i), Title: fmt.Sprint("A page with a title ", i), Target: rng.IntN(4) == 0, Visits: 1})
		for range 20 {
			big.Links = append(big.Links, [2]int{i, rng.IntN(pages)})
		}
		for range 4 {
			big.Moves = append(big.Moves, chart.Move{From: rng.IntN(i + 1), To: i})
		}
	}
	big.layOut()
	body, err := frame.Pack(big)
	if err != nil {
		t.Fatal(err)
	}
	s.Exec(t, `UPDATE pictures SET body = ?`, body)
	shown, steps := map[string]bool{}, 0
	for k := range big.Parts {
		w := s.Get(path + "?part=" + strconv.Itoa(k+1))
		if w.Body.Len() > 150_000 {
			t.Errorf("part %d has %d bytes", k+1, w.Body.Len())
		}
		d := webtest.Tree(t, w)
		d.Find(".web-pages a").Each(func(_ int, a *goquery.Selection) {
			_, row, _ := strings.Cut(a.AttrOr("href", ""), "#")
			shown[row] = true
		})
		steps += len(strings.Fields(d.Find(".web-pages").AttrOr("data-steps", "")))
		if webtest.Text(d.Find(".web .rows-parts [aria-current]")) == "" || !strings.Contains(webtest.Text(d.Find("#web-caption")), "too large for one picture") {
			t.Errorf("part %d does not say that it is one: %q", k+1, webtest.Text(d.Find("#web-caption")))
		}
	}
	if len(shown) != pages || steps != len(big.Moves) {
		t.Errorf("%d pages and %d steps in all parts", len(shown), steps)
	}
	last := big.Parts[1].From + 2
	if got := webtest.Text(s.Page(t, path+"?step="+strconv.Itoa(last)).Find("#web-step")); !strings.HasPrefix(got, fmt.Sprintf("Step %d of %d", last, 4*pages)) {
		t.Errorf("a step of the second part: %q", got)
	}
}
