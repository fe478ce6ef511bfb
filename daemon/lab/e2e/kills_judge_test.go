package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// recordHost has numbered pages. Its server keeps the record of which were loaded.
const recordHost = "record.test"

// record serves numbered pages, counts how often each was loaded, and serves another web beside them.
type record struct {
	web http.Handler

	mu    sync.Mutex
	loads map[int]int
}

func (r *record) serve(t *testing.T) (addr string) {
	t.Helper()
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

func (r *record) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	if host, _, _ := strings.Cut(request.Host, ":"); host != recordHost {
		r.web.ServeHTTP(w, request)
		return
	}
	page, err := strconv.Atoi(strings.Trim(request.URL.Path, "/"))
	if err != nil {
		http.NotFound(w, request)
		return
	}
	r.mu.Lock()
	r.loads[page]++
	r.mu.Unlock()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	words := rand.New(rand.NewPCG(uint64(page), 3))
	fmt.Fprintf(w, `<!DOCTYPE html><title>Page %d</title><h1>Page %d</h1><p><a href="/%d">Next page</a><p>`, page, page, page+1)
	for range 1000 { // so that a snapshot has some kilobytes after compression, too
		fmt.Fprintf(w, "%x ", words.Uint32())
	}
}

// loaded is how often a page was loaded.
func (r *record) loaded(page int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.loads[page]
}

// stored is an event in the daemon's database.
type stored struct {
	seq        int64
	kind, page string
	url        string // of visits
	text       bool   // whether its page's text is stored
}

// judge waits until the extension's queue is empty and compares the daemon's events with what was done and reported. It
// returns the number of events.
func (k *killer) judge(kind string) int {
	k.t.Helper()
	k.reader.eventually("see the queue empty", func() error {
		events, err := k.sent()
		if err != nil {
			return err
		}
		for _, e := range events {
			if e.State != "stored" {
				return fmt.Errorf("event %d is %s", e.Event.Seq, e.State)
			}
		}
		return nil
	})
	events := k.events()
	for i, e := range events {
		if e.seq != int64(i+1) {
			k.t.Fatalf("%s: event %d is missing: the next one has the number %d", kind, i+1, e.seq)
		}
	}
	k.judgeDeeds(kind, events)
	k.judgeLoads(kind, events)
	return len(events)
}

// events are all events that the daemon stored, in the order of their numbers.
func (k *killer) events() (all []stored) {
	k.t.Helper()
	rows, err := k.d.db.Query(`SELECT e.seq, e.type, e.page, e.body, EXISTS (SELECT 1 FROM events s WHERE s.page = e.page AND s.content_hash IS NOT NULL)
		FROM events e ORDER BY e.seq`)
	if err != nil {
		k.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var s stored
		var body string
		var fields struct{ URL string }
		if err := rows.Scan(&s.seq, &s.kind, &s.page, &body, &s.text); err != nil {
			k.t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(body), &fields); err != nil {
			k.t.Fatal(err)
		}
		if s.kind == "visit" {
			s.url = fields.URL
		}
		all = append(all, s)
	}
	if err := rows.Err(); err != nil {
		k.t.Fatal(err)
	}
	return all
}

// judgeDeeds checks that what was reported is stored under its number, marks not twice, in the order in which it was done. A
// browser that was started again may load pages again; judgeLoads counts visits.
func (k *killer) judgeDeeds(kind string, events []stored) {
	k.t.Helper()
	at := map[string]int64{} // deed -> number of its first event
	pages := map[string]string{}
	for _, e := range events {
		name := ""
		switch e.kind {
		case "visit":
			pages[e.page] = e.url
			name = "visit " + e.url
			if !e.text {
				k.t.Errorf("%s: the text of %s is missing", kind, e.url)
			}
		case "useful", "not-useful":
			name = "mark " + pages[e.page]
		default:
			continue
		}
		if was := at[name]; was == 0 {
			at[name] = e.seq
		} else if e.kind != "visit" {
			k.t.Errorf("%s: %s is stored twice, as %d and %d", kind, name, was, e.seq)
		}
	}
	var last int64
	for _, d := range k.did {
		name := "visit " + d.url()
		if d.mark {
			name = "mark " + d.url()
		}
		seq := at[name]
		if d.reported != 0 && seq != d.reported {
			k.t.Errorf("%s: %s was reported as queued with the number %d, but is stored with %d", kind, name, d.reported, seq)
		}
		if d.reported == 0 && k.site.loaded(d.page) > 1 {
			continue // the browser that was started again loaded it when it wanted to
		}
		if seq != 0 && seq < last {
			k.t.Errorf("%s: %s has the number %d, and an earlier deed %d", kind, name, seq, last)
		}
		last = max(last, seq)
	}
}

// judgeLoads checks that no page has more visits than the server's record of loads.
func (k *killer) judgeLoads(kind string, events []stored) {
	k.t.Helper()
	k.site.mu.Lock()
	defer k.site.mu.Unlock()
	visits := map[string]int{}
	for _, e := range events {
		visits[e.url]++
	}
	for page, loads := range k.site.loads {
		if n := visits[(&deed{page: page}).url()]; n > loads {
			k.t.Errorf("%s: page %d was loaded %d times and is stored %d times", kind, page, loads, n)
		}
	}
}
