package maps

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"nightjar/daemon/db"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/store"
)

// ErasedPages is the problem of a map whose result was erased with pages of it. Its last step can be done again.
const ErasedPages = "pages were erased: make the map again"

// tables are those with rows about a host.
var tables = []store.HostTable{
	{Find: `SELECT id, source FROM documents`, Delete: `DELETE FROM documents WHERE id = ? AND source = ?`},
	{Find: `SELECT document_id, url FROM positives`, Delete: `DELETE FROM positives WHERE document_id = ? AND url = ?`},
	{Find: `SELECT document_id, url FROM document_pages UNION SELECT document_id, final_url FROM document_pages`,
		Delete: `DELETE FROM document_pages WHERE document_id = ? AND ? IN (url, final_url)`},
	{Find: `SELECT query_id, url FROM title_hits`, Delete: `DELETE FROM title_hits WHERE query_id = ? AND url = ?`},
	{Find: `SELECT id, provider FROM title_queries`, Delete: `DELETE FROM title_queries WHERE id = ? AND provider = ?`},
}

// CountTraces counts the maps whose result Erase would drop, and the documents, pages and queries that it would delete.
func CountTraces(r *db.Work, host string) (maps, found int) {
	for _, t := range tables {
		found += len(t.Rows(r, host))
	}
	return len(traces(r, host)), found
}

// Erase deletes documents of a host, what titles found on it, and queries to it; takes its name out of others; and drops the results of
// maps with its pages. The fetches of these must still be there.
func Erase(w *db.Work, host string) {
	eraseMaps(w, host)
	for _, t := range tables {
		t.Erase(w, host)
	}
	eraseRead(w, host)
	store.DropTitleQueries(w)
}

// traces lists the maps whose result holds pages or words of a host, with those that were only dropped from it.
func traces(w *db.Work, host string) []int64 {
	pages := store.RowsOnHost(w, host, `SELECT m.map_id, f.url FROM map_pages m JOIN fetches f ON f.id = m.fetch_id
		UNION SELECT m.map_id, f.final_url FROM map_pages m JOIN fetches f ON f.id = m.fetch_id`)
	ids := db.ListOf(pages, store.URLRow.Key)
	w.Each(func(row db.Scanner) error {
		var id int64
		var stored []byte
		if err := row.Scan(&id, &stored); err != nil {
			return err
		}
		result, err := store.Unpack(stored)
		if err != nil || bytes.Contains(bytes.ToLower(result), []byte(strings.ToLower(host))) { // one that cannot be read may hold anything
			ids = append(ids, id)
		}
		return nil
	}, `SELECT id, result FROM maps WHERE result IS NOT NULL`)
	return db.Distinct(ids)
}

// eraseMaps drops the results of maps that hold pages or words of a host, which can be made again, and addresses on the host
// from what the person asked for. The fetches of the host must still be there.
func eraseMaps(w *db.Work, host string) {
	ids := traces(w, host)
	for _, id := range ids {
		drop(w, id)
	}
	w.Exec(`UPDATE maps SET problem = CASE state WHEN 'failed' THEN 'go on to do this step again' ELSE '' END
		WHERE instr(lower(problem), ?) > 0`, strings.ToLower(host))
	all := db.List(w, db.Fields[Map], Select+`WHERE instr(lower(options), ?) > 0`, strings.ToLower(host))
	for _, m := range all {
		m.Options.List = slices.DeleteFunc(m.Options.List, func(line string) bool { return names(line, host) })
		if names(m.Options.Search, host) {
			m.Options.Search = ""
		}
		w.Exec(`UPDATE maps SET options = ? WHERE id = ?`, db.JSONOf(m.Options), m.ID)
	}
}

// EraseWords drops the results of maps that show a page, by its fetches, and have words that went from it.
func EraseWords(w *db.Work, fetches []int64, words []string) {
	type row struct {
		id     int64
		result []byte
	}
	all := db.List(w, func(r db.Scanner) (one row, err error) { return one, r.Scan(&one.id, &one.result) },
		`SELECT DISTINCT m.id, m.result FROM map_pages p JOIN maps m ON m.id = p.map_id
			WHERE p.fetch_id IN (SELECT value FROM json_each(?)) AND m.result IS NOT NULL`, db.JSONList(fetches))
	for _, one := range all {
		result, err := store.Unpack(one.result)
		if err == nil && !slices.ContainsFunc(words, func(word string) bool { return bytes.Contains(bytes.ToLower(result), []byte(word)) }) {
			continue
		}
		drop(w, one.id)
	}
}

// drop deletes the result of a map, which can be made again.
func drop(w *db.Work, id int64) {
	w.ExecAll([]string{
		`UPDATE maps SET result = NULL, step = 'map', state = 'failed', problem = '` + ErasedPages + `' WHERE id = ?`,
		`DELETE FROM map_pages WHERE map_id = ?`,
	}, id)
}

// names reports whether a text holds the name of a host.
func names(text, host string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(host))
}

// eraseRead deletes what documents say of a host: addresses in them, titles and queries that name it, and reasons of requests.
func eraseRead(w *db.Work, host string) {
	name := strings.ToLower(host)
	w.ExecAll([]string{
		`DELETE FROM title_queries WHERE instr(lower(text), ?) > 0`,
		`UPDATE document_pages SET reason = '' WHERE instr(lower(reason), ?) > 0`,
	}, name)
	eraseReasonTitles(w, host)
	type row struct {
		id           int64
		titles, read string
	}
	all := db.List(w, func(r db.Scanner) (one row, err error) {
		return one, r.Scan(&one.id, &one.titles, &one.read)
	}, `SELECT id, titles, read FROM documents WHERE instr(lower(titles), ?1) + instr(lower(read), ?1) > 0`, name)
	for _, one := range all {
		var titles []string
		var read ReadDocument
		if json.Unmarshal([]byte(one.titles), &titles) != nil || json.Unmarshal([]byte(one.read), &read) != nil {
			continue
		}
		of := func(text string) bool { return names(text, host) }
		titles = slices.DeleteFunc(titles, of)
		for _, named := range []*[]string{&read.Authors, &read.URLs, &read.DOIs} {
			*named = slices.DeleteFunc(*named, of)
		}
		read.Warnings = slices.DeleteFunc(read.Warnings, func(w DocumentWarning) bool { return of(w.What) || of(w.Next) })
		w.Exec(`UPDATE documents SET titles = ?, read = ? WHERE id = ?`, db.JSONList(titles), db.JSONOf(read), one.id)
	}
}

// eraseReasonTitles deletes titles that name a host from the reasons why pages are positive.
func eraseReasonTitles(w *db.Work, host string) {
	type row struct {
		document     int64
		url, reasons string
	}
	all := db.List(w, func(r db.Scanner) (one row, err error) {
		return one, r.Scan(&one.document, &one.url, &one.reasons)
	}, `SELECT document_id, url, reasons FROM positives WHERE instr(lower(reasons), ?) > 0`, strings.ToLower(host))
	for _, one := range all {
		var reasons []trainingdata.PositiveReason
		if err := json.Unmarshal([]byte(one.reasons), &reasons); err != nil {
			w.Fail(err)
		}
		for i := range reasons {
			if names(reasons[i].Title, host) {
				reasons[i].Title = ""
			}
		}
		w.Exec(`UPDATE positives SET reasons = ? WHERE document_id = ? AND url = ?`, db.JSONOf(reasons), one.document, one.url)
	}
}
