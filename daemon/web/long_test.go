//go:build !race

package web

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/chart"
	"nightjar/daemon/lab/effort"
)

// Tests of one goroutine that would take minutes under the race detector, which has nothing to see in them.

// TestHostileForms sends each form of each page with hostile texts in each field in turn, the others as the page has them: the
// answer is a refusal or leads to a page of ours, no page gets markup from it, and nothing fails. For each change a field gets
// the first text and another one; at night, all. Each POST route of the table has a form here.
func TestHostileForms(t *testing.T) {
	s := seed(t)
	s.exec(t, `INSERT INTO browsers (client, name, origin, key, paired_at) VALUES ('c1', 'Chromium', 'chrome-extension://a', x'00', 1)`)
	all := append(s.forms(t), s.unseen(t)...)
	missing := map[string]bool{}
	for _, r := range s.Router().Routes() {
		if _, ok := r.Handlers[http.MethodPost]; ok {
			missing[r.Pattern] = true
		}
	}
	texts := naughty(t, 24)
	for at, f := range all {
		delete(missing, f.pattern)
		t.Run(f.pattern, func(t *testing.T) {
			t.Parallel()
			on := seed(t) // what a form deletes, the next one needs
			on.withMaps(t)
			on.withGroupings(t)
			on.withWorkers(t)
			for n, field := range f.fields {
				for i, evil := range texts {
					if i > 0 && i != 1+(at+n)%(len(texts)-1) && !effort.Nightly() {
						continue
					}
					values := maps.Clone(f.values)
					values[field] = []string{evil}
					to := on.holdsForm(t, f.path, field, values)
					if to != "" && i == 0 {
						on.looksAt(t, to)
					}
				}
			}
		})
	}
	if len(missing) > 0 {
		t.Errorf("no form is sent to %v: show one on a page of this test, or name it in unseen", slices.Sorted(maps.Keys(missing)))
	}
}

// TestNothingIsMarkup shows pages full of hostile texts: they must have exactly the elements that they have with plain
// ones.
func TestNothingIsMarkup(t *testing.T) {
	s := seed(t)
	s.refusal = func(string) error { return nil } // otherwise some of the addresses would not be shown
	s.exec(t, `INSERT INTO browsers (client, name, origin, key, paired_at) VALUES ('c1', 'Chromium', 'chrome-extension://a', x'00', 1)`)
	// A few of each kind say as much as many.
	s.exec(t, `DELETE FROM finds WHERE id NOT IN (SELECT id FROM finds ORDER BY id LIMIT 2)`)
	s.exec(t, `DELETE FROM fetches WHERE id NOT IN (WITH RECURSIVE way(id) AS (SELECT fetch_id FROM finds
		UNION SELECT parent_id FROM fetches JOIN way USING (id) WHERE parent_id IS NOT NULL) SELECT id FROM way)`)
	s.exec(t, `DELETE FROM events WHERE type <> 'session.start' AND page NOT IN (SELECT page FROM events WHERE type = 'visit' ORDER BY seq LIMIT 8)`)
	s.exec(t, `INSERT INTO events (id, session_id, client, seq, at, type, page, body) SELECT 'label', session_id, client, seq, at, 'label', page,
		json_set(body, '$.type', 'label', '$.id', 'label') FROM events WHERE type = 'visit' ORDER BY seq LIMIT 1`)
	s.exec(t, `INSERT INTO milestones (topic_id, at, action, page_id, name) SELECT ?, 1, 'name', id, 'x' FROM pages WHERE id IN
		(SELECT page_id FROM visits ORDER BY seq LIMIT 1 OFFSET 2)`, s.topic)
	s.exec(t, `INSERT INTO milestones (topic_id, at, action, name, new_name) VALUES (?, 2, 'rename', 'x', 'y')`, s.topic)
	s.index(t)
	paths := s.everyPage(t)
	show := func(text string) map[string][]string {
		s.spoil(t, text)
		all := map[string][]string{}
		for _, path := range paths {
			w := s.get(path)
			if w.Code != 200 {
				t.Fatalf("%s with %q: %d", path, text, w.Code)
			}
			all[path] = slices.DeleteFunc(elements(t, path, w.Body.String()), func(e string) bool { return e == "mark" || strings.HasPrefix(e, "tspan") }) // words of the text
		}
		return all
	}
	plain := show("plain")
	for _, evil := range naughty(t, 20) {
		for path, got := range show(evil) {
			if want := plain[path]; !slices.Equal(got, want) {
				t.Errorf("%s with %.60q has other elements than with plain text: %d, not %d", path, evil, len(got), len(want))
			}
		}
	}
}

// TestLargeSession: the page of a large session does not wait for its web graph, which is then drawn in parts. Each part is
// small, and together they show every page and step.
func TestLargeSession(t *testing.T) {
	const pages = 1000 // some ten parts
	s := seed(t)
	path := "/sessions/" + s.session
	s.exec(t, `UPDATE sessions SET pages = 2000`)
	d := s.page(t, path)
	if load := d.Find("#session-web").AttrOr("data-load", ""); load != "?draw=1" || d.Find(".web").Length() != 0 {
		t.Errorf("the page waits, or asks for %q", load)
	}
	if d = s.page(t, path+"?draw=1"); d.Find(".web").Length() != 1 || s.page(t, path).Find(".web").Length() != 1 {
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
	body, err := pack(big)
	if err != nil {
		t.Fatal(err)
	}
	s.exec(t, `UPDATE pictures SET body = ?`, body)
	shown, steps := map[string]bool{}, 0
	for k := range big.Parts {
		w := s.get(path + "?part=" + strconv.Itoa(k+1))
		if w.Body.Len() > 150_000 {
			t.Errorf("part %d has %d bytes", k+1, w.Body.Len())
		}
		d := tree(t, w)
		d.Find(".web-pages a").Each(func(_ int, a *goquery.Selection) {
			_, row, _ := strings.Cut(a.AttrOr("href", ""), "#")
			shown[row] = true
		})
		steps += len(strings.Fields(d.Find(".web-pages").AttrOr("data-steps", "")))
		if text(d.Find(".web .rows-parts [aria-current]")) == "" || !strings.Contains(text(d.Find("#web-caption")), "too large for one picture") {
			t.Errorf("part %d does not say that it is one: %q", k+1, text(d.Find("#web-caption")))
		}
	}
	if len(shown) != pages || steps != len(big.Moves) {
		t.Errorf("%d pages and %d steps in all parts", len(shown), steps)
	}
	last := big.Parts[1].From + 2
	if got := text(s.page(t, path+"?step="+strconv.Itoa(last)).Find("#web-step")); !strings.HasPrefix(got, fmt.Sprintf("Step %d of %d", last, 4*pages)) {
		t.Errorf("a step of the second part: %q", got)
	}
}
