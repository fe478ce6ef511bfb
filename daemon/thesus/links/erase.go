package links

import (
	"bytes"
	"context"
	"strings"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// GroupingErased is why a grouping is out of date whose result was erased with pages of it.
const GroupingErased = "pages of a site were erased"

// dropGroupings deletes the results of groupings, which can be made again. One that is being made is begun again.
func dropGroupings(w *db.Work, ids []int64) {
	w.ExecAll([]string{
		`UPDATE groupings SET result = NULL, stale = '` + GroupingErased + `', problem = iif(state = 'working', '', 'pages were erased: make it again'),
			state = iif(state = 'working', 'working', 'failed') WHERE id IN (SELECT value FROM json_each(?))`,
		`DELETE FROM descriptions WHERE grouping_id IN (SELECT value FROM json_each(?))`,
		`DELETE FROM term_words WHERE grouping_id IN (SELECT value FROM json_each(?))`,
	}, db.JSONList(ids))
}

// groupingsOf selects the groupings that describe a page of a list (?1) or one that such a page links to, whose description has
// words of it.
const groupingsOf = `WITH given(id) AS (SELECT value FROM json_each(?1))
	SELECT d.grouping_id FROM given CROSS JOIN descriptions d ON d.page_id = given.id
	UNION SELECT d.grouping_id FROM given CROSS JOIN link l ON l.src = given.id CROSS JOIN descriptions d ON d.page_id = l.dst`

// dropGroupingsOf deletes the results of groupings that hold pages or words of them.
func dropGroupingsOf(w *db.Work, pages []int64) {
	ids := db.List(w, db.ScanID, groupingsOf, db.JSONList(pages))
	if len(ids) == 0 {
		return
	}
	dropGroupings(w, ids)
}

// linkTraces lists the pages of a host, with hosts below it, that link or are linked to.
func linkTraces(w *db.Work, host string) []int64 {
	all := store.RowsOnHost(w, host, `SELECT id, url FROM link_page`)
	return db.ListOf(all, store.URLRow.Key)
}

// groupingTraces lists the groupings that hold pages, words of them, or the name of a host.
func groupingTraces(w *db.Work, host string, pages []int64) []int64 {
	ids := db.List(w, db.ScanID, groupingsOf, db.JSONList(pages))
	w.Each(func(row db.Scanner) error {
		var id int64
		var said bool
		var stored []byte
		if err := row.Scan(&id, &said, &stored); err != nil {
			return err
		}
		result, err := store.Unpack(stored)
		if said || err != nil || bytes.Contains(bytes.ToLower(result), []byte(strings.ToLower(host))) { // one that cannot be read may hold anything
			ids = append(ids, id)
		}
		return nil
	}, `SELECT id, EXISTS (SELECT 1 FROM descriptions WHERE grouping_id = groupings.id AND instr(lower(body), ?1) > 0), result
		FROM groupings WHERE result IS NOT NULL`, strings.ToLower(host))
	return db.Distinct(ids)
}

// CountTraces counts the links from and to pages of a host, and groupingTraces.
func CountTraces(w *db.Work, host string) (links, groups int) {
	pages := linkTraces(w, host)
	w.Row(`WITH given(id) AS MATERIALIZED (SELECT value FROM json_each(?1))
		SELECT count(*) FROM (SELECT l.id FROM given CROSS JOIN link l ON l.src = given.id
			UNION SELECT l.id FROM given CROSS JOIN link l ON l.dst = given.id)`, db.JSONList(pages)).Read(&links)
	of := groupingTraces(w, host, pages)
	return links, len(of)
}

// EraseEarly deletes the links from and to pages of a host in small transactions. What is stored meanwhile is left to
// Erase.
func EraseEarly(ctx context.Context, d *db.DB, host string) error {
	r := d.Reads(ctx)
	pages := linkTraces(r, host)
	groups := groupingTraces(r, host, pages)
	if r.Err != nil {
		return r.Err
	}
	if err := d.Commit(ctx, func(w *db.Work) { dropGroupings(w, groups) }); err != nil {
		return err
	}
	var jobs []*linkJob
	for _, id := range pages {
		jobs = append(jobs, &linkJob{page: id})
	}
	return runLinks(ctx, d, jobs, func(w *linkWriter, j *linkJob) bool { return w.dropPage(j.page) })
}

// dropPage deletes links from and to a page, and the page when none is left.
func (w *linkWriter) dropPage(id int64) (done bool) {
	w.left--
	w.oldPages = append(w.oldPages, id)
	return w.drop(`src = ?`, id) && w.drop(`dst = ?`, id)
}

// Erase deletes everything about a host that has to do with links.
func Erase(w *db.Work, host string) {
	pages := linkTraces(w, host)
	groups := groupingTraces(w, host, pages)
	dropGroupings(w, groups)
	links := newLinkWriter(w)
	for _, id := range pages {
		for done := false; !done && w.Err == nil; {
			links.left = linkBudget
			done = links.dropPage(id)
		}
	}
	links.prune()
	for _, k := range store.RowsOnHost(w, host, `SELECT id, url FROM link_queue`) { // with what triggers queued
		w.Exec(`DELETE FROM link_queue WHERE id = ?`, k.ID)
	}
	w.ExecAll([]string{
		`DELETE FROM saved_sets WHERE instr(lower(name || ' ' || expression), ?) > 0`,
		`DELETE FROM operations WHERE instr(lower(text), ?) > 0`,
		`UPDATE groupings SET problem = '' WHERE instr(lower(problem), ?) > 0`,
	}, strings.ToLower(host))
}

// Lose queues pages whose content was replaced by one with fewer links: under new IDs, so that links that were read before are not
// stored.
func Lose(w *db.Work, urls []string) {
	for _, url := range urls {
		w.Exec(`DELETE FROM link_queue WHERE url = ?`, url)
		w.Exec(`INSERT INTO link_queue (url, lost) VALUES (?, 1)`, url)
	}
}
