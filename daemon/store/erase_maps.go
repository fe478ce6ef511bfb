package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"
)

// MapErased is the problem of a map whose result was erased with pages of it. Its last step can be done again.
const MapErased = "pages were erased: make the map again"

// mapTraces lists the maps whose result holds pages or words of a host, with those that were only dropped from it.
func mapTraces(ctx context.Context, q queryer, host string) ([]int64, error) {
	pages, err := onlyHost(ctx, q, host, `SELECT m.map_id, f.url FROM map_pages m JOIN fetches f ON f.id = m.fetch_id
		UNION SELECT m.map_id, f.final_url FROM map_pages m JOIN fetches f ON f.id = m.fetch_id`)
	if err != nil {
		return nil, err
	}
	ids := listOf(pages, keyed.number)
	err = each(ctx, q, func(row scanner) error {
		var id int64
		var stored []byte
		if err := row.Scan(&id, &stored); err != nil {
			return err
		}
		result, err := unpack(stored)
		if err != nil || bytes.Contains(bytes.ToLower(result), []byte(strings.ToLower(host))) { // one that cannot be read may hold anything
			ids = append(ids, id)
		}
		return nil
	}, `SELECT id, result FROM maps WHERE result IS NOT NULL`)
	return distinct(ids), err
}

// eraseMaps drops the results of maps that hold pages or words of a host, which can be made again, and addresses on the host
// from what the person asked for. The fetches of the host must still be there.
func eraseMaps(ctx context.Context, tx *sql.Tx, host string) error {
	ids, err := mapTraces(ctx, tx, host)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := dropMap(ctx, tx, id); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, `UPDATE maps SET problem = CASE state WHEN 'failed' THEN 'go on to do this step again' ELSE '' END
		WHERE instr(lower(problem), ?) > 0`, strings.ToLower(host)); err != nil {
		return err
	}
	all, err := query(ctx, tx, scanMap, selectMap+`WHERE instr(lower(options), ?) > 0`, strings.ToLower(host))
	if err != nil {
		return err
	}
	for _, m := range all {
		m.Options.List = slices.DeleteFunc(m.Options.List, func(line string) bool { return names(line, host) })
		if names(m.Options.Search, host) {
			m.Options.Search = ""
		}
		if _, err := tx.ExecContext(ctx, `UPDATE maps SET options = ? WHERE id = ?`, jsonOf{m.Options}, m.ID); err != nil {
			return err
		}
	}
	return nil
}

// dropMap deletes the result of a map, which can be made again.
func dropMap(ctx context.Context, tx *sql.Tx, id int64) error {
	return execAll(ctx, tx, []string{
		`UPDATE maps SET result = NULL, step = 'map', state = 'failed', problem = '` + MapErased + `' WHERE id = ?`,
		`DELETE FROM map_pages WHERE map_id = ?`,
	}, id)
}

// names reports whether a text holds the name of a host.
func names(text, host string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(host))
}

// eraseRead deletes what documents say of a host: addresses in them, titles and queries that name it, and reasons of requests.
func eraseRead(ctx context.Context, tx *sql.Tx, host string) error {
	name := strings.ToLower(host)
	if err := execAll(ctx, tx, []string{
		`DELETE FROM title_queries WHERE instr(lower(text), ?) > 0`,
		`UPDATE document_pages SET reason = '' WHERE instr(lower(reason), ?) > 0`,
	}, name); err != nil {
		return err
	}
	if err := eraseReasonTitles(ctx, tx, host); err != nil {
		return err
	}
	type row struct {
		id           int64
		titles, read string
	}
	all, err := query(ctx, tx, func(r scanner) (one row, err error) {
		return one, r.Scan(&one.id, &one.titles, &one.read)
	}, `SELECT id, titles, read FROM documents WHERE instr(lower(titles), ?1) + instr(lower(read), ?1) > 0`, name)
	if err != nil {
		return err
	}
	for _, one := range all {
		var titles []string
		var read ReadDocument
		if json.Unmarshal([]byte(one.titles), &titles) != nil || json.Unmarshal([]byte(one.read), &read) != nil {
			continue
		}
		of := func(text string) bool { return names(text, host) }
		titles = slices.DeleteFunc(titles, of)
		for _, list := range []*[]string{&read.Authors, &read.URLs, &read.DOIs} {
			*list = slices.DeleteFunc(*list, of)
		}
		read.Warnings = slices.DeleteFunc(read.Warnings, func(w DocumentWarning) bool { return of(w.What) || of(w.Next) })
		if _, err := tx.ExecContext(ctx, `UPDATE documents SET titles = ?, read = ? WHERE id = ?`, jsonList(titles), jsonOf{read}, one.id); err != nil {
			return err
		}
	}
	return nil
}

// eraseReasonTitles deletes titles that name a host from the reasons why pages are positive.
func eraseReasonTitles(ctx context.Context, tx *sql.Tx, host string) error {
	type row struct {
		document     int64
		url, reasons string
	}
	all, err := query(ctx, tx, func(r scanner) (one row, err error) {
		return one, r.Scan(&one.document, &one.url, &one.reasons)
	}, `SELECT document_id, url, reasons FROM positives WHERE instr(lower(reasons), ?) > 0`, strings.ToLower(host))
	if err != nil {
		return err
	}
	for _, one := range all {
		var reasons []PositiveReason
		if err := json.Unmarshal([]byte(one.reasons), &reasons); err != nil {
			return err
		}
		for i := range reasons {
			if names(reasons[i].Title, host) {
				reasons[i].Title = ""
			}
		}
		if _, err := tx.ExecContext(ctx, `UPDATE positives SET reasons = ? WHERE document_id = ? AND url = ?`, jsonOf{reasons}, one.document, one.url); err != nil {
			return err
		}
	}
	return nil
}
