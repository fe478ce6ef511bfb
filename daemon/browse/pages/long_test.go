//go:build !race

package pages

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
