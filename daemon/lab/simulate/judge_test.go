package simulate

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/lab/traces"
	"nightjar/daemon/store"
)

// expected are the warnings and errors that the log may have, and why.
var expected = []struct{ message, because string }{
	{"the crawler may fetch from addresses that are otherwise refused", "the web is in memory"},
}

// judgeLog: every warning and error in the log is expected by somebody.
func (w *world) judgeLog(l *life) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, line := range l.said {
		if !slices.ContainsFunc(expected, func(e struct{ message, because string }) bool { return strings.Contains(line, e.message) }) {
			w.fail("log", "%s", line)
		}
	}
}

// open opens the database beside the daemon, only to read.
func (w *world) open() *sql.DB {
	db, err := sql.Open("sqlite", store.FileURL(filepath.Join(w.data, "nightjar.db"))+"?mode=ro&_pragma=busy_timeout(20000)")
	w.check(err)
	db.SetMaxOpenConns(1)
	return db
}

// judgeRunning: the daemon ends by itself for nothing, not even to start again as one whose database is damaged.
func (w *world) judgeRunning() {
	select {
	case err := <-w.life.over:
		w.life.over <- err // for whoever buries it
		w.life.mu.Lock()
		defer w.life.mu.Unlock()
		w.fail("running", "the daemon ended by itself: %v: %q", err, w.life.said)
	default:
	}
}

// lines are the rows of a query, the columns of each joined by " | ".
func (w *world) lines(text string, args ...any) (all []string) {
	db := w.open()
	defer db.Close()
	rows, err := db.Query(text, args...)
	w.check(err)
	defer rows.Close()
	columns, err := rows.Columns()
	w.check(err)
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		w.check(rows.Scan(into...))
		parts := make([]string, len(values))
		for i, v := range values {
			parts[i] = fmt.Sprint(v)
		}
		all = append(all, strings.Join(parts, " | "))
	}
	w.check(rows.Err())
	return all
}

func (w *world) count(text string, args ...any) (n int) {
	db := w.open()
	defer db.Close()
	w.check(db.QueryRow(text, args...).Scan(&n))
	return n
}

// judgeStart: the database is sound, and what was acknowledged is there exactly once.
func (w *world) judgeStart() {
	if said := w.lines("PRAGMA integrity_check"); !slices.Equal(said, []string{"ok"}) {
		w.fail("sound", "%q", said)
	}
	if lost := w.lines("PRAGMA foreign_key_check"); len(lost) > 0 {
		w.fail("sound", "rows that refer to nothing: %q", lost)
	}
	w.browser.mu.Lock()
	defer w.browser.mu.Unlock()
	stored := map[string]bool{}
	for _, id := range w.lines("SELECT id FROM events") {
		stored[id] = true
	}
	for id, e := range w.browser.acked {
		if !stored[id] {
			w.fail("acknowledged", "the %s with the number %d is lost", e.Type, e.Seq)
		}
		delete(stored, id)
	}
	for _, e := range w.browser.queue {
		delete(stored, e.ID)
	}
	for id := range w.browser.freed {
		delete(stored, id)
	}
	if len(stored) > 0 {
		w.fail("acknowledged", "%d events are stored that no browser sent", len(stored))
	}
}

// judgeNight: the night ran and ended, asked hosts politely and no page twice, and asked nobody once its crawl had ended.
func (w *world) judgeNight() {
	date := w.opens.Format(time.DateOnly)
	crawls := w.lines("SELECT status, stop_reason, started_at, ended_at, fetched FROM crawls WHERE night = ?", date)
	if len(crawls) == 0 && len(w.starts) == 0 { // everything, or all that leads to a page, was erased
		return
	}
	if len(crawls) != 1 || !strings.HasPrefix(crawls[0], "ended") {
		w.fail("ran", "the crawls of the night: %q", crawls)
	}
	w.log("the crawl %s", crawls[0])
	ended, ledger := time.UnixMilli(int64(w.count("SELECT ended_at FROM crawls WHERE night = ?", date))), w.ledger(date)
	w.web.mu.Lock()
	defer w.web.mu.Unlock()
	last, times := map[string]*request{}, map[string]int{}
	for _, r := range w.web.requests {
		if before := last[r.host]; before != nil {
			w.polite(before, r)
		}
		last[r.host] = r
		if r.night != w.night {
			continue
		}
		if r.at.After(ended.Add(time.Millisecond)) {
			w.fail("ended", "%s was asked for %v after the crawl had ended", r.url(), r.at.Sub(ended))
		}
		if r.at.Before(w.opens) {
			w.fail("window", "%s was asked for %v before the window opened", r.url(), w.opens.Sub(r.at))
		}
		if late := r.at.Sub(w.opens.Add(w.window)); late > 2*time.Second { // for which what is in flight may go on
			w.fail("window", "%s was asked for %v after the window closed", r.url(), late)
		}
		if at := ledger[r.host]; at != nil { // else it was erased
			w.once(r, at, times)
		}
	}
	for host, at := range ledger {
		if at.seen > at.requests {
			w.fail("ledger", "%s was asked %d times, the ledger has %d", host, at.seen, at.requests)
		}
	}
}

