package pages

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/web/frame"
)

func TestSessionPage(t *testing.T) {
	s := seed(t)
	d := s.Page(t, "/sessions/"+s.Session)
	pages := s.Count(t, `SELECT pages FROM sessions`)
	if nodes := d.Find(".web-pages a.n").Length(); nodes != pages || nodes < 40 {
		t.Errorf("%d symbols, %d pages", nodes, pages)
	}
	targets := s.Count(t, `SELECT count(*) FROM marks WHERE useful = 1`)
	if got := d.Find(".web-pages a.t").Length(); got != targets || targets < 3 {
		t.Errorf("%d ringed, %d marked", got, targets)
	}
	path := func(class string) int { return strings.Count(d.Find(".web-lines "+class).AttrOr("d", ""), "M") }
	if path(".backs") < 10 || path(".way.w0") < 30 || path(".faint") < 30 {
		t.Error("moves, Back and other links are not all drawn")
	}
	d.Find(".web-pages a.n").Each(func(_ int, a *goquery.Selection) {
		href := a.AttrOr("href", "")
		query, anchor, _ := strings.Cut(href, "#")
		on := d
		if query != "" {
			on = s.Page(t, "/sessions/"+s.Session+query)
		}
		if on.Find("#"+anchor).Length() != 1 {
			t.Errorf("symbol leads to %q", href)
		}
	})
}

// TestSessionIsKept changes nothing between two requests: the second reads no page again. An erased event deletes what was kept.
func TestSessionIsKept(t *testing.T) {
	s := seed(t)
	path := "/sessions/" + s.Session
	first := s.Get(path).Body.String()
	if n := s.Count(t, `SELECT count(*) FROM pictures`); n != 1 {
		t.Fatalf("%d pictures kept", n)
	}
	one, err := sessions.ByUUID(t.Context(), s.Store.DB, s.Session)
	if err != nil {
		t.Fatal(err)
	}
	var kept keptWeb
	_, body, err := lastPicture(t.Context(), s.Store.DB, one.ID)
	if err == nil {
		err = frame.Unpack(body, &kept)
	}
	if err != nil {
		t.Fatal(err)
	}
	other := keptWeb{Pages: kept.Pages[:1]}
	other.layOut()
	if body, err = frame.Pack(other); err != nil {
		t.Fatal(err)
	}
	s.Exec(t, `UPDATE pictures SET body = ?`, body) // another picture, to see that it is the kept one that is shown
	if n := s.Page(t, path).Find(".web-pages a.n").Length(); n != 1 {
		t.Errorf("%d symbols: the kept picture is not shown", n)
	}
	s.Exec(t, `UPDATE pictures SET body = x'00'`)
	if s.Get(path).Body.String() != first {
		t.Error("a broken picture is not made again in the same way")
	}
	s.Exec(t, `DELETE FROM events WHERE type = 'back'`)
	if n := s.Count(t, `SELECT count(*) FROM pictures`); n != 0 {
		t.Error("what was kept outlives erased events")
	}
	if got := s.Page(t, path).Find(".web-lines .backs").Length(); got != 0 {
		t.Error("erased moves are drawn")
	}
	s.Exec(t, `UPDATE events SET body = json_set(body, '$.title', 'changed') WHERE type = 'visit'`)
	if n := s.Count(t, `SELECT count(*) FROM pictures`); n != 0 {
		t.Error("what was kept outlives changed events")
	}
}

func TestSessionExport(t *testing.T) {
	s := seed(t)
	w := s.Get("/sessions/" + s.Session + "/export")
	events, err := session.Read(w.Body)
	if err != nil || len(events) != s.Count(t, `SELECT count(*) FROM events`) {
		t.Errorf("%d events, %v", len(events), err)
	}
	if got := w.Header().Get("Content-Disposition"); got != `attachment; filename="tidal-power-2026-11-20.session.jsonl"` {
		t.Errorf("%s", got)
	}
}

func TestSessionDelete(t *testing.T) {
	s := seed(t)
	if d := s.Page(t, "/sessions/"+s.Session+"/delete"); !strings.Contains(webtest.Text(d.Find("main")), "cannot be undone") {
		t.Error("deleting is not explained")
	}
	s.MustPost(t, "/sessions/"+s.Session+"/delete", nil)
	if n := s.Count(t, `SELECT count(*) FROM sessions`) + s.Count(t, `SELECT count(*) FROM events`); n != 0 {
		t.Errorf("%d rows left", n)
	}
	if n := s.Count(t, `SELECT count(*) FROM models WHERE length(bundle) > 0`); n != 0 {
		t.Error("a model still knows the session")
	}
	if len(s.Submitted) != 1 || s.Submitted[0] != s.Topic {
		t.Errorf("trained again: %v", s.Submitted)
	}
	d := s.Page(t, "/model/"+strconv.FormatInt(s.Topic, 10))
	if !strings.Contains(webtest.Text(d.Find("main")), "was erased") {
		t.Error("the model page does not say that the model was erased")
	}
	s.Page(t, "/") // finds that the erased model judged still show
}

