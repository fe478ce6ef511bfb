package erasing_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/archive"
	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
	"nightjar/daemon/app/wings"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/lab/traces"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/morning/search"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/daemon/thesus/links"
	"nightjar/daemon/thesus/wordnet"
)

// words are what only the erased site has: its name, words of its pages, and words of links to it.
var words = []string{"canary", "featherword", "yellowword"}

// kinds are how other sites can refer to the site.
var kinds = []string{
	`<a href="https://canary.test/pathword?queryword=1" title="yellowword">yellowword song</a>`,
	`<a href=//www.canary.test/>yellowword</a>`, `<A HREF="HTTPS://CANARY.TEST/">yellowword</A>`, `<a href="https://%63anary.test/">yellowword</a>`,
	`<a href="https://c&#97;nary.test:8443/x">yellowword</a>`, `<a href="/out?to=https%3A%2F%2Fcanary.test%2Fx">yellowword</a>`,
	`<a href="https://web.test/2020/http://canary.test/x">yellowword</a>`, `<a href="https://canary.test/"><img src=/b.png alt="yellowword"></a>`,
	`<img src="https://canary.test/b.png" alt="yellowword">`, `<img srcset="/a.png 1x, //canary.test/b.png 2x" alt="yellowword">`,
	`<picture><source srcset="https://canary.test/b.webp"></picture>`, `<meta http-equiv=refresh content="99;url=https://canary.test/">`,
	`<link rel=canonical href="https://canary.test/">`, `<meta property="og:url" content="https://canary.test/">`,
	`<script type="application/ld+json">{"name":"yellowword","url":"https:\/\/canary.test\/"}</script>`, `<script>go("https://\u0063anary.test/")</script>`,
	`<script src="https://canary.test/x.js"></script>`, `<p data-from="https://canary.test/">seven</p>`, `<p style="background:url(//canary.test/x.png)">eight</p>`,
	`<style>p { background: url(https://canary.test/x.png) }</style>`, `<form action="https://canary.test/q"><input name=q></form>`,
	`<iframe src="https://canary.test/f">yellowword</iframe>`, `<!-- https://canary.test/ yellowword -->`, `<p>see https://canary.test/pathword, today</p>`,
	`<p>write to yellowword@canary.test</p>`, `<object data="https://canary.test/x">yellowword</object>`, `<video src="https://canary.test/v">yellowword</video>`,
	`<blockquote cite="https://canary.test/">eleven</blockquote>`, `<map><area href="https://canary.test/" alt="yellowword"></map>`,
	`<button onclick="location='https://canary.test/'">yellowword</button>`, `<select><option value="https://canary.test/">yellowword</select>`,
	`<a href=/x ping="https://canary.test/p">yellowword</a>`, `<div itemid="https://canary.test/">twelve</div>`, `<html manifest="https://canary.test/m">`,
	`<svg><use href="https://canary.test/s.svg#x"></use></svg>`, `<noscript><a href="https://canary.test/">yellowword</a></noscript>`,
	`<template><a href="https://canary.test/">yellowword</a></template>`, `<embed src="https://canary.test/x">`, `<body background="https://canary.test/x.png">`,
	`<a href="https://ｃａｎａｒｙ.test/">yellowword</a>`, `<link rel=preconnect href="//canary.test">`,
}

// wordsOnly begin the kinds that lose the address when a visit is recorded, and nothing tells any more that the words beside it
// were those of a link: <button onclick>, <a ping>, <img srcset>.
var wordsOnly = []string{"<button onclick=", "<a href=/x ping=", "<img srcset="}

// keepAddress is the number of kinds that have the address after recording, which takes scripts, styles and comments out.
const keepAddress = 27

// world is a data folder with a site and pages of others that have it.
type world struct {
	t       *testing.T
	dir     string
	st      *store.Store
	archive *archive.Archive
	trainer *trainer.Trainer
	topic   int64
	events  []session.Event
}

var began = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

func newWorld(t *testing.T) *world {
	t.Helper()
	path := storetest.Path(t)
	w := &world{t: t, dir: filepath.Dir(path)}
	w.open()
	t.Cleanup(func() { w.close() })
	w.record()
	w.crawl()
	return w
}

