package store

import (
	"context"
	"errors"
	"slices"
	"time"

	"nightjar/daemon/db"
)

// ErrSite says that a text is not the name of a site.
var ErrSite = errors.New("that is not the name of a site; it should look like example.org")

// RefusedSite is a site that crawls never request and whose finds are not shown.
type RefusedSite struct {
	Site string
	At   time.Time
}

// RefusedSites lists the refused sites by name.
func (s *Store) RefusedSites(ctx context.Context) ([]RefusedSite, error) {
	return db.Query(ctx, s.Readers, db.Fields[RefusedSite], "SELECT site, at FROM refused ORDER BY site")
}

// RefuseSite hides the finds of a site, a host without port, and of the hosts below it, and has crawls never request them.
func (s *Store) RefuseSite(ctx context.Context, site string) (Acted, error) {
	return s.actOnSite(ctx, ActionRefuse, site)
}

// AllowSite takes RefuseSite back.
func (s *Store) AllowSite(ctx context.Context, site string) (Acted, error) {
	return s.actOnSite(ctx, ActionAllow, site)
}

func (s *Store) actOnSite(ctx context.Context, kind, site string) (acted Acted, err error) {
	if site == "" || !OnHost("http://"+site+"/", site) {
		return acted, ErrSite
	}
	err = s.Commit(ctx, func(w *db.Work) {
		if isRefused(w, site) == (kind == ActionRefuse) {
			return
		}
		acted.Action, acted.Site = newAction(w, s.Now(), kind, site), site
		acted.Finds = applyRefusals(w, s.Now(), site)
	})
	return acted, db.Wrap(err, "%s %s", kind, site)
}

// SiteRefused reports whether crawls never request a site, by its own name.
func (s *Store) SiteRefused(ctx context.Context, site string) (bool, error) {
	r := s.Reads(ctx)
	return isRefused(r, site), r.Err
}

func isRefused(w *db.Work, site string) bool {
	return w.Has("SELECT EXISTS (SELECT 1 FROM refused WHERE site = ?)", site)
}

// applyRefusals puts a site in the list of refused ones, or out of it, by the last action on it that was not undone, and
// sets which of its finds are shown. It returns the finds that changed.
func applyRefusals(w *db.Work, now time.Time, site string) (changed []int64) {
	var kind string
	w.Row(`SELECT kind FROM actions WHERE site = ? AND undone_at IS NULL ORDER BY id DESC LIMIT 1`, site).Find(&kind)
	if kind == ActionRefuse {
		w.Exec("INSERT INTO refused (site, at) VALUES (?, ?) ON CONFLICT DO NOTHING", site, db.Millis(now))
	} else {
		w.Exec("DELETE FROM refused WHERE site = ?", site)
	}
	sites := db.List(w, db.ScanText, listRefused)
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

const listRefused = "SELECT site FROM refused ORDER BY site"

// OnAny reports whether an address is on one of the sites or on a host below one.
func OnAny(address string, sites []string) bool {
	return slices.ContainsFunc(sites, func(site string) bool { return OnHost(address, site) })
}
