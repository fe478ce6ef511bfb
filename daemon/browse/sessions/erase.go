package sessions

import (
	"strings"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// CountTraces counts what Erase would delete: visited pages, page loads, and what was said of links.
func CountTraces(r *db.Work, host string) (pages, loads, links int) {
	return len(pagesOn(r, host)), len(loadsOn(r, host)), len(markedLinkTraces(r, host))
}

// Erase deletes page loads of a host with their events, and what was said of links to it. A page that also has loads under other
// hosts, of which this host was only an alias, keeps those.
func Erase(w *db.Work, host string) {
	type visit struct{ session, page int64 }
	pages, loads := pagesOn(w, host), loadsOn(w, host)
	bury(w, loads...)
	for _, load := range loads {
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
		RefreshPage(w, id)
	}
	eraseLinkMarks(w, host)
}

// pagesOn finds the visited pages of a host.
func pagesOn(w *db.Work, host string) []int64 {
	return db.ListOf(store.RowsOnHost(w, host, `SELECT id, url FROM pages`), store.URLRow.Key)
}

// loadsOn finds the page loads with an address or alias on a host, in the events and the visits.
func loadsOn(w *db.Work, host string) (loads []string) {
	w.Each(func(row db.Scanner) error {
		var load, url, requested string
		err := row.Scan(&load, &url, &requested)
		if err == nil && (store.Concerns(url, host) || store.Concerns(requested, host)) {
			loads = append(loads, load)
		}
		return err
	}, `SELECT page, coalesce(json_extract(body, '$.url'), ''), coalesce(json_extract(body, '$.requested'), '')
	    FROM events WHERE type IN ('visit', 'frame') AND instr(lower(body), ?1) > 0
	    UNION SELECT v.load, p.url, v.requested FROM visits v JOIN pages p ON p.id = v.page_id
	    WHERE instr(lower(p.url), ?1) + instr(lower(p.url), ?2) + instr(lower(v.requested), ?1) + instr(lower(v.requested), ?2) > 0`,
		strings.ToLower(host), store.EscapedHost(host))
	return db.Distinct(loads)
}
