package erasing

import (
	"context"
	"database/sql"
	"slices"

	"nightjar/crawler/unlink"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// hostTables are those of crawls, finds and start pages.
var hostTables = []store.HostTable{
	{Name: "finds", Find: `SELECT id, url FROM finds`, Delete: `DELETE FROM finds WHERE id = ? AND url = ?`},
	{Name: "frontier", Find: `SELECT crawl_id, url FROM frontier`, Delete: `DELETE FROM frontier WHERE crawl_id = ? AND url = ?`},
	{Name: "starts", Find: `SELECT topic_id, url FROM starts`, Delete: `DELETE FROM starts WHERE topic_id = ? AND url = ?`},
	{Name: "contacts", Find: `SELECT DISTINCT crawl_id, 'http://' || host || '/' FROM contacts`,
		Delete: `DELETE FROM contacts WHERE crawl_id = ? AND 'http://' || host || '/' = ?`},
	{Name: "resting", Find: `SELECT crawl_id, 'http://' || host || '/' FROM resting`, Delete: `DELETE FROM resting WHERE crawl_id = ? AND 'http://' || host || '/' = ?`},
	// A site that is refused stays so: as with the never-record list, it is the person's rule and not a trace of the site.
	{Name: "actions", Find: `SELECT id, 'http://' || site || '/' FROM actions WHERE site <> ''`, Delete: `DELETE FROM actions WHERE id = ? AND 'http://' || site || '/' = ?`},
	{Name: "tasks", Find: `SELECT rowid, url FROM tasks UNION SELECT rowid, final_url FROM tasks`, Delete: `DELETE FROM tasks WHERE rowid = ? AND ? IN (url, final_url)`},
}

// Stored erases what crawls and finds have of a site.
var Stored = Wing{Count: countStored, Erase: func(w *db.Work, host string) {
	trace(w, host).erase(w)
	eraseOptions(w, host)
	eraseHosts(w, host)
	store.EraseReasons(w, host)
	store.ForgetSettings(w, host)
}}

func countStored(r *db.Work, host string, p *Plan) {
	t := trace(r, host)
	p.Fetches = len(t.fetches)
	p.Finds, p.Frontier, p.Starts, p.Contacts = len(t.rows["finds"]), len(t.rows["frontier"]), len(t.rows["starts"]), len(t.rows["contacts"])
}

// traced has the keys of all rows about a host.
type traced struct {
	fetches []int64
	rows    map[string][]store.URLRow // those of hostTables, by table
}

// trace finds all rows about a host. It compares hosts in Go, since an SQL pattern on addresses could also match a
// path.
func trace(w *db.Work, host string) traced {
	t := traced{rows: map[string][]store.URLRow{}}
	for _, table := range hostTables {
		t.rows[table.Name] = table.Rows(w, host)
	}
	all := store.RowsOnHost(w, host, `SELECT id, url FROM fetches UNION ALL SELECT id, final_url FROM fetches WHERE final_url <> url`)
	t.fetches = db.ListOf(all, store.URLRow.Key)
	return t
}

// erase deletes what was traced, in an order that the foreign keys allow.
func (t traced) erase(w *db.Work) {
	queues := db.ListOf(t.rows["frontier"], store.URLRow.Key)
	w.Do(func(ctx context.Context, tx *sql.Tx) error { return store.EraseLearned(ctx, tx, t.fetches, queues) })
	w.Exec(`DELETE FROM fetches WHERE id IN (SELECT value FROM json_each(?))`, db.JSONList(t.fetches))
	for _, table := range hostTables {
		for _, r := range t.rows[table.Name] {
			w.Exec(table.Delete, r.ID, r.URL)
		}
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
