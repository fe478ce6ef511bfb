package plans

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// Small are the tables that may be read whole: the person, a training or a night makes their rows, so there are some
// thousands after years. All others grow with every page that is visited or fetched.
var Small = map[string]string{
	"browsers": "one for each browser", "topics": "one for each topic", "combined": "one for each part of a topic", "starts": "some for each topic",
	"sessions": "some a day", "models": "one for each training", "crawls": "one for each topic and night", "learned": "one for each crawl that runs",
	"forecasts": "one for each crawl", "find_counts": "some for each topic", "changes": "one for each change that a person made", "refused": "one for each refused site",
	"erasings": "one for each site that was erased", "maps": "one for each map", "positives": "some hundreds for each map", "title_queries": "one for each title that was looked for",
	"groupings": "one for each grouping", "ontologies": "one for each ontology", "saved_sets": "one for each saved set", "operations": "bounded",
	"tokens": "one for each program", "workers": "one for each machine", "tasks": "those under way and of the last hour", "documents": "one for each document", "settings": "one row", "milestones": "one for each naming of a page by a person",
}

// Record opens a store whose statements are noted from now on. driver is db.Driver, the name of the driver for stores that are opened.
func Record[S any](tb testing.TB, driver *string, open func(testing.TB) S) (s S, statements map[string][]any) {
	tb.Helper()
	usual := *driver
	*driver = Driver
	s = open(tb)
	*driver = usual
	statements, done := Note()
	tb.Cleanup(done)
	return s, statements
}

// FullScans lists the steps of a statement's plan that read a whole table; see Scans.
func FullScans(tb testing.TB, plain *sql.DB, text string, args ...any) (bad []string) {
	tb.Helper()
	steps, err := Scans(tb.Context(), plain, text, args...)
	if err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	for _, step := range steps {
		bad = append(bad, step.Detail)
	}
	return bad
}

// NoFullScans fails a test for each statement, with its arguments, that reads a whole table; see FullScans. A step that has one of
// the texts in allowed is no fault.
func NoFullScans(tb testing.TB, plain *sql.DB, all map[string][]any, allowed ...string) {
	tb.Helper()
	for _, text := range slices.Sorted(maps.Keys(all)) {
		if strings.HasPrefix(text, "PRAGMA") {
			continue
		}
		for _, step := range FullScans(tb, plain, text, all[text]...) {
			if !slices.ContainsFunc(allowed, func(one string) bool { return strings.Contains(step, one) }) {
				tb.Errorf("%s\n\tin %s", step, text)
			}
		}
	}
}

// Check fails a test for each statement that reads whole what it may not, see Wrong; and when no statement has one of the texts
// in needed, since the test then lacks something. url is that of the database, for a connection that notes nothing.
func Check(tb testing.TB, url string, all map[string][]any, allowed map[string]string, needed ...string) {
	tb.Helper()
	for _, part := range needed {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(all)), func(text string) bool { return strings.Contains(text, part) }) {
			tb.Errorf("no statement has %q: the test lacks something", part)
		}
	}
	db, err := sql.Open("sqlite", url)
	if err != nil {
		tb.Fatal(err)
	}
	defer db.Close() // it was only read
	wrong, err := Wrong(tb.Context(), db, all, allowed)
	if err != nil {
		tb.Fatal(err)
	}
	for _, w := range wrong {
		tb.Error(w)
	}
}

// Wrong lists what the statements read whole that may not be: of tables that are not small, unless a text in allowed is part
// of the statement. Texts in allowed that no statement needs are listed, too.
func Wrong(ctx context.Context, db *sql.DB, all map[string][]any, allowed map[string]string) (wrong []string, err error) {
	used, parts := map[string]bool{}, slices.Sorted(maps.Keys(allowed))
	for _, text := range slices.Sorted(maps.Keys(all)) {
		steps, err := Scans(ctx, db, text, all[text]...)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
		plain := strings.Join(strings.Fields(text), " ")
		for _, step := range steps {
			large := func(table string) bool { return Small[table] == "" }
			if len(step.Tables) > 0 && !slices.ContainsFunc(step.Tables, large) {
				continue
			}
			reason := slices.IndexFunc(parts, func(part string) bool { return strings.Contains(plain, part) })
			if reason < 0 {
				wrong = append(wrong, fmt.Sprintf("%s\n\tin %s", step.Detail, plain))
				continue
			}
			used[parts[reason]] = true
		}
	}
	for _, part := range parts {
		if !used[part] {
			wrong = append(wrong, "no statement reads a whole table and has: "+part)
		}
	}
	return wrong, nil
}