func (w *world) open() {
	var err error
	if w.st, err = store.OpenWith(context.Background(), filepath.Join(w.dir, "nightjar.db"), store.Options{Scrub: wings.Scrub}); err != nil {
		w.t.Fatal(err)
	}
	w.st.Now = func() time.Time { return began.Add(time.Hour) }
	if w.archive, err = archive.Open(archive.Options{Dir: filepath.Join(w.dir, "archive"), Clock: clock.Func(w.st.Now)}); err != nil {
		w.t.Fatal(err)
	}
	w.trainer = trainer.New(trainer.Deps{Store: w.st, Bus: &notify.Bus{}, Log: slog.New(slog.DiscardHandler)})
}

func (w *world) close() {
	if err := w.archive.Close(); err != nil {
		w.t.Error(err)
	}
	if err := w.st.Close(); err != nil {
		w.t.Error(err)
	}
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// record stores a session: a chain of pages of ice.test that have the site, and visits of the site itself.
func (w *world) record() {
	m := sessiontest.NewMaker(5, began)
	all := []protocol.Event{m.Start("Ice")}
	from := ""
	visit := func(url, title, html string) protocol.Event {
		v := m.Visit(url, title, protocol.HowLink, from)
		all, from = append(all, v, m.Snapshot(v.Page, []byte(html))), v.Page
		return v
	}
	for i, kind := range append([]string{""}, kinds...) {
		if slices.ContainsFunc(wordsOnly, func(start string) bool { return strings.HasPrefix(kind, start) }) {
			kind = strings.ReplaceAll(kind, "yellowword", "press")
		}
		text := strings.Repeat([]string{"harbour ship sail ", "forest tree moss ", "mountain rock snow "}[i%3], i%5+3)
		v := visit(fmt.Sprintf("http://ice.test/%d", i), fmt.Sprintf("Station %d", i), fmt.Sprintf(`<title>Station %d</title><p>%s number%d</p>%s<a href="/%d">next</a>`, i, text, i, kind, i+1))
		if i%4 == 1 {
			all = append(all, m.Of(protocol.Useful, v.Page, ""))
		}
	}
	site := visit("https://canary.test/pathword?queryword=1", "Canary titleword", "<title>Canary</title><p>featherword featherword wings of the canary</p>")
	label := m.Of(protocol.Label, site.Page, "")
	label.Name = "Featherword found"
	all = append(all, m.Of(protocol.Useful, site.Page, ""), label, m.Frame(site.Page, "https://sub.canary.test/frame", protocol.KindIframe))
	redirected := m.Visit("http://ice.test/moved", "Moved", protocol.HowLink, from)
	redirected.Requested = "https://canary.test/old"
	linked := m.Of(protocol.LinkUseful, from, "")
	linked.URL = "https://canary.test/linked"
	all = append(all, redirected, linked)
	visit("https://out.test/?to=https%3A%2F%2Fcanary.test%2Fx", "Out", "<p>leaving")
	all = append(all, m.Event(protocol.Submit))
	admitted, refused := session.AdmitAll(all)
	in, err := sessions.Ingest(w.t.Context(), w.st, admitted)
	if err != nil || len(refused)+len(in.Refused) > 0 {
		w.t.Fatalf("%v, refused %v %v", err, refused, in.Refused)
	}
	w.events = admitted
	topic, err := topics.ByName(w.t.Context(), w.st.DB, "Ice")
	w.must(err)
	w.topic = topic.ID
	w.train()
}

func (w *world) train() {
	w.t.Helper()
	_, err := w.trainer.Train(w.t.Context(), w.topic)
	w.must(err)
}

func packed(html string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(html)) // to memory
	_ = z.Close()
	return b.Bytes()
}

