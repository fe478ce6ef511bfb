package erasing

import (
	"context"
	"fmt"
	"path/filepath"

	"nightjar/crawler/failpoint"
	"nightjar/daemon/base/leftovers"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// Plan says what Host would delete.
type Plan struct {
	Pages    int // visited pages
	Visits   int
	Fetches  int
	Finds    int
	Frontier int
	Starts   int
	Contacts int      // entries of ledgers, one for each crawl and host
	Found    int      // documents, pages that their titles found and that were requested for them, and queries to it
	Maps     int      // whose result holds the host's pages, and must be made again
	Links    int      // from and to the host's pages, and marks of such links
	Groups   int      // groupings that hold the host's pages or words of them, and must be made again
	Topics   []string // names of topics whose models were trained with the host's pages and must be trained again
}

// Empty reports whether there is nothing to erase.
func (p Plan) Empty() bool {
	return p.Pages+p.Visits+p.Fetches+p.Finds+p.Frontier+p.Starts+p.Contacts+p.Found+p.Maps+p.Links+p.Groups+len(p.Topics) == 0
}

// Wing is what a wing of the daemon erases of a site. Package wings lists all of them. Functions other than Count and Erase may be nil.
type Wing struct {
	// Count adds to a plan what Erase would delete.
	Count func(r *db.Work, host string, p *Plan)

	// Before deletes in small transactions what would make the one of all wings long. What is stored meanwhile is left to Erase.
	Before func(ctx context.Context, d *db.DB, host string) error

	// Erase deletes everything about a host and the hosts below it, in the transaction of all wings.
	Erase func(w *db.Work, host string)

	// Unlinked deletes what was made of a page that lost its links to a site, in the transaction that stored it without.
	Unlinked func(w *db.Work, page Unlinked)

	// Empty deletes what was learned from the pages of a host, "" for none, and from other pages, in either transaction. It returns
	// the topics to be trained again.
	Empty func(w *db.Work, host string, pages []string) (topics []int64)
}

// PlanFor counts what Host would delete.
func PlanFor(ctx context.Context, d *db.DB, wings []Wing, host string) (p Plan, err error) {
	r := d.Reads(ctx)
	for _, wing := range wings {
		wing.Count(r, host, &p)
	}
	return p, db.Wrap(r.Err, "find what is stored about %s", host)
}

// Host deletes everything about a host and the hosts below it: page loads with their events and contents, pages,
// fetches, finds, frontier entries, start pages, milestones, entries of ledgers, documents and positive pages, and the results
// of maps and groupings that hold their pages or words of them, links from and to them, and what the person asked of links that
// names the host. It also erases the bundles of models that were trained with pages of these hosts, and returns
// their topics, which must be trained again.
//
// It leaves alone what other sites' pages say of the host; see unlinkContents.
func Host(ctx context.Context, s *store.Store, wings []Wing, host string) ([]int64, error) {
	topics, err := eraseRowsOf(ctx, s, wings, host, func(*db.Work, []int64) {})
	if err != nil {
		return nil, err
	}
	return topics, s.Scrub(ctx)
}

// eraseRowsOf is Host without what rewrites the file; note runs in the transaction that deletes, with the topics.
func eraseRowsOf(ctx context.Context, s *store.Store, wings []Wing, host string, note func(*db.Work, []int64)) (topics []int64, err error) {
	defer s.Erasing()()
	if _, err := sessions.FinishImport(ctx, s); err != nil { // so that the site is erased from it, too
		return nil, err
	}
	if err := leftovers.Remove(filepath.Dir(s.Path())); err != nil {
		return nil, fmt.Errorf("erase %s: %w", host, err)
	}
	for _, wing := range wings {
		if wing.Before == nil {
			continue
		}
		if err := wing.Before(ctx, s.DB, host); err != nil {
			return nil, fmt.Errorf("erase %s: %w", host, err)
		}
	}
	failpoint.Here("store.erase-host.links-deleted")
	err = s.Commit(ctx, func(w *db.Work) {
		sessions.BuryHost(w, s.Now(), host)
		for _, wing := range wings {
			wing.Erase(w, host)
			if wing.Empty != nil {
				topics = append(topics, wing.Empty(w, host, nil)...)
			}
		}
		store.PruneActions(w)
		w.Exec(`DELETE FROM tasks WHERE hops IS NOT NULL OR result IS NOT NULL`) // results may name the site: their pages are fetched again
		store.DropOrphans(w)
		note(w, topics)
	})
	if err != nil {
		return nil, fmt.Errorf("erase %s: %w", host, err)
	}
	failpoint.Here("store.erase-host.deleted")
	return topics, nil
}
