package erasing

import (
	"context"
	"fmt"
	"path/filepath"

	"nightjar/crawler/failpoint"
	"nightjar/daemon/base/leftovers"
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

// traced has the keys of all rows about a host.
type traced struct {
	pages, fetches, models, topics []int64
	loads                          []string
	rows                           map[string][]store.URLRow // those of hostRows, by table
	names                          []string                  // of topics
}

// PlanFor counts what Host would delete.
func PlanFor(ctx context.Context, d *db.DB, host string) (Plan, error) {
	r := d.Reads(ctx)
	t := trace(r, host)
	links, groups := store.CountLinkTraces(r, host)
	p := Plan{Maps: len(mapTraces(r, host)), Links: links + len(store.MarkedLinkTraces(r, host)), Groups: groups, Pages: len(t.pages), Visits: len(t.loads),
		Fetches: len(t.fetches), Finds: t.count("finds"), Frontier: t.count("frontier"), Starts: t.count("starts"), Contacts: t.count("contacts"),
		Found: t.count("documents", "positives", "document_pages", "title_hits", "title_queries"), Topics: t.names}
	if r.Err != nil {
		return Plan{}, fmt.Errorf("find what is stored about %s: %w", host, r.Err)
	}
	return p, nil
}

// Host deletes everything about a host and the hosts below it: page loads with their events and contents, pages,
// fetches, finds, frontier entries, start pages, milestones, entries of ledgers, documents and positive pages, and the results
// of maps and groupings that hold their pages or words of them, links from and to them, and what the person asked of links that
// names the host. It also erases the bundles of models that were trained with pages of these hosts, and returns
// their topics, which must be trained again.
//
// It leaves alone what other sites' pages say of the host; see unlinkContents.
func Host(ctx context.Context, s *store.Store, host string) ([]int64, error) {
	topics, err := eraseRowsOf(ctx, s, host, func(*db.Work, []int64) {})
	if err != nil {
		return nil, err
	}
	return topics, s.Scrub(ctx)
}

// eraseRowsOf is Host without what rewrites the file; note runs in the transaction that deletes, with the topics.
func eraseRowsOf(ctx context.Context, s *store.Store, host string, note func(*db.Work, []int64)) ([]int64, error) {
	defer s.Erasing()()
	if _, err := s.FinishImport(ctx); err != nil { // so that the site is erased from it, too
		return nil, err
	}
	if err := leftovers.Remove(filepath.Dir(s.Path())); err != nil {
		return nil, fmt.Errorf("erase %s: %w", host, err)
	}
	if err := store.DropHostLinks(ctx, s.DB, host); err != nil {
		return nil, fmt.Errorf("erase the links of %s: %w", host, err)
	}
	failpoint.Here("store.erase-host.links-deleted")
	var topics []int64
	err := s.Commit(ctx, func(w *db.Work) {
		t := trace(w, host)
		topics = t.topics
		s.Hosts().Forget(host)
		store.BuryHost(w, s.Now(), host)
		for _, erase := range []func(*db.Work, string){
			eraseMaps, t.erase, store.EraseLinkMarks, eraseOptions, eraseHosts, store.EraseReasons, eraseRead, store.ForgetSettings, store.EraseLinks,
		} {
			erase(w, host)
		}
		store.PruneAllMilestones(w)
		w.Do(store.ForgetLearned)
		store.PruneActions(w)
		store.PruneResults(w)
		store.DropTitleQueries(w)
		store.DropOrphans(w)
		note(w, topics)
	})
	if err != nil {
		return nil, fmt.Errorf("erase %s: %w", host, err)
	}
	failpoint.Here("store.erase-host.deleted")
	return topics, nil
}
