package backup

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"

	"nightjar/crawler/failpoint"
	"nightjar/daemon/db"
)

// ownSettings is the condition on rows of settings that belong to this computer and not to its data: how the dashboard is
// reached and who is logged in, and passwords.
const ownSettings = `(key LIKE 'dashboard.%' OR key LIKE 'secret.%')`

// CopyTo writes a copy of the whole database to path, which must not exist. The copy opens nothing: it has no browsers,
// tokens, logins and passwords. Other connections can read and write meanwhile.
func CopyTo(ctx context.Context, d *db.DB, path string) error {
	if _, err := d.Writer.ExecContext(ctx, `VACUUM INTO ?`, path); err != nil {
		return fmt.Errorf("back up to %s: %w", path, err)
	}
	failpoint.Here("store.backup.copied")
	if err := dropOwn(ctx, path); err != nil {
		return fmt.Errorf("back up to %s: %w", path, err)
	}
	return nil
}

// dropOwn deletes what belongs to this computer from a copy, and overwrites its bytes.
func dropOwn(ctx context.Context, path string) error {
	plain, err := sql.Open("sqlite", db.FileURL(path)+"?mode=rw&_pragma=journal_mode(DELETE)&_pragma=secure_delete(1)")
	if err != nil {
		return err
	}
	w := &db.Work{Ctx: ctx, Q: plain}
	ForgetOwn(w)
	return errors.Join(w.Err, plain.Close())
}

// ForgetOwn deletes what belongs to the computer where a database was used, OwnTables and ownSettings: which browsers and programs
// may connect, logins and passwords. Backups of older versions hold them.
func ForgetOwn(w *db.Work) {
	for _, from := range append(OwnTables(), "settings WHERE "+ownSettings) {
		w.Exec("DELETE FROM main." + from)
	}
}

// KindSize is how many bytes of the database one kind of data takes.
type KindSize struct {
	Kind  string // for people
	Bytes int64
}

// kind is a kind of data by its tables; indexes count with their table. TestTables checks that each table is in one list.
type kind struct {
	name     string
	restored []string // tables that a backup holds and a restored one replaces
	own      []string // tables that belong to this computer: a backup leaves them empty, and a restored one keeps them
}

// kinds names each table of the schema.
var kinds = []kind{
	{name: "Recordings: visits and marks", restored: []string{"topics", "combined", "sessions", "events", "visits", "pages", "marks",
		"withheld", "milestones", "discarded", "erased", "tombstones", "erasings", "changes", "pictures", "leads", "readings", "unsound", "import_events"}},
	{name: "Contents of pages, visited and fetched", restored: []string{"contents"}},
	{name: "Models", restored: []string{"models", "model_pictures", "stopped", "questions"}},
	{name: "Crawls and finds", restored: []string{"crawls", "fetches", "frontier", "finds", "find_counts", "feedback", "actions", "contacts",
		"resting", "learned", "starts", "reasons", "refused", "forecasts", "topic_strategies", "tasks", "orders"},
		own: []string{"hosts", "robots", "lists"}},
	{name: "Documents, what their titles found, and maps", restored: []string{"documents", "title_queries", "title_requests", "title_hits",
		"positives", "document_pages", "maps", "map_pages"}},
	{name: "Search index", restored: []string{"search_entries", "search_words", "search_words_data", "search_words_idx",
		"search_words_docsize", "search_words_config", "search_queue", "search_state"}},
	{name: "Links and what they say", restored: []string{"link_page", "link", "word", "link_word", "link_queue", "ontologies", "ontology_edits",
		"groupings", "descriptions", "term_words", "saved_sets", "operations"}},
	// The last one has what is no table, too, such as the schema itself.
	{name: "Settings, browsers, tokens and workers", restored: []string{"settings", "sqlite_sequence"}, own: []string{"browsers", "tokens", "workers"}},
}

// OwnTables are the tables that belong to this computer.
func OwnTables() (all []string) {
	for _, k := range kinds {
		all = append(all, k.own...)
	}
	return all
}

// Sizes returns the size of the database by kind of data. It looks at every page of the file.
func Sizes(ctx context.Context, d *db.DB) ([]KindSize, error) {
	tables, err := db.Pairs[string, int64](ctx, d.Readers, `SELECT coalesce(m.tbl_name, 'rest'), sum(d.pgsize) FROM dbstat d
		LEFT JOIN sqlite_schema m ON m.name = d.name WHERE d.aggregate = 1 GROUP BY 1`)
	if err != nil {
		return nil, fmt.Errorf("read sizes: %w", err)
	}
	whole, err := Size(ctx, d)
	if err != nil {
		return nil, err
	}
	var all []KindSize
	free := whole
	for _, k := range kinds {
		size := KindSize{Kind: k.name}
		for _, table := range slices.Concat(k.restored, k.own) {
			size.Bytes += tables[table]
			delete(tables, table)
		}
		free -= size.Bytes
		all = append(all, size)
	}
	for _, n := range tables {
		all[len(all)-1].Bytes += n
		free -= n
	}
	return append(all, KindSize{Kind: "Free space in the database", Bytes: max(0, free)}), nil
}

// FileSize returns the bytes that a database takes on the disk: its file, and its write-ahead log, where rows are that were not
// copied into the file yet. It returns 0 when there is no such file.
func FileSize(path string) int64 {
	var bytes int64
	for _, name := range []string{path, path + "-wal"} {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
	}
	return bytes
}

// Size returns the size of the database in bytes: of its pages, wherever they are now.
func Size(ctx context.Context, d *db.DB) (int64, error) {
	size, err := db.Single[int64](ctx, d.Readers, `SELECT page_count * page_size FROM pragma_page_count, pragma_page_size`)
	return size, db.Wrap(err, "read size of the database")
}
