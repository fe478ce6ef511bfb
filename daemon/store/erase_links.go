package store

import (
	"bytes"
	"context"
	"database/sql"
	"strings"
)

// GroupingErased is why a grouping is out of date whose result was erased with pages of it.
const GroupingErased = "pages of a site were erased"

// dropGroupings deletes the results of groupings, which can be made again. One that is being made is begun again.
func dropGroupings(ctx context.Context, tx *sql.Tx, ids []int64) error {
	return execAll(ctx, tx, []string{
		`UPDATE groupings SET result = NULL, stale = '` + GroupingErased + `', problem = iif(state = 'working', '', 'pages were erased: make it again'),
			state = iif(state = 'working', 'working', 'failed') WHERE id IN (SELECT value FROM json_each(?))`,
		`DELETE FROM descriptions WHERE grouping_id IN (SELECT value FROM json_each(?))`,
		`DELETE FROM term_words WHERE grouping_id IN (SELECT value FROM json_each(?))`,
	}, jsonList(ids))
}

// groupingsOf selects the groupings that describe a page of a list (?1) or one that such a page links to, whose description has
// words of it.
const groupingsOf = `WITH given(id) AS (SELECT value FROM json_each(?1))
	SELECT d.grouping_id FROM given CROSS JOIN descriptions d ON d.page_id = given.id
	UNION SELECT d.grouping_id FROM given CROSS JOIN link l ON l.src = given.id CROSS JOIN descriptions d ON d.page_id = l.dst`

// dropGroupingsOf deletes the results of groupings that hold pages or words of them.
func dropGroupingsOf(ctx context.Context, tx *sql.Tx, pages []int64) error {
	ids, err := query(ctx, tx, scanID, groupingsOf, jsonList(pages))
	if err != nil || len(ids) == 0 {
		return err
	}
	return dropGroupings(ctx, tx, ids)
}

// linkTraces lists the pages of a host, with hosts below it, that link or are linked to.
func linkTraces(ctx context.Context, q queryer, host string) ([]int64, error) {
	all, err := onlyHost(ctx, q, host, `SELECT id, url FROM link_page`)
	return listOf(all, keyed.number), err
}

// groupingTraces lists the groupings that hold pages, words of them, or the name of a host.
func groupingTraces(ctx context.Context, q queryer, host string, pages []int64) ([]int64, error) {
	ids, err := query(ctx, q, scanID, groupingsOf, jsonList(pages))
	if err != nil {
		return nil, err
	}
	err = each(ctx, q, func(row scanner) error {
		var id int64
		var said bool
		var stored []byte
		if err := row.Scan(&id, &said, &stored); err != nil {
			return err
		}
		result, err := unpack(stored)
		if said || err != nil || bytes.Contains(bytes.ToLower(result), []byte(strings.ToLower(host))) { // one that cannot be read may hold anything
			ids = append(ids, id)
		}
		return nil
	}, `SELECT id, EXISTS (SELECT 1 FROM descriptions WHERE grouping_id = groupings.id AND instr(lower(body), ?1) > 0), result
		FROM groupings WHERE result IS NOT NULL`, strings.ToLower(host))
	return distinct(ids), err
}

// countLinkTraces counts the links from and to pages of a host, and groupingTraces.
func countLinkTraces(ctx context.Context, q queryer, host string) (links, groups int, err error) {
	pages, err := linkTraces(ctx, q, host)
	if err != nil {
		return 0, 0, err
	}
	err = q.QueryRowContext(ctx, `WITH given(id) AS MATERIALIZED (SELECT value FROM json_each(?1))
		SELECT count(*) FROM (SELECT l.id FROM given CROSS JOIN link l ON l.src = given.id
			UNION SELECT l.id FROM given CROSS JOIN link l ON l.dst = given.id)`, jsonList(pages)).Scan(&links)
	if err != nil {
		return 0, 0, err
	}
	of, err := groupingTraces(ctx, q, host, pages)
	return links, len(of), err
}

// dropHostLinks deletes the links from and to pages of a host in small transactions. What is stored meanwhile is left to
// eraseLinks.
func (s *Store) dropHostLinks(ctx context.Context, host string) error {
	pages, err := linkTraces(ctx, s.r, host)
	if err != nil {
		return err
	}
	groups, err := groupingTraces(ctx, s.r, host, pages)
	if err != nil {
		return err
	}
	if err := s.write(ctx, func(tx *sql.Tx) error { return dropGroupings(ctx, tx, groups) }); err != nil {
		return err
	}
	var jobs []*linkJob
	for _, id := range pages {
		jobs = append(jobs, &linkJob{page: id})
	}
	return s.runLinks(ctx, jobs, func(w *linkWriter, j *linkJob) (bool, error) { return w.dropPage(ctx, j.page) })
}

// dropPage deletes links from and to a page, and the page when none is left.
func (w *linkWriter) dropPage(ctx context.Context, id int64) (done bool, err error) {
	w.left--
	w.oldPages = append(w.oldPages, id)
	if done, err = w.drop(ctx, `src = ?`, id); err == nil && done {
		done, err = w.drop(ctx, `dst = ?`, id)
	}
	return done, err
}

// eraseLinks deletes everything about a host that has to do with links.
func eraseLinks(ctx context.Context, tx *sql.Tx, host string) error {
	pages, err := linkTraces(ctx, tx, host)
	if err != nil {
		return err
	}
	groups, err := groupingTraces(ctx, tx, host, pages)
	if err != nil {
		return err
	}
	if err := dropGroupings(ctx, tx, groups); err != nil {
		return err
	}
	w := &linkWriter{tx: tx}
	for _, id := range pages {
		for done := false; !done; {
			w.left = linkBudget
			if done, err = w.dropPage(ctx, id); err != nil {
				return err
			}
		}
	}
	if err := w.prune(ctx); err != nil {
		return err
	}
	queued, err := onlyHost(ctx, tx, host, `SELECT id, url FROM link_queue`) // with what triggers queued
	if err != nil {
		return err
	}
	for _, k := range queued {
		if _, err := tx.ExecContext(ctx, `DELETE FROM link_queue WHERE id = ?`, k.id); err != nil {
			return err
		}
	}
	return execAll(ctx, tx, []string{
		`DELETE FROM saved_sets WHERE instr(lower(name || ' ' || expression), ?) > 0`,
		`DELETE FROM operations WHERE instr(lower(text), ?) > 0`,
		`UPDATE groupings SET problem = '' WHERE instr(lower(problem), ?) > 0`,
	}, strings.ToLower(host))
}