func TestStartPages(t *testing.T) {
	s := seed(t)
	base := "/topics/" + strconv.FormatInt(s.Topic, 10) + "/starts"
	var all []string
	s.Page(t, "/sessions").Find(".ticks input").Each(func(_ int, box *goquery.Selection) { all = append(all, box.AttrOr("value", "")) })
	if len(all) < 2 {
		t.Fatalf("start pages %q", all)
	}
	s.MustPost(t, base, url.Values{"start-" + strconv.FormatInt(s.Topic, 10): {all[0], "https://never.proposed.example/"}})
	if n := s.Count(t, `SELECT count(*) FROM starts WHERE ticked = 1 AND url = ?`, all[0]); n != 1 || s.Count(t, `SELECT sum(ticked) FROM starts`) != 1 {
		t.Error("ticks are not those of the form")
	}
	// ticks that were not saved yet are saved with a page that is added
	id := strconv.FormatInt(s.Topic, 10)
	ticks := url.Values{"start-" + id: {all[1]}, "visited-asked": {id}, "url": {"HTTP://Example.org:80/a#b"}}
	s.MustPost(t, base, ticks)
	if n := s.Count(t, `SELECT count(*) FROM starts WHERE url = 'http://example.org/a' AND ticked = 1 AND source = 'added'`); n != 1 {
		t.Error("the added page is not there")
	}
	if n := s.Count(t, `SELECT count(*) FROM starts WHERE ticked = 1 AND url = ?`, all[1]); n != 1 || s.Count(t, `SELECT sum(ticked) FROM starts`) != 2 {
		t.Error("the ticks beside the added page were not saved")
	}
	for _, bad := range []string{"x", "javascript:alert(1)", "file:///etc/passwd", "https://u:p@example.org/", "http://"} {
		ticks.Set("url", bad)
		w := s.Post(base, ticks)
		if w.Code != http.StatusUnprocessableEntity {
			t.Errorf("start page %q: %d", bad, w.Code)
		}
		page, err := goquery.NewDocumentFromReader(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		if box := page.Find(".ticks input[checked]"); box.Length() != 1 || box.AttrOr("value", "") != all[1] {
			t.Errorf("start page %q: the page lost the ticks of the person", bad)
		}
	}
}

// A large session that is still recorded is drawn again at most once a minute, and only when that is asked for; its page says
// how old the picture is.
func TestLargeSessionWhileRecorded(t *testing.T) {
	s := seed(t)
	path := "/sessions/" + s.Session
	s.Exec(t, `UPDATE sessions SET pages = ?, status = 'recording'`, mostAtOnce+1)
	state := func() (of string) {
		if err := s.DB.QueryRow(`SELECT of FROM pictures`).Scan(&of); err != nil {
			t.Fatal(err)
		}
		return of
	}
	if d := s.Page(t, path+"?draw=1"); d.Find("#web-age").Length() != 0 || d.Find(".web").Length() != 1 {
		t.Error("a picture that was drawn just now is said to be old")
	}
	first := state()
	s.Exec(t, `INSERT INTO events (id, session_id, client, seq, at, type, page, body, content_hash)
		SELECT id || 'x', session_id, client, seq + 100000, at, type, page, body, content_hash FROM events WHERE type = 'snapshot' LIMIT 1`)
	for _, c := range []struct {
		after time.Duration
		query string
		says  string
		again bool // it can be asked for
		drawn bool // it was drawn again
	}{
		{20 * time.Second, "", "as it was 20 s ago.", false, false},
		{20 * time.Second, "?draw=1", "as it was 40 s ago.", false, false},
		{5 * time.Minute, "", "as it was 5 min 40 s ago. Draw it again", true, false},
		{0, "?draw=1", "", false, true},
		{time.Hour, "", "", false, true}, // no event came since
	} {
		s.Clock = s.Clock.Add(c.after)
		d := s.Page(t, path+c.query)
		if age := webtest.Text(d.Find("#web-age")); !strings.HasSuffix(age, c.says) || (age == "") != (c.says == "") {
			t.Errorf("%q: says %q, want %q", c.query, age, c.says)
		}
		if again := d.Find("#web-age a").AttrOr("href", "") == "?draw=1"; again != c.again {
			t.Errorf("%q: can be drawn again: %v", c.query, again)
		}
		if drawn := state() != first; drawn != c.drawn || d.Find(".web").Length() != 1 {
			t.Errorf("%q: drawn again: %v", c.query, drawn)
		}
	}
}
