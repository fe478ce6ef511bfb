package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"nightjar/crawler/weburl"
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

// traces has the keys of all rows about a host.
type traces struct {
	pages, fetches, models, topics []int64
	loads                          []string
	contacts, resting              []keyed // crawl and host
	finds, frontier, starts        []keyed
	names                          []string // of topics
}

// keyed is a row that is identified by an id and an address.
type keyed struct {
	id  int64
	url string
}

// ErasePlan counts what EraseHost would delete.
func (s *Store) ErasePlan(ctx context.Context, host string) (ErasePlan, error) {
	t, err := s.trace(ctx, s.r, host)
	if err != nil {
		return ErasePlan{}, fmt.Errorf("find rows about %s: %w", host, err)
	}
	of, err := documentTraces(ctx, s.r, host)
	if err != nil {
		return ErasePlan{}, fmt.Errorf("find documents and their pages about %s: %w", host, err)
	}
	found := 0
	for _, all := range of {
		found += len(all)
	}
	maps, err := mapTraces(ctx, s.r, host)
	if err != nil {
		return ErasePlan{}, fmt.Errorf("find maps with pages of %s: %w", host, err)
	}
	links, groups, err := countLinkTraces(ctx, s.r, host)
	if err != nil {
		return ErasePlan{}, fmt.Errorf("find links from and to %s: %w", host, err)
	}
	said, err := markedLinkTraces(ctx, s.r, host)
	if err != nil {
		return ErasePlan{}, fmt.Errorf("find marks of links to %s: %w", host, err)
	}
	return ErasePlan{Found: found, Maps: len(maps), Links: links + len(said), Groups: groups, Pages: len(t.pages), Visits: len(t.loads), Fetches: len(t.fetches),
		Finds: len(t.finds), Frontier: len(t.frontier), Starts: len(t.starts), Contacts: len(t.contacts), Topics: t.names}, nil
}

// EraseHost deletes everything about a host and the hosts below it: page loads with their events and contents, pages,
// fetches, finds, frontier entries, start pages, milestones, entries of ledgers, documents and positive pages, and the results
// of maps and groupings that hold their pages or words of them, links from and to them, and what the person asked of links that
// names the host. It also erases the bundles of models that were trained with pages of these hosts, and returns
// their topics, which must be trained again.
func (s *Store) EraseHost(ctx context.Context, host string) ([]int64, error) {
	defer s.erasing()()
	if err := s.dropHostLinks(ctx, host); err != nil {
		return nil, fmt.Errorf("erase the links of %s: %w", host, err)
	}
	var topics []int64
	err := s.write(ctx, func(tx *sql.Tx) error {
		t, err := s.trace(ctx, tx, host)
		if err != nil {
			return err
		}
		topics = t.topics
		if err := eraseMaps(ctx, tx, host); err != nil {
			return err
		}
		if err := t.erase(ctx, tx); err != nil {
			return err
		}
		if err := eraseLinkMarks(ctx, tx, host); err != nil {
			return err
		}
		if err := pruneAllMilestones(ctx, tx); err != nil {
			return err
		}
		if err := forgetLearned(ctx, tx); err != nil {
			return err
		}
		if err := eraseActions(ctx, tx, host); err != nil {
			return err
		}
		if err := eraseOptions(ctx, tx, host); err != nil {
			return err
		}
		if err := eraseSilent(ctx, tx, host); err != nil {
			return err
		}
		if err := eraseReasons(ctx, tx, host); err != nil {
			return err
		}
		if err := eraseDocuments(ctx, tx, host); err != nil {
			return err
		}
		if err := forgetSettings(ctx, tx, host); err != nil {
			return err
		}
		if err := eraseLinks(ctx, tx, host); err != nil {
			return err
		}
		return dropOrphans(ctx, tx)
	})
	if err != nil {
		return nil, fmt.Errorf("erase %s: %w", host, err)
	}
	return topics, s.scrubAll(ctx)
}

// EraseAll deletes all rows, except the settings with which the dashboard can be reached, and the copies of the
// database that were made before migrations.
func (s *Store) EraseAll(ctx context.Context) error {
	defer s.erasing()()
	err := s.write(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `PRAGMA defer_foreign_keys = 1`); err != nil {
			return err
		}
		tables, err := query(ctx, tx, scanText, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
			AND name NOT LIKE 'search\_words%' ESCAPE '\' AND name NOT IN ('settings', 'search_state')
			ORDER BY name NOT IN ('link_word', 'link'), name = 'link', rowid`) // the largest first, so that no row is looked for in them
		if err != nil {
			return err
		}
		for _, name := range tables { // names from the schema, so safe to insert
			if _, err := tx.ExecContext(ctx, `DELETE FROM "`+name+`"`); err != nil {
				return fmt.Errorf("table %s: %w", name, err)
			}
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO search_words (search_words) VALUES ('delete-all')`); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM settings WHERE key NOT LIKE 'dashboard.%'`)
		return err
	})
	if err != nil {
		return fmt.Errorf("erase everything: %w", err)
	}
	copies, err := s.Copies()
	for _, name := range copies {
		err = errors.Join(err, os.Remove(name))
	}
	return errors.Join(err, s.scrubAll(ctx))
}

// scrubAll rewrites the file without deleted data, and empties the write-ahead log.
func (s *Store) scrubAll(ctx context.Context) error {
	if err := s.forgetLinks(ctx, time.Minute); err != nil {
		return err
	}
	if _, err := s.MergeSearch(ctx, time.Minute); err != nil {
		return err
	}
	for _, text := range []string{`VACUUM`, `PRAGMA wal_checkpoint(TRUNCATE)`} {
		if _, err := s.w.ExecContext(ctx, text); err != nil {
			return fmt.Errorf("scrub the database file: %w", err)
		}
	}
	return nil
}