// crawl stores what a night leaves: fetches, a find, the frontier, ledgers, records, and what hosts said.
func (w *world) crawl() {
	w.t.Helper()
	db := filepath.Join(w.dir, "nightjar.db")
	exec := func(text string, args ...any) { w.t.Helper(); storetest.Exec(w.t, db, text, args...) }
	exec(`INSERT INTO crawls (topic_id, model_id, strategy, options, status, created_at) VALUES (?, (SELECT max(id) FROM models), 'hmm', '{"starts":["https://canary.test/s"]}', 'ended', 1)`, w.topic)
	sent := func(url, html string, fields ...string) {
		header := http.Header{"Content-Type": {"text/html"}}
		for i := 0; i < len(fields); i += 2 {
			header.Set(fields[i], fields[i+1])
		}
		_, err := w.archive.Write(w.t.Context(), []fetch.Exchange{{URL: url, Purpose: fetch.ForPage, At: began, Status: 200, Proto: "HTTP/1.1", Header: header, Body: []byte(html)}})
		w.must(err)
	}
	page := func(n int, url, html, evidence string) {
		hash := sha256.Sum256([]byte(html))
		exec(`INSERT OR IGNORE INTO contents (hash, gzip) VALUES (?, ?)`, hash[:], packed(html))
		exec(`INSERT INTO fetches (crawl_id, n, url, final_url, host, outcome, at, parent_id, title, evidence, content_hash, relevant)
			VALUES (1, ?, ?, ?, 'h', 'ok', 1, nullif(?, 0), 'T', ?, ?, 1)`, n, url, url, n-1, evidence, hash[:])
		sent(url, html)
	}
	page(1, "http://snow.test/", `<p>snow melts in spring and feeds the river with cold water for weeks on end</p>`+strings.Join(kinds, "\n"), `["yellowword"]`)
	page(2, "https://www.canary.test/deep", `<p>featherword`, `["featherword"]`)
	page(3, "http://snow.test/clean", `<p>clean snow`, `["snow"]`)
	exec(`UPDATE fetches SET anchor = 'featherword', why = '[{"text":"featherword"}]' WHERE n = 3`)
	exec(`INSERT INTO finds (topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at) VALUES
		(?1, 1, 1, 'http://snow.test/', 'Snow', 'snow melts yellowword', 1, 1), (?1, 1, 2, 'https://www.canary.test/deep', 'Featherword', 'featherword', 1, 1),
		(?1, 1, 3, 'http://snow.test/clean', 'See https://canary.test/x', 'clean snow', 1, 1)`, w.topic)
	exec(`INSERT INTO reasons (find_id, words, passage, like_url, like_title) VALUES (1, '["yellowword"]', 'yellowword', 'https://canary.test/pathword?queryword=1', 'Canary'), (3, '["snow"]', 'clean snow', '', '')`)
	exec(`INSERT INTO feedback (find_id, mark, at) VALUES (2, 'useful', 1), (3, 'useful', 1)`)
	exec(`INSERT INTO frontier (crawl_id, url, status, priority, seq, parent_n, anchor) VALUES (1, 'https://canary.test/queued', 'queued', '[]', 1, 1, 'yellowword'),
		(1, 'http://r.test/?u=https://canary.test/', 'queued', '[]', 2, 1, 'yellowword'), (1, 'http://snow.test/next', 'queued', '[]', 3, 3, 'next snow')`)
	exec(`INSERT INTO starts (topic_id, url, source, created_at) VALUES (?, 'https://canary.test/', 'added', 1), (?, 'http://snow.test/', 'added', 1)`, w.topic, w.topic)
	exec(`INSERT INTO contacts (crawl_id, host, purpose, first_at, last_at) VALUES (1, 'canary.test', 'page', 1, 1), (1, 'snow.test', 'page', 1, 1)`)
	exec(`INSERT INTO resting (crawl_id, host, strikes, reason) VALUES (1, 'sub.canary.test', 1, 'slow'), (1, 'snow.test', 1, 'the redirect to https://canary.test/x failed')`)
	exec(`INSERT INTO hosts (host, missing) VALUES ('canary.test:8443', NULL), ('snow.test', ?)`, packed("gone to https://canary.test/"))
	exec(`INSERT INTO robots (origin, host, read_at, keep_ms, body) VALUES ('http://snow.test', 'snow.test', 1, 1, ?), ('https://canary.test', 'canary.test', 1, 1, NULL)`,
		packed("Sitemap: https://canary.test/map.xml"))
	exec(`INSERT INTO saved_sets (name, expression, created_at) VALUES ('mine', '[https://canary.test/]', 1)`)
	exec(`INSERT INTO operations (at, text) VALUES (1, 'crawl([https://canary.test/],1)')`)
	exec(`INSERT INTO documents (key, title, source, created_at, titles) VALUES ('k', 'A paper, see https://canary.test/p', 'paper.pdf', 1, '["Feathers of canary.test birds"]')`)
	sent("https://canary.test/robots.txt", "User-agent: featherword")
	sent("http://snow.test/again", `<p>snow melts in spring and feeds the river with cold water for weeks on end</p>`+strings.Join(kinds, "\n"), "Link", "<https://canary.test/>; rel=next")
	w.must(w.archive.Finish())
	w.index()
}

