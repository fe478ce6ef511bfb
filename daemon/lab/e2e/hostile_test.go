package e2e

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"nightjar/daemon/lab/hostile"
	"nightjar/daemon/store"
)

// TestHostilePages opens every page of the gallery with hostile texts in every place that a stranger or a person can fill: no
// dialog opens, nothing is asked from elsewhere, the content security policy has nothing to refuse, and no text leaves its place,
// which it would first do in a narrow window; a wide one is for the night.
func TestHostilePages(t *testing.T) {
	t.Parallel()
	data := copyDemo(t)
	spoil(t, data)
	d := serveData(t, data, "127.0.0.1:1")
	g := newGallery(t, startBoard(t), d, "hostile")
	var origin string
	g.eval("location.origin", &origin)
	alarms := g.watch(origin)
	widths := []int{360, 1280}
	if !thorough() {
		widths = widths[:1]
	}
	for _, s := range screens {
		g.open(g.address(s))
		for _, width := range widths {
			g.window(width, "light")
			var problems, heaps []string
			if err := poll(patience, func() error { return g.tab.Eval(measure, &problems) }); err != nil {
				t.Fatalf("%s: %v", s.name, err)
			}
			g.eval(heaped, &heaps)
			for _, h := range heaps {
				t.Errorf("%s at %d px: accents may leave %s", s.name, width, h)
			}
			for _, p := range problems {
				// Words of other scripts and of no language may break anywhere; the demonstration's may not, see TestGallery.
				if !strings.Contains(p, "is broken inside") {
					t.Errorf("%s at %d px: %s", s.name, width, p)
				}
			}
			g.picture(fmt.Sprintf("hostile-%s-%d", s.name, width))
		}
		for _, alarm := range alarms() {
			t.Errorf("%s: %s", s.name, alarm)
		}
	}
}

// heaped lists the texts of cards with heaps of accents that are not clipped: the places of letters do not tell how high
// their accents reach.
const heaped = `[...document.querySelectorAll(".find :is(h3, p), .result :is(h3, p), .question :is(h2, p)")]
	.filter((e) => /\p{M}{8}/u.test(e.textContent) && getComputedStyle(e).overflowY !== "clip").map((e) => e.outerHTML.slice(0, 80))`

// watch returns what tells, and forgets, the dialogs, foreign requests and refusals since it was called last.
func (g *gallery) watch(origin string) (alarms func() []string) {
	g.t.Helper()
	var mu sync.Mutex
	var heard []string
	g.tab.browser.wire.listen(func(e event) {
		if e.SessionID != g.tab.session {
			return
		}
		var p struct {
			Message string
			Request struct{ URL string }
			Entry   struct{ Text, Source, Level string }
			Issue   struct{ Code string }
		}
		if json.Unmarshal(e.Params, &p) != nil {
			return
		}
		var what string
		switch {
		case e.Method == "Page.javascriptDialogOpening":
			what = "a dialog: " + p.Message
		case e.Method == "Network.requestWillBeSent" && !strings.HasPrefix(p.Request.URL, origin+"/") && !strings.HasPrefix(p.Request.URL, "data:"):
			what = "a request for " + p.Request.URL
		case e.Method == "Log.entryAdded" && (p.Entry.Source == "security" || strings.Contains(p.Entry.Text, "Content Security Policy")):
			what = "refused: " + p.Entry.Text
		case e.Method == "Audits.issueAdded" && p.Issue.Code == "ContentSecurityPolicyIssue":
			what = "refused by the content security policy"
		case e.Method == "Runtime.exceptionThrown":
			what = fmt.Sprintf("a script fails: %.300s", e.Params)
		default:
			return
		}
		mu.Lock()
		defer mu.Unlock()
		heard = append(heard, what)
	})
	g.t.Cleanup(func() { g.tab.browser.wire.listen(nil) })
	for _, domain := range []string{"Network", "Log", "Audits", "Runtime"} {
		if err := g.tab.call(domain+".enable", nil, nil); err != nil {
			g.t.Fatal(err)
		}
	}
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		all := heard
		heard = nil
		return all
	}
}

