package erasing

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"nightjar/crawler/unlink"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
	"nightjar/model"
)

// hostRows are rows that may be about a host, as ids and addresses, and how one is deleted.
var hostRows = []struct{ table, find, erase string }{
	{"finds", `SELECT id, url FROM finds`, `DELETE FROM finds WHERE id = ? AND url = ?`},
	{"frontier", `SELECT crawl_id, url FROM frontier`, `DELETE FROM frontier WHERE crawl_id = ? AND url = ?`},
	{"starts", `SELECT topic_id, url FROM starts`, `DELETE FROM starts WHERE topic_id = ? AND url = ?`},
	{"contacts", `SELECT DISTINCT crawl_id, 'http://' || host || '/' FROM contacts`,
		`DELETE FROM contacts WHERE crawl_id = ? AND 'http://' || host || '/' = ?`},
	{"resting", `SELECT crawl_id, 'http://' || host || '/' FROM resting`, `DELETE FROM resting WHERE crawl_id = ? AND 'http://' || host || '/' = ?`},
	{"documents", `SELECT id, source FROM documents`, `DELETE FROM documents WHERE id = ? AND source = ?`},
	{"positives", `SELECT document_id, url FROM positives`, `DELETE FROM positives WHERE document_id = ? AND url = ?`},
	{"document_pages", `SELECT document_id, url FROM document_pages UNION SELECT document_id, final_url FROM document_pages`,
		`DELETE FROM document_pages WHERE document_id = ? AND ? IN (url, final_url)`},
	{"title_hits", `SELECT query_id, url FROM title_hits`, `DELETE FROM title_hits WHERE query_id = ? AND url = ?`},
	{"title_queries", `SELECT id, provider FROM title_queries`, `DELETE FROM title_queries WHERE id = ? AND provider = ?`},
	// A site that is refused stays so: as with the never-record list, it is the person's rule and not a trace of the site.
	{"actions", `SELECT id, 'http://' || site || '/' FROM actions WHERE site <> ''`, `DELETE FROM actions WHERE id = ? AND 'http://' || site || '/' = ?`},
	{"tasks", `SELECT rowid, url FROM tasks UNION SELECT rowid, final_url FROM tasks`, `DELETE FROM tasks WHERE rowid = ? AND ? IN (url, final_url)`},
}

// count counts the rows of hostRows in some tables.
func (t traced) count(tables ...string) (n int) {
	for _, table := range tables {
		n += len(t.rows[table])
	}
	return n
}

// trace finds all rows about a host. It compares hosts in Go, since an SQL pattern on addresses could also match a
// path.
func trace(w *db.Work, host string) traced {
	t := traced{rows: map[string][]store.URLRow{}}
	for _, r := range hostRows {
		all := store.RowsOnHost(w, host, r.find)
		t.rows[r.table] = all
	}
	for _, p := range []struct {
		into *[]int64
		text string
	}{
		{&t.pages, `SELECT id, url FROM pages`},
		{&t.fetches, `SELECT id, url FROM fetches UNION ALL SELECT id, final_url FROM fetches WHERE final_url <> url`},
	} {
		all := store.RowsOnHost(w, host, p.text)
		*p.into = db.ListOf(all, store.URLRow.Key)
	}
	t.traceLoads(w, host)
	t.traceModels(w, host)
	return t
}

// traceLoads finds the page loads with an address or alias on the host, in the events and the visits.
func (t *traced) traceLoads(w *db.Work, host string) {
	w.Each(func(row db.Scanner) error {
		var load, url, requested string
		err := row.Scan(&load, &url, &requested)
		if err == nil && (store.Concerns(url, host) || store.Concerns(requested, host)) {
			t.loads = append(t.loads, load)
		}
		return err
	}, `SELECT page, coalesce(json_extract(body, '$.url'), ''), coalesce(json_extract(body, '$.requested'), '')
	    FROM events WHERE type IN ('visit', 'frame') AND instr(lower(body), ?1) > 0
	    UNION SELECT v.load, p.url, v.requested FROM visits v JOIN pages p ON p.id = v.page_id
	    WHERE instr(lower(p.url), ?1) + instr(lower(p.url), ?2) + instr(lower(v.requested), ?1) + instr(lower(v.requested), ?2) > 0`,
		strings.ToLower(host), store.EscapedHost(host))
	t.loads = db.Distinct(t.loads)
}

// traceModels finds the models that were trained with pages of the host.
func (t *traced) traceModels(w *db.Work, host string) {
	for _, m := range allTrained(w) {
		on := func(url string) bool { return store.OnHost(url, host) }
		if !m.with(func(name string) bool { return on("http://" + name + "/") }, on) {
			continue
		}
		t.models = append(t.models, m.id)
		if !slices.Contains(t.topics, m.topic) {
			t.topics, t.names = append(t.topics, m.topic), append(t.names, m.name)
		}
	}
}

// trained is a model, with what it was trained with.
type trained struct {
	id, topic int64
	name      string // of the topic
	bundle    []byte
	hosts     []string // in the background
}