// index lets the words of pages and of links be read.
func (w *world) index() {
	w.t.Helper()
	log := slog.New(slog.DiscardHandler)
	for _, step := range []func(context.Context) (int, error){search.NewIndexer(w.st, log).Step,
		links.NewIndexer(w.st, links.Options{WordNet: wordnet.New(wordnet.Options{Dir: w.dir, Log: log}), Log: log}).Step} {
		for {
			n, err := step(w.t.Context())
			w.must(err)
			if n == 0 {
				break
			}
		}
	}
}

func (w *world) eraser(tell func()) *erasing.Eraser {
	return erasing.New(erasing.Deps{Store: w.st, Wings: wings.Erasing, Archive: w.archive, Log: slog.New(slog.DiscardHandler), Apart: func(_ context.Context, do func() error) error { return do() },
		Train: func(int64) {}, Tell: tell})
}

func (w *world) places() []string {
	w.t.Helper()
	found, err := traces.Find(w.t.Context(), w.dir, words...)
	w.must(err)
	return found
}

func (w *world) mustBeWhole(when string) {
	w.t.Helper()
	for _, place := range w.places() {
		w.t.Errorf("%s: %s is left", when, place)
	}
}

func (w *world) count(text string) (n int) {
	w.t.Helper()
	db, err := sql.Open("sqlite", store.FileURL(filepath.Join(w.dir, "nightjar.db"))+"?mode=ro&_pragma=busy_timeout(10000)")
	w.must(err)
	defer db.Close()
	w.must(db.QueryRow(text).Scan(&n))
	return n
}

// exec changes the database.
func (w *world) exec(text string) {
	w.t.Helper()
	db, err := sql.Open("sqlite", store.FileURL(filepath.Join(w.dir, "nightjar.db"))+"?_pragma=busy_timeout(10000)")
	w.must(err)
	defer db.Close()
	_, err = db.Exec(text)
	w.must(err)
}

// TestErase: other sites refer to a site in 41 ways, and erasing it leaves nothing of it in any file: before and after the models
// are trained again, and when its events are sent again. Other content of these sites stays.
func TestErase(t *testing.T) {
	w := newWorld(t)
	if before := w.places(); len(before) < 40 {
		t.Fatalf("the site is known in %d places only: %s", len(before), strings.Join(before, "; "))
	}
	e := w.eraser(nil)
	one, err := e.Begin(t.Context(), "canary.test")
	w.must(err)
	w.must(e.Erase(t.Context(), &one))
	w.mustBeWhole("erased")
	if c := one.Counts; c.Changed < keepAddress+1 || c.Records < 3 || c.Rewritten < 2 || c.Texts < 2 || len(c.Topics) != 1 || c.Left+c.Found+c.Mentions+c.Unreadable != 0 || c.Rounds != 1 {
		t.Errorf("told: %+v", c)
	}
	for text, want := range map[string]int{
		"SELECT count(*) FROM pages WHERE content_hash IS NOT NULL": len(kinds) + 1, "SELECT count(*) FROM fetches WHERE content_hash IS NOT NULL": 2,
		"SELECT count(*) FROM finds": 2, "SELECT count(*) FROM finds WHERE snippet LIKE 'snow melts in spring%' OR snippet = 'clean snow'": 2,
		"SELECT count(*) FROM reasons WHERE passage = 'clean snow'": 1, "SELECT count(*) FROM frontier WHERE anchor = 'next snow'": 1,
		"SELECT count(*) FROM starts WHERE url = 'http://snow.test/'": 1, "SELECT count(*) FROM contacts": 1, "SELECT count(*) FROM feedback": 1,
		"SELECT count(*) FROM models WHERE length(bundle) > 0": 0, "SELECT count(*) FROM fetches WHERE evidence = '[\"snow\"]'": 1,
		"SELECT count(*) FROM events e WHERE type = 'snapshot' AND NOT EXISTS (SELECT 1 FROM contents c WHERE c.hash = e.content_hash)": 0,
	} {
		if n := w.count(text); n != want {
			t.Errorf("%s: %d, want %d", text, n, want)
		}
	}
	w.must(w.st.Check(t.Context()))
	w.train()
	w.index()
	w.mustBeWhole("trained again")
	if n := w.count("SELECT count(*) FROM models WHERE length(bundle) > 0"); n != 1 {
		t.Errorf("%d models", n)
	}
	in, err := sessions.Ingest(t.Context(), w.st, w.events)
	if err != nil || len(in.Refused) > 0 {
		t.Errorf("sent again: %+v, %v", in.Refused, err)
	}
	w.mustBeWhole("sent again")
	if again, err := e.Begin(t.Context(), "canary.test"); err != nil || e.Erase(t.Context(), &again) != nil || again.Counts.Changed != 0 || again.Counts.Records != 0 {
		t.Errorf("erased again: %+v, %v", again.Counts, err)
	}
}