// TestWatch: what TestHostilePages waits for is heard.
func TestWatch(t *testing.T) {
	t.Parallel()
	g := newGallery(t, startBoard(t), startDemo(t), "watch")
	var origin string
	g.eval("location.origin", &origin)
	alarms := g.watch(origin)
	g.eval(`(() => { const i = new Image(); i.src = "http://elsewhere.test/x.png"; const s = document.createElement("script");
		s.textContent = "alert(1)"; document.body.append(i, s); setTimeout(() => { throw new Error("late"); }); })()`, nil)
	var heard []string
	err := poll(patience, func() error {
		heard = append(heard, alarms()...)
		for _, want := range []string{"refused", "a script fails"} {
			if !slices.ContainsFunc(heard, func(a string) bool { return strings.HasPrefix(a, want) }) {
				return errors.New("not heard: " + want)
			}
		}
		return nil
	})
	if err != nil {
		t.Errorf("%v in %q", err, heard)
	}
}

// spoil writes hostile texts into a data folder, another one in each row; finds and topics, which are few, get several.
func spoil(t *testing.T, data string) {
	t.Helper()
	db, err := sql.Open("sqlite", store.FileURL(filepath.Join(data, "nightjar.db"))+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() // everything was written
	db.SetMaxOpenConns(1)
	run := func(query string, args ...any) {
		t.Helper()
		if _, err := db.Exec(query, args...); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	}
	run("CREATE TEMP TABLE evil (n INTEGER PRIMARY KEY, text TEXT)")
	texts := hostile.Texts(t)
	for i, text := range texts {
		run("INSERT INTO evil VALUES (?, ?)", i, strings.ToValidUTF8(text, "?"))
	}
	text := func(salt int) string {
		return fmt.Sprintf("(SELECT text FROM evil WHERE n = (rowid_ * 7 + %d) %% %d)", salt, len(texts))
	}
	salt := 0
	for _, place := range []string{
		"browsers.name", "crawls.stop_reason", "documents.source", "documents.title", "fetches.anchor", "fetches.reason", "fetches.title", "finds.snippet", "finds.title", "maps.title", "pages.title",
		"reasons.like_title", "reasons.passage", "search_entries.title", "sessions.problem", "sessions.title", "topics.name",
	} {
		salt += 11
		table, column, _ := strings.Cut(place, ".")
		run(fmt.Sprintf("UPDATE %s SET %s = %s", table, column, strings.ReplaceAll(text(salt), "rowid_", table+".rowid")))
	}
	run("UPDATE reasons SET words = json_array(" + strings.ReplaceAll(text(3), "rowid_", "reasons.rowid") + ", " + strings.ReplaceAll(text(5), "rowid_", "reasons.rowid") + ")")
	run("UPDATE events SET body = json_set(body, '$.title', " + strings.ReplaceAll(text(17), "rowid_", "events.rowid") + ") WHERE type = 'visit'")
	run("UPDATE finds SET url = url || '?' || " + strings.ReplaceAll(text(23), "rowid_", "finds.rowid"))
	run("UPDATE topics SET name = ?", strings.Join([]string{texts[0], texts[1], texts[3], texts[10]}, " "))
	run("UPDATE positives SET title = " + strings.ReplaceAll(text(29), "rowid_", "positives.n") + ", snippet = " + strings.ReplaceAll(text(31), "rowid_", "positives.n"))
	run("UPDATE ontologies SET name = " + strings.ReplaceAll(text(37), "rowid_", "ontologies.id"))
	run("UPDATE link_page SET url = url || '?' || " + strings.ReplaceAll(text(41), "rowid_", "link_page.id"))
	run("DELETE FROM pictures")
}