// allTrained lists the models that were not erased.
func allTrained(w *db.Work) []trained {
	return db.List(w, func(row db.Scanner) (m trained, err error) {
		return m, row.Scan(&m.id, &m.topic, &m.bundle, db.JSONOf(&m.hosts), &m.name)
	}, `SELECT m.id, m.topic_id, m.bundle, coalesce(json_extract(m.facts, '$.background_hosts'), '[]'), t.name FROM models m JOIN topics t ON t.id = m.topic_id WHERE length(m.bundle) > 0`)
}

// with reports whether a model may have been trained with a host or a page. It is true for a model that cannot be read.
func (m trained) with(host, url func(string) bool) bool {
	if slices.ContainsFunc(m.hosts, host) {
		return true
	}
	b, err := model.Decode(m.bundle)
	return err != nil || slices.ContainsFunc(b.Pages, func(p model.PageFact) bool { return url(p.URL) })
}

// erase deletes what was traced, in an order that the foreign keys allow.
func (t traced) erase(w *db.Work, _ string) {
	t.eraseLoads(w)
	queues := db.ListOf(t.rows["frontier"], store.URLRow.Key)
	w.Do(func(ctx context.Context, tx *sql.Tx) error { return store.EraseLearned(ctx, tx, t.fetches, queues) })
	w.Exec(`DELETE FROM fetches WHERE id IN (SELECT value FROM json_each(?))`, db.JSONList(t.fetches))
	store.EmptyModels(w, t.models)
	for _, r := range hostRows {
		for _, k := range t.rows[r.table] {
			w.Exec(r.erase, k.ID, k.URL)
		}
	}
}

// eraseLoads deletes page loads with their events. A page that also has loads under other hosts, of which this host was
// only an alias, keeps those.
func (t traced) eraseLoads(w *db.Work) {
	type visit struct{ session, page int64 }
	pages := t.pages
	store.Bury(w, t.loads...)
	for _, load := range t.loads {
		w.Exec(`DELETE FROM events WHERE page = ?`, load)
		visits := db.List(w, func(row db.Scanner) (v visit, err error) {
			return v, row.Scan(&v.session, &v.page)
		}, `DELETE FROM visits WHERE load = ? RETURNING session_id, page_id`, load)
		for _, v := range visits {
			store.RefreshMark(w, v.session, v.page)
			store.Uncount(w, v.session)
			pages = append(pages, v.page)
		}
	}
	for _, id := range db.Distinct(pages) {
		store.RefreshPage(w, id)
	}
}

// eraseOptions deletes the host's addresses from the stored settings of crawls.
func eraseOptions(w *db.Work, host string) {
	type row struct {
		id      int64
		options map[string]any
	}
	all := db.List(w, func(r db.Scanner) (one row, err error) {
		return one, r.Scan(&one.id, db.JSONOf(&one.options))
	}, `SELECT id, options FROM crawls WHERE json_valid(options)`)
	for _, one := range all {
		changed := false
		for key, value := range one.options {
			list, ok := value.([]any)
			if !ok {
				continue
			}
			kept := slices.DeleteFunc(slices.Clone(list), func(v any) bool {
				address, ok := v.(string)
				return ok && store.OnHost(address, host)
			})
			if len(kept) != len(list) {
				one.options[key], changed = kept, true
			}
		}
		if !changed {
			continue
		}
		w.Exec(`UPDATE crawls SET options = ? WHERE id = ?`, db.JSONOf(one.options), one.id)
	}
}

// eraseHosts deletes what a host and those below it asked for, and what files of other hosts say of them: those are read again.
func eraseHosts(w *db.Work, host string) {
	site := unlink.New(host)
	type row struct {
		key, host, plain string
		Packed           []byte
	}
	scan := func(r db.Scanner) (one row, err error) {
		return one, r.Scan(&one.key, &one.host, &one.plain, &one.Packed)
	}
	says := func(one row) bool {
		if site.May([]byte(one.plain)) {
			return true
		}
		if len(one.Packed) == 0 {
			return false
		}
		text, err := store.Unpack(one.Packed)
		return err != nil || site.May(text)
	}
	hosts := db.List(w, scan, `SELECT host, host, why, missing FROM hosts`)
	for _, one := range hosts {
		text := `UPDATE hosts SET missing = NULL WHERE host = ?`
		switch {
		case store.OnHost("http://"+one.host+"/", host):
			text = `DELETE FROM hosts WHERE host = ?`
		case !says(one):
			continue
		}
		w.Exec(text, one.key)
	}
	for _, files := range []struct{ list, drop string }{
		{`SELECT origin, host, reason, body FROM robots`, `DELETE FROM robots WHERE origin = ?`},
		{`SELECT host, host, '', list FROM lists`, `DELETE FROM lists WHERE host = ?`},
	} {
		all := db.List(w, scan, files.list)
		for _, one := range all {
			if !store.OnHost("http://"+one.host+"/", host) && !says(one) {
				continue
			}
			w.Exec(files.drop, one.key)
		}
	}
}
