package marks

import (
	"context"
	"errors"
	"time"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// ErrSite says that a text is not the name of a site.
var ErrSite = errors.New("that is not the name of a site; it should look like example.org")

// Site is a site that crawls never request and whose finds are not shown.
type Site struct {
	Site string
	At   time.Time
}

// Refused lists the refused sites by name.
func Refused(ctx context.Context, d *db.DB) ([]Site, error) {
	return db.Query(ctx, d.Readers, db.Fields[Site], "SELECT site, at FROM refused ORDER BY site")
}

// Refuse hides the finds of a site, a host without port, and of the hosts below it, and has crawls never request them.
func Refuse(ctx context.Context, d *db.DB, site string) (store.Acted, error) {
	return actOnSite(ctx, d, store.ActionRefuse, site)
}

// Allow takes Refuse back.
func Allow(ctx context.Context, d *db.DB, site string) (store.Acted, error) {
	return actOnSite(ctx, d, store.ActionAllow, site)
}

func actOnSite(ctx context.Context, d *db.DB, kind, site string) (acted store.Acted, err error) {
	if site == "" || !store.OnHost("http://"+site+"/", site) {
		return acted, ErrSite
	}
	err = d.Commit(ctx, func(w *db.Work) {
		if refuses(w, site) == (kind == store.ActionRefuse) {
			return
		}
		acted.Action, acted.Site = store.NewAction(w, d.Now(), kind, site), site
		acted.Finds = store.ApplyRefusals(w, d.Now(), site)
	})
	return acted, db.Wrap(err, "%s %s", kind, site)
}

// IsRefused reports whether crawls never request a site, by its own name.
func IsRefused(ctx context.Context, d *db.DB, site string) (bool, error) {
	r := d.Reads(ctx)
	return refuses(r, site), r.Err
}

func refuses(w *db.Work, site string) bool {
	return w.Has("SELECT EXISTS (SELECT 1 FROM refused WHERE site = ?)", site)
}
