package store

import (
	"bytes"
	"context"
	"fmt"
	"slices"
)

// gone reports whether the links of a page without content go: its content was erased, or nothing is known of it.
func (w *linkWriter) gone(ctx context.Context, url string, lost bool) (gone bool, err error) {
	if lost {
		return true, nil
	}
	return single[bool](ctx, w.tx, `SELECT NOT EXISTS (SELECT 1 FROM pages WHERE url = ?1)
		AND NOT EXISTS (SELECT 1 FROM fetches WHERE final_url = ?1 AND outcome = 'ok')
		AND NOT EXISTS (SELECT 1 FROM document_pages WHERE final_url = ?1 AND outcome = 'ok')`, url)
}

// pageID returns the id of the page with an address, 0 if there is none.
func (w *linkWriter) pageID(ctx context.Context, url string) (id int64, hash []byte, err error) {
	err = w.tx.QueryRowContext(ctx, `SELECT id, hash FROM link_page WHERE url = ?`, url).Scan(&id, &hash)
	return id, hash, optional(err)
}

// clear deletes links of a page, and reports whether all are gone. If its content was erased, groupings that have words of it
// lose their results.
func (w *linkWriter) clear(ctx context.Context, j *linkJob, lost bool) (done bool, err error) {
	id, hash, err := w.pageID(ctx, j.URL)
	if err != nil || id == 0 {
		return id == 0, err
	}
	if lost && !j.begun && !bytes.Equal(hash, j.Hash) {
		if err := dropGroupingsOf(ctx, w.tx, []int64{id}); err != nil {
			return false, err
		}
	}
	j.begun = true
	if hash != nil { // what is left of the links is of no content
		if _, err := w.tx.ExecContext(ctx, `UPDATE link_page SET hash = NULL WHERE id = ?`, id); err != nil {
			return false, err
		}
	}
	w.oldPages = append(w.oldPages, id)
	return w.drop(ctx, `src = ?`, id)
}

// drop deletes links that meet a condition, as many as a piece of the budget allows, and reports whether none is left.
func (w *linkWriter) drop(ctx context.Context, condition string, id int64) (done bool, err error) {
	type end struct{ id, src, dst int64 }
	most := max(1, w.piece()/8)
	links, err := query(ctx, w.tx, func(row scanner) (e end, err error) {
		return e, row.Scan(&e.id, &e.src, &e.dst)
	}, `SELECT id, src, dst FROM link WHERE `+condition+` LIMIT ?`, id, most)
	if err != nil || len(links) == 0 {
		return true, err
	}
	ids := make([]int64, len(links))
	for i, l := range links {
		ids[i] = l.id
		w.oldPages = append(w.oldPages, l.src, l.dst)
	}
	words, err := query(ctx, w.tx, scanID, `DELETE FROM link_word WHERE link IN (SELECT value FROM json_each(?)) RETURNING word`, jsonList(ids))
	if err != nil {
		return false, err
	}
	w.oldWords = append(w.oldWords, words...)
	w.left -= len(links) + len(words)
	_, err = w.tx.ExecContext(ctx, `DELETE FROM link WHERE id IN (SELECT value FROM json_each(?))`, jsonList(ids))
	return len(links) < most, err
}

// move lets the links that end at an address end where it leads, and reports whether all do.
func (w *linkWriter) move(ctx context.Context, url string) (done bool, err error) {
	id, _, err := w.pageID(ctx, url)
	if err != nil || id == 0 {
		return true, err
	}
	end, err := linkEnd(ctx, w.tx, url)
	if err != nil || end == url {
		return true, err
	}
	to, err := w.page(ctx, end)
	if err != nil {
		return false, err
	}
	if done, err := w.drop(ctx, `dst = ? AND src = `+fmt.Sprint(to), id); err != nil || !done { // of the page to itself
		return false, err
	}
	w.oldPages = append(w.oldPages, id, to)
	most := max(1, w.piece())
	n, err := affected(w.tx.ExecContext(ctx, `UPDATE link SET dst = ? WHERE id IN (SELECT id FROM link WHERE dst = ? LIMIT ?)`, to, id, most))
	w.left -= int(n)
	return int(n) < most, err
}

// prune deletes words and pages without links.
func (w *linkWriter) prune(ctx context.Context) error {
	for _, step := range []struct {
		ids  []int64
		text string
	}{
		{w.oldWords, `DELETE FROM word WHERE id IN (SELECT value FROM json_each(?)) AND NOT EXISTS (SELECT 1 FROM link_word WHERE word = word.id)`},
		{w.oldPages, `DELETE FROM link_page WHERE id IN (SELECT value FROM json_each(?))
			AND NOT EXISTS (SELECT 1 FROM link WHERE src = link_page.id) AND NOT EXISTS (SELECT 1 FROM link WHERE dst = link_page.id)`},
	} {
		if len(step.ids) == 0 {
			continue
		}
		slices.Sort(step.ids)
		if _, err := w.tx.ExecContext(ctx, step.text, jsonList(slices.Compact(step.ids))); err != nil {
			return err
		}
	}
	return nil
}
