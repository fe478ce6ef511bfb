package erasing

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"nightjar/crawler/unlink"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// unswept are tables in which the person's own words and rules are, what is compressed or an index, and what says how far an
// erasing is.
var unswept = []string{"settings", "refused", "actions", "topics", "ontologies", "ontology_edits", "browsers", "tokens", "contents",
	"tombstones", "erasings", "saved_sets", "workers"}

// addressColumns hold one address: a row whose address names a site is erased as a whole, by what knows the table.
var addressColumns = []string{"url", "final_url", "requested", "like_url", "host", "site", "origin", "provider", "source", "uuid", "load",
	"page", "client", "id"}

// textColumn is a column with text, and how a row of its table is found again.
type textColumn struct {
	table, name string
	keys        []string
}

// textColumns lists the columns of the schema that can have text of other sites.
func textColumns(w *db.Work) []textColumn {
	type info struct {
		table, column, kind string
		key                 int
		rowid               bool
	}
	all := db.List(w, func(row db.Scanner) (c info, err error) {
		return c, row.Scan(&c.table, &c.column, &c.kind, &c.key, &c.rowid)
	}, `SELECT t.name, c.name, c.type, c.pk, t.wr = 0 FROM pragma_table_list t, pragma_table_xinfo(t.name) c
		WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite\_%' ESCAPE '\' AND t.name NOT LIKE 'search\_%' ESCAPE '\'
			AND c.hidden = 0 ORDER BY t.name, c.cid`)
	keys := map[string][]string{}
	for _, c := range all {
		if c.rowid {
			keys[c.table] = []string{"rowid"}
		} else if c.key > 0 {
			keys[c.table] = append(keys[c.table], c.column)
		}
	}
	var columns []textColumn
	for _, c := range all {
		if c.kind == "TEXT" && !slices.Contains(unswept, c.table) {
			columns = append(columns, textColumn{c.table, c.column, keys[c.table]})
		}
	}
	return columns
}

// sweep takes the addresses of a site out of all texts in the database, whatever they are: titles, snippets, anchors, reasons.
// It returns how many it changed, and how many values have such an address that it must not change.
func sweep(ctx context.Context, d *db.DB, site *unlink.Site) (changed, left int, err error) {
	r := d.Reads(ctx)
	columns := textColumns(r)
	if r.Err != nil {
		return 0, 0, fmt.Errorf("list the texts of the database: %w", r.Err)
	}
	for _, c := range columns {
		n, kept, err := sweepColumn(ctx, d, site, c)
		if err != nil {
			return changed, left, fmt.Errorf("take addresses out of %s.%s: %w", c.table, c.name, err)
		}
		changed, left = changed+n, left+kept
	}
	return changed, left, nil
}

// sweepColumn is sweep of one column.
func sweepColumn(ctx context.Context, d *db.DB, site *unlink.Site, c textColumn) (changed, left int, err error) {
	type found struct {
		keys  []any
		clean string
	}
	var all []found
	quoted := db.ListOf(c.keys, func(k string) string { return `"` + k + `"` })
	column := `"` + c.name + `"`
	err = db.Each(ctx, d.Readers, func(row db.Scanner) error {
		one := found{keys: make([]any, len(c.keys))}
		into := make([]any, len(c.keys), len(c.keys)+1)
		for i := range one.keys {
			into[i] = &one.keys[i]
		}
		var text string
		if err := row.Scan(append(into, &text)...); err != nil {
			return err
		}
		clean, dirty := site.Text([]byte(text))
		switch {
		case !dirty:
		case slices.Contains(addressColumns, c.name), slices.Contains(c.keys, c.name):
			left++
		default:
			one.clean = string(clean)
			all = append(all, one)
		}
		return nil
	}, `SELECT `+strings.Join(quoted, ", ")+`, `+column+` FROM main."`+c.table+`" WHERE `+column+` IS NOT NULL
		AND instr(lower(`+column+`), ?1) + instr(lower(`+column+`), ?2) > 0`, site.Host(), store.EscapedHost(site.Host()))
	if err != nil || len(all) == 0 {
		return 0, left, err
	}
	err = d.Commit(ctx, func(w *db.Work) {
		for _, one := range all {
			w.Exec(`UPDATE "`+c.table+`" SET `+column+` = ? WHERE (`+strings.Join(quoted, ", ")+`) = (?`+
				strings.Repeat(", ?", len(quoted)-1)+`)`, append([]any{one.clean}, one.keys...)...)
			changed++
		}
	})
	return changed, left, err
}
