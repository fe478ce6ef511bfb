package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"
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
	return query(ctx, s.r, func(row scanner) (RefusedSite, error) {
		var r RefusedSite
		return r, row.Scan(&r.Site, timeOf{&r.At})
	}, "SELECT site, at FROM refused ORDER BY site")
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
	err = s.write(ctx, func(tx *sql.Tx) error {
		refused, err := isRefused(ctx, tx, site)
		if err != nil || refused == (kind == ActionRefuse) {
			return err
		}
		if acted.Action, err = s.newAction(ctx, tx, kind, site); err != nil {
			return err
		}
		acted.Site = site
		acted.Finds, err = s.applyRefusals(ctx, tx, site)
		return err
	})
	return acted, wrap(err, "%s %s", kind, site)
}

// SiteRefused reports whether crawls never request a site, by its own name.
func (s *Store) SiteRefused(ctx context.Context, site string) (bool, error) {
	return isRefused(ctx, s.r, site)
}

func isRefused(ctx context.Context, q queryer, site string) (bool, error) {
	n, err := single[int](ctx, q, "SELECT EXISTS (SELECT 1 FROM refused WHERE site = ?)", site)
	return n != 0, err
}

// applyRefusals puts a site in the list of refused ones, or out of it, by the last action on it that was not undone, and
// sets which of its finds are shown. It returns the finds that changed.
func (s *Store) applyRefusals(ctx context.Context, tx *sql.Tx, site string) (changed []int64, err error) {
	kind, err := scanText(tx.QueryRowContext(ctx, `SELECT kind FROM actions WHERE site = ? AND undone_at IS NULL ORDER BY id DESC LIMIT 1`, site))
	switch {
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		return nil, err
	case kind == ActionRefuse:
		_, err = tx.ExecContext(ctx, "INSERT INTO refused (site, at) VALUES (?, ?) ON CONFLICT DO NOTHING", site, millis(s.Now()))
	default:
		_, err = tx.ExecContext(ctx, "DELETE FROM refused WHERE site = ?", site)
	}
	if err != nil {
		return nil, err
	}
	sites, err := refusedSites(ctx, tx)
	if err != nil {
		return nil, err
	}
	finds, err := onlyHost(ctx, tx, site, "SELECT id, url FROM finds")
	if err != nil {
		return nil, err
	}
	var ids [2][]int64
	for _, f := range finds {
		to := 0
		if OnAny(f.url, sites) {
			to = 1
		}
		ids[to] = append(ids[to], f.id)
	}
	for to, list := range ids {
		moved, err := query(ctx, tx, scanID, `UPDATE finds SET refused = ?1 WHERE id IN (SELECT value FROM json_each(?2)) AND refused <> ?1
			RETURNING id`, to, jsonList(list))
		if err != nil {
			return nil, err
		}
		changed = append(changed, moved...)
	}
	return changed, nil
}

func refusedSites(ctx context.Context, q queryer) ([]string, error) {
	return query(ctx, q, scanText, listRefused)
}

const listRefused = "SELECT site FROM refused ORDER BY site"

// OnAny reports whether an address is on one of the sites or on a host below one.
func OnAny(address string, sites []string) bool {
	return slices.ContainsFunc(sites, func(site string) bool { return OnHost(address, site) })
}
