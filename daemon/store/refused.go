package store

import (
	"slices"
	"time"

	"nightjar/daemon/db"
)

// applyRefusals puts a site in the list of refused ones, or out of it, by the last action on it that was not undone, and
// sets which of its finds are shown. It returns the finds that changed.
func ApplyRefusals(w *db.Work, now time.Time, site string) (changed []int64) {
	var kind string
	w.Row(`SELECT kind FROM actions WHERE site = ? AND undone_at IS NULL ORDER BY id DESC LIMIT 1`, site).Find(&kind)
	if kind == ActionRefuse {
		w.Exec("INSERT INTO refused (site, at) VALUES (?, ?) ON CONFLICT DO NOTHING", site, db.Millis(now))
	} else {
		w.Exec("DELETE FROM refused WHERE site = ?", site)
	}
	sites := db.List(w, db.ScanText, ListRefused)
	var ids [2][]int64
	for _, f := range RowsOnHost(w, site, "SELECT id, url FROM finds") {
		to := 0
		if OnAny(f.URL, sites) {
			to = 1
		}
		ids[to] = append(ids[to], f.ID)
	}
	for to, some := range ids {
		changed = append(changed, db.List(w, db.ScanID, `UPDATE finds SET refused = ?1 WHERE id IN (SELECT value FROM json_each(?2)) AND refused <> ?1
			RETURNING id`, to, db.JSONList(some))...)
	}
	return changed
}

const ListRefused = "SELECT site FROM refused ORDER BY site"

// OnAny reports whether an address is on one of the sites or on a host below one.
func OnAny(address string, sites []string) bool {
	return slices.ContainsFunc(sites, func(site string) bool { return OnHost(address, site) })
}
