package links

import (
	"bytes"
	"fmt"

	"nightjar/daemon/db"
)

// gone reports whether the links of a page without content go: its content was erased, or nothing is known of it.
func (w *linkWriter) gone(url string, lost bool) (gone bool) {
	if lost {
		return true
	}
	return db.Value[bool](w.Work, `SELECT NOT EXISTS (SELECT 1 FROM pages WHERE url = ?1)
		AND NOT EXISTS (SELECT 1 FROM fetches WHERE final_url = ?1 AND outcome = 'ok')
		AND NOT EXISTS (SELECT 1 FROM document_pages WHERE final_url = ?1 AND outcome = 'ok')`, url)
}

// pageID returns the id of the page with an address, 0 if there is none.
func (w *linkWriter) pageID(url string) (id int64, hash []byte) {
	w.Row(`SELECT id, hash FROM link_page WHERE url = ?`, url).Find(&id, &hash)
	return id, hash
}

// clear deletes links of a page, and reports whether all are gone. If its content was erased, groupings that have words of it
// lose their results.
func (w *linkWriter) clear(j *linkJob, lost bool) (done bool) {
	id, hash := w.pageID(j.URL)
	if id == 0 {
		return true
	}
	if lost && !j.begun && !bytes.Equal(hash, j.Hash) {
		dropGroupingsOf(w.Work, []int64{id})
	}
	j.begun = true
	if hash != nil { // what is left of the links is of no content
		w.Exec(`UPDATE link_page SET hash = NULL WHERE id = ?`, id)
	}
	w.oldPages = append(w.oldPages, id)
	return w.drop(`src = ?`, id)
}

// drop deletes links that meet a condition, as many as a piece of the budget allows, and reports whether none is left.
func (w *linkWriter) drop(condition string, id int64) (done bool) {
	type end struct{ id, src, dst int64 }
	most := max(1, w.piece()/8)
	links := db.List(w.Work, func(row db.Scanner) (e end, err error) {
		return e, row.Scan(&e.id, &e.src, &e.dst)
	}, `SELECT id, src, dst FROM link WHERE `+condition+` LIMIT ?`, id, most)
	if len(links) == 0 {
		return true
	}
	ids := make([]int64, len(links))
	for i, l := range links {
		ids[i] = l.id
		w.oldPages = append(w.oldPages, l.src, l.dst)
	}
	words := db.List(w.Work, db.ScanID, `DELETE FROM link_word WHERE link IN (SELECT value FROM json_each(?)) RETURNING word`, db.JSONList(ids))
	w.oldWords = append(w.oldWords, words...)
	w.left -= len(links) + len(words)
	w.Exec(`DELETE FROM link WHERE id IN (SELECT value FROM json_each(?))`, db.JSONList(ids))
	return len(links) < most
}

// move lets the links that end at an address end where it leads, and reports whether all do.
func (w *linkWriter) move(url string) (done bool) {
	id, _ := w.pageID(url)
	if id == 0 {
		return true
	}
	end := w.end(url)
	if end == url {
		return true
	}
	to := w.page(end)
	if !w.drop(`dst = ? AND src = `+fmt.Sprint(to), id) { // of the page to itself
		return false
	}
	w.oldPages = append(w.oldPages, id, to)
	most := max(1, w.piece())
	n := int(w.Change(`UPDATE link SET dst = ? WHERE id IN (SELECT id FROM link WHERE dst = ? LIMIT ?)`, to, id, most))
	w.left -= n
	return n < most
}

// prune deletes words and pages without links.
func (w *linkWriter) prune() {
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
		w.Exec(step.text, db.JSONList(db.Distinct(step.ids)))
	}
}
