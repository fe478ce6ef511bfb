package store

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"nightjar/crawler/failpoint"
	"nightjar/crawler/unlink"
	"nightjar/crawler/weburl"
	"nightjar/daemon/base/leftovers"
	"nightjar/daemon/db"
)

// ErasePlan says what EraseHost would delete.
type ErasePlan struct {
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
func (p ErasePlan) Empty() bool {
	return p.Pages+p.Visits+p.Fetches+p.Finds+p.Frontier+p.Starts+p.Contacts+p.Found+p.Maps+p.Links+p.Groups+len(p.Topics) == 0
}

// OnHost reports whether an address is on a host or on a host below it.
func OnHost(address, host string) bool {
	name := weburl.Host(address)
	if i := strings.LastIndexByte(name, ':'); i > 0 && !strings.HasSuffix(name, "]") {
		name = name[:i]
	}
	return name == host || strings.HasSuffix(name, "."+host)
}

// concerns reports whether an address is on a host or below it, or has its name in it, as those of redirects and of copies do.
func concerns(address, host string) bool {
	return OnHost(address, host) || unlink.New(host).Names(address)
}

// escapedHost is how canonical addresses of other sites have an internationalized host in them; the host itself for others.
func escapedHost(host string) string {
	names := unlink.New(host).Forms()
	return strings.ToLower(url.QueryEscape(names[len(names)-1]))
}

// traces has the keys of all rows about a host.
type traces struct {
	pages, fetches, models, topics []int64
	loads                          []string
	rows                           map[string][]keyed // those of hostRows, by table
	names                          []string           // of topics
}

// keyed is a row that is identified by an id and an address.
type keyed struct {
	id  int64
	url string
}

func (k keyed) number() int64 { return k.id }

// ErasePlan counts what EraseHost would delete.
func (s *Store) ErasePlan(ctx context.Context, host string) (ErasePlan, error) {
	r := s.Reads(ctx)
	t := s.trace(r, host)
	links, groups := countLinkTraces(r, host)
	p := ErasePlan{Maps: len(mapTraces(r, host)), Links: links + len(markedLinkTraces(r, host)), Groups: groups, Pages: len(t.pages), Visits: len(t.loads),
		Fetches: len(t.fetches), Finds: t.count("finds"), Frontier: t.count("frontier"), Starts: t.count("starts"), Contacts: t.count("contacts"),
		Found: t.count("documents", "positives", "document_pages", "title_hits", "title_queries"), Topics: t.names}
	if r.Err != nil {
		return ErasePlan{}, fmt.Errorf("find what is stored about %s: %w", host, r.Err)
	}
	return p, nil
}

// EraseHost deletes everything about a host and the hosts below it: page loads with their events and contents, pages,
// fetches, finds, frontier entries, start pages, milestones, entries of ledgers, documents and positive pages, and the results
// of maps and groupings that hold their pages or words of them, links from and to them, and what the person asked of links that
// names the host. It also erases the bundles of models that were trained with pages of these hosts, and returns
// their topics, which must be trained again.
//
// It leaves alone what other sites' pages say of the host; see UnlinkContents.
func (s *Store) EraseHost(ctx context.Context, host string) ([]int64, error) {
	topics, err := s.eraseHost(ctx, host, func(*db.Work, []int64) {})
	if err != nil {
		return nil, err
	}
	return topics, s.Scrub(ctx)
}

// eraseHost is EraseHost without what rewrites the file; note runs in the transaction that deletes, with the topics.
func (s *Store) eraseHost(ctx context.Context, host string, note func(*db.Work, []int64)) ([]int64, error) {
	defer s.Erasing()()
	if _, err := s.FinishImport(ctx); err != nil { // so that the site is erased from it, too
		return nil, err
	}
	if err := leftovers.Remove(filepath.Dir(s.Path())); err != nil {
		return nil, fmt.Errorf("erase %s: %w", host, err)
	}
	if err := s.dropHostLinks(ctx, host); err != nil {
		return nil, fmt.Errorf("erase the links of %s: %w", host, err)
	}
	failpoint.Here("store.erase-host.links-deleted")
	var topics []int64
	err := s.Commit(ctx, func(w *db.Work) {
		t := s.trace(w, host)
		topics = t.topics
		s.hosts.forget(host)
		for _, erase := range []func(*db.Work, string){
			s.buryHost, eraseMaps, t.erase, eraseLinkMarks, eraseOptions, eraseHosts, eraseReasons, eraseRead, forgetSettings, eraseLinks,
		} {
			erase(w, host)
		}
		pruneAllMilestones(w)
		w.Do(forgetLearned)
		pruneActions(w)
		pruneResults(w)
		dropTitleQueries(w)
		dropOrphans(w)
		note(w, topics)
	})
	if err != nil {
		return nil, fmt.Errorf("erase %s: %w", host, err)
	}
	failpoint.Here("store.erase-host.deleted")
	return topics, nil
}
