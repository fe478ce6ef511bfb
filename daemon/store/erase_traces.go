package store

import (
	"slices"
	"strings"

	"nightjar/crawler/unlink"
	"nightjar/daemon/db"
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
func (t traces) count(tables ...string) (n int) {
	for _, table := range tables {
		n += len(t.rows[table])
	}
	return n
}

// trace finds all rows about a host. It compares hosts in Go, since an SQL pattern on addresses could also match a
// path.
func (s *Store) trace(w *db.Work, host string) traces {
	t := traces{rows: map[string][]keyed{}}
	for _, r := range hostRows {
		all := onlyHost(w, host, r.find)
		t.rows[r.table] = all
	}
	for _, p := range []struct {
		into *[]int64
		text string
	}{
		{&t.pages, `SELECT id, url FROM pages`},
		{&t.fetches, `SELECT id, url FROM fetches UNION ALL SELECT id, final_url FROM fetches WHERE final_url <> url`},
	} {
		all := onlyHost(w, host, p.text)
		*p.into = db.ListOf(all, keyed.number)
	}
	t.traceLoads(w, host)
	t.traceModels(w, host)
	return t
}

// onlyHost runs a query for ids and addresses and keeps those of a host. The database leaves out most of the others first:
// to parse every address of a large database takes minutes.
func onlyHost(w *db.Work, host, text string) []keyed {
	var all []keyed
	w.Each(func(row db.Scanner) error {
		var k keyed
		err := row.Scan(&k.id, &k.url)
		if err == nil && concerns(k.url, host) {
			all = append(all, k)
		}
		return err
	}, `WITH found(id, url) AS (`+text+`) SELECT id, url FROM found WHERE instr(lower(url), ?1) + instr(lower(url), ?2) > 0`, strings.ToLower(host), escapedHost(host))
	return all
}

// traceLoads finds the page loads with an address or alias on the host, in the events and the visits.
func (t *traces) traceLoads(w *db.Work, host string) {
	w.Each(func(row db.Scanner) error {
		var load, url, requested string
		err := row.Scan(&load, &url, &requested)
		if err == nil && (concerns(url, host) || concerns(requested, host)) {
			t.loads = append(t.loads, load)
		}
		return err
	}, `SELECT page, coalesce(json_extract(body, '$.url'), ''), coalesce(json_extract(body, '$.requested'), '')
	    FROM events WHERE type IN ('visit', 'frame') AND instr(lower(body), ?1) > 0
	    UNION SELECT v.load, p.url, v.requested FROM visits v JOIN pages p ON p.id = v.page_id
	    WHERE instr(lower(p.url), ?1) + instr(lower(p.url), ?2) + instr(lower(v.requested), ?1) + instr(lower(v.requested), ?2) > 0`,
		strings.ToLower(host), escapedHost(host))
	t.loads = db.Distinct(t.loads)
}

// traceModels finds the models that were trained with pages of the host.
func (t *traces) traceModels(w *db.Work, host string) {
	type row struct {
		model Model
		name  string
	}
	all := db.List(w, func(r db.Scanner) (row, error) {
		var one row
		return one, r.Scan(&one.model.ID, &one.model.TopicID, &one.model.encoded, db.JSONOf(&one.model.Facts.BackgroundHosts), &one.name)
	}, `SELECT m.id, m.topic_id, m.bundle, coalesce(json_extract(m.facts, '$.background_hosts'), '[]'), t.name FROM models m JOIN topics t ON t.id = m.topic_id WHERE length(m.bundle) > 0`)
	for _, one := range all {
		if !one.model.knows(host) {
			continue
		}
		t.models = append(t.models, one.model.ID)
		if !slices.Contains(t.topics, one.model.TopicID) {
			t.topics, t.names = append(t.topics, one.model.TopicID), append(t.names, one.name)
		}
	}
}

// knows reports whether a model may have been trained with pages of a host. It is true for a model that cannot be read.
func (m *Model) knows(host string) bool {
	if slices.ContainsFunc(m.Facts.BackgroundHosts, func(h string) bool { return OnHost("http://"+h+"/", host) }) {
		return true
	}
	b, err := m.Bundle()
	return err != nil || slices.ContainsFunc(b.Pages, func(p model.PageFact) bool { return OnHost(p.URL, host) })
}

// erase deletes what was traced, in an order that the foreign keys allow.
func (t traces) erase(w *db.Work, _ string) {
	t.eraseLoads(w)
	w.Do(t.eraseLearned)
	w.Exec(`DELETE FROM fetches WHERE id IN (SELECT value FROM json_each(?))`, db.JSONList(t.fetches))
	w.Exec(emptyModel+`id IN (SELECT value FROM json_each(?))`, db.JSONList(t.models))
	for _, r := range hostRows {
		for _, k := range t.rows[r.table] {
			w.Exec(r.erase, k.id, k.url)
		}
	}
}

// eraseLoads deletes page loads with their events. A page that also has loads under other hosts, of which this host was
// only an alias, keeps those.
func (t traces) eraseLoads(w *db.Work) {
	type visit struct{ session, page int64 }
	pages := t.pages
	bury(w, t.loads...)
	for _, load := range t.loads {
		w.Exec(`DELETE FROM events WHERE page = ?`, load)
		visits := db.List(w, func(row db.Scanner) (v visit, err error) {
			return v, row.Scan(&v.session, &v.page)
		}, `DELETE FROM visits WHERE load = ? RETURNING session_id, page_id`, load)
		for _, v := range visits {
			refreshMark(w, v.session, v.page)
			uncount(w, v.session)
			pages = append(pages, v.page)
		}
	}
	for _, id := range db.Distinct(pages) {
		refreshPage(w, id)
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
				return ok && OnHost(address, host)
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

// dropOrphans deletes all contents that nothing refers to.
func dropOrphans(w *db.Work) {
	w.Exec(`
		DELETE FROM contents WHERE hash NOT IN (
			SELECT content_hash FROM events WHERE content_hash IS NOT NULL
			UNION SELECT content_hash FROM pages WHERE content_hash IS NOT NULL
			UNION SELECT content_hash FROM fetches WHERE content_hash IS NOT NULL
			UNION SELECT content_hash FROM document_pages WHERE content_hash IS NOT NULL)`)
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
		text, err := Unpack(one.Packed)
		return err != nil || site.May(text)
	}
	hosts := db.List(w, scan, `SELECT host, host, why, missing FROM hosts`)
	for _, one := range hosts {
		text := `UPDATE hosts SET missing = NULL WHERE host = ?`
		switch {
		case OnHost("http://"+one.host+"/", host):
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
			if !OnHost("http://"+one.host+"/", host) && !says(one) {
				continue
			}
			w.Exec(files.drop, one.key)
		}
	}
}