// TestGoesOn: an erasing that is interrupted anywhere goes on until nothing is left.
func TestGoesOn(t *testing.T) {
	w := newWorld(t)
	_, err := w.eraser(nil).Begin(t.Context(), "canary.test")
	w.must(err)
	for stops := 0; ; stops++ {
		open, err := erasing.Open(t.Context(), w.st.DB)
		w.must(err)
		if len(open) == 0 {
			if stops < 4 {
				t.Errorf("it was interrupted %d times", stops)
			}
			break
		}
		ctx, stop := context.WithCancel(t.Context())
		err = w.eraser(stop).Erase(ctx, &open[0]) // after each step
		stop()
		if err != nil && open[0].Host == "" {
			t.Fatal(err)
		}
		w.close()
		w.open()
	}
	w.mustBeWhole("at last")
}

// TestLinksReadMeanwhile: a page of another site was read for its links before the site was taken out of it, and they are stored
// afterwards. None to the site is left when it is erased.
func TestLinksReadMeanwhile(t *testing.T) {
	w := newWorld(t)
	_, err := w.eraser(nil).Begin(t.Context(), "canary.test")
	w.must(err)
	open, err := erasing.Open(t.Context(), w.st.DB)
	w.must(err)
	one := &open[0]
	untilStep := func(step string) {
		for one.Step != step {
			ctx, stop := context.WithCancel(t.Context())
			if err := w.eraser(stop).Erase(ctx, one); err == nil { // it stops after each step
				t.Fatalf("it ended at %s", one.Step)
			}
		}
	}
	untilStep(erasing.StepContents)
	w.exec(`INSERT OR IGNORE INTO link_queue (url) SELECT url FROM pages UNION SELECT final_url FROM fetches`)
	read, err := links.Queue(t.Context(), w.st.DB, 1000)
	w.must(err)
	untilStep(erasing.StepArchive)
	var late []links.PageLinks
	for _, source := range read {
		if w.count(fmt.Sprintf("SELECT count(*) FROM contents WHERE hash = x'%x'", source.Hash)) > 0 {
			continue // the site was not in it
		}
		late = append(late, links.PageLinks{Source: source, Links: []links.Link{{URL: "https://canary.test/x"}}})
	}
	w.must(links.Put(t.Context(), w.st.DB, late))
	w.must(w.eraser(nil).Erase(t.Context(), one))
	plan, err := erasing.PlanFor(t.Context(), w.st.DB, wings.Erasing, "canary.test")
	w.must(err)
	if len(late) < keepAddress || !plan.Empty() {
		t.Errorf("of %d pages whose links were read before, is left: %+v", len(late), plan)
	}
	w.mustBeWhole("erased")
}