// contacts are the requests to a host in a night.
type contacts struct {
	requests, probes int // in the ledger: all, and those for pages that cannot exist or by which a crawl sees whether the network is there
	seen             int // those that the ledger must have
}

// ledger is what the store says of each host that a night's crawl asked.
func (w *world) ledger(date string) map[string]*contacts {
	all := map[string]*contacts{}
	for _, line := range w.lines(`SELECT host, sum(requests), sum(iif(purpose = 'probe', requests, 0)) FROM contacts JOIN crawls ON crawls.id = crawl_id
		WHERE night = ? GROUP BY host`, date) {
		var host string
		var at contacts
		_, err := fmt.Sscanf(line, "%s | %d | %d", &host, &at.requests, &at.probes)
		w.check(err)
		all[host] = &at
	}
	return all
}

// once: a request is in the ledger, and asks for nothing that the crawl has in this night, except to see whether the network is there. What a
// death cut off may be asked for once more, and need not be in the ledger.
func (w *world) once(r *request, at *contacts, times map[string]int) {
	p, ok := w.web.find(r.host, r.path, r.night)
	if !r.cut && !r.done.IsZero() {
		at.seen++
	}
	if nowhere := !ok && !strings.ContainsAny(r.path[1:], "/."); nowhere && !r.cut {
		at.probes--
	}
	if !(ok || r.path == "/robots.txt") || r.status != http.StatusOK || w.web.target(p) {
		return
	}
	most := 1
	if times[r.url()]++; r.cut || r.unread {
		times[r.url()+" cut"]++
	}
	if times[r.url()+" cut"] > 0 {
		most = 2
	}
	if times[r.url()] <= most {
		return
	}
	if at.probes--; at.probes < 0 {
		w.fail("twice", "%s (%v) was asked for %d times, the last time %v after the window opened, in life %d", r.url(), p, times[r.url()], r.at.Sub(w.opens), r.life)
	}
}

// polite: no host is asked sooner than it wants, over all lives of the daemon.
func (w *world) polite(before, r *request) {
	asks := before.asks
	if before.cut {
		asks = delay
	}
	from := before.at
	if before.life == r.life && !before.done.IsZero() {
		from = before.done
	}
	if gap := r.at.Sub(from); gap < asks {
		w.fail("polite", "%s was asked %v after %s (in lives %d and %d), which asks for %v", r.url(), gap, before.path, r.life, before.life, asks)
	}
}

// judgeFinds: a page of finds has those of the store, as many as fit, and mornings show new ones while there are any.
func (w *world) judgeFinds(list *goquery.Document) {
	had := w.lines("SELECT url FROM finds WHERE asked = 0 AND refused = 0")
	shown := list.Find("article.find").Length()
	if most := 50; shown != min(len(had), most) && shown < min(len(had), 20) {
		w.fail("page", "the page of finds shows %d, the store has %d", shown, len(had))
	}
	w.web.mu.Lock()
	defer w.web.mu.Unlock()
	read := map[string]bool{}
	for _, r := range w.web.requests {
		read[r.url()] = read[r.url()] || r.status == 200
	}
	unread := 0
	for _, p := range w.web.pages(max(0, w.night-3)) {
		if kind := w.web.kind(p.host); p.useful() && !read[p.url(w.web)] && !w.visited[p.url(w.web)] && (kind == plain || kind == slow || kind == patient) {
			unread++
		}
	}
	if len(had) > w.found {
		w.poor = 0
	} else if w.poor++; w.poor > 3 && unread > 5 {
		w.fail("finds", "for %d mornings there is no new find, though %d useful pages are unread", w.poor, unread)
	}
	w.found = len(had)
}

// judgeErased: nothing that is erased is in the data folder, in no table and in no file. The daemon is off.
func (w *world) judgeErased(names ...string) {
	places, err := traces.Find(context.Background(), w.data, names...)
	w.check(err)
	if len(places) > 0 {
		w.fail("erased", "%d places have what was erased: %s", len(places), strings.Join(places[:min(4, len(places))], "; "))
	}
}
