package erasing

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"nightjar/crawler/failpoint"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// unlinkedPage is a stored page without the links to a site.
type unlinkedPage struct {
	HTML    []byte
	Words   []string // in lower case, that went with the links and are not elsewhere on the page
	Snippet string   // what a find shows of the page now
}

// unlinks counts what unlinkContents did.
type unlinks struct {
	Looked     int // contents
	Changed    int
	Unreadable int     // that are damaged
	Topics     []int64 // whose models had learned from changed pages and were emptied
}

// unlinkedAtOnce is how many contents unlinkContents reads at a time.
const unlinkedAtOnce = 200

// unlinkContents looks through the next stored contents after a hash, nil for the first ones, and replaces those that unlink
// changes, with everything that was derived from them: they are indexed again, words that went are deleted from what finds show, and
// wings do the rest. unlink is called concurrently. It returns the last hash, nil after the last content. note, unless nil, runs in
// the same transaction.
func unlinkContents(ctx context.Context, d *db.DB, wings []Wing, after []byte, unlink func(html []byte) (unlinkedPage, bool),
	note func(w *db.Work, last []byte, n unlinks)) (last []byte, n unlinks, err error) {
	jobs, err := db.Query(ctx, d.Readers, func(row db.Scanner) (*unlinkJob, error) {
		var j unlinkJob
		return &j, row.Scan(&j.hash, &j.Packed)
	}, `SELECT hash, gzip FROM contents WHERE hash > ? ORDER BY hash LIMIT ?`, append([]byte{}, after...), unlinkedAtOnce)
	if err != nil {
		return nil, n, fmt.Errorf("look through stored pages: %w", err)
	}
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, j := range jobs {
		group.Go(func() error { return j.run(unlink) })
	}
	if err := group.Wait(); err != nil {
		return nil, n, fmt.Errorf("look through stored pages: %w", err)
	}
	n.Looked = len(jobs)
	if len(jobs) > 0 {
		last = jobs[len(jobs)-1].hash
	}
	jobs = slices.DeleteFunc(jobs, func(j *unlinkJob) bool {
		if j.damaged {
			n.Unreadable++
		}
		return j.content == nil
	})
	if n.Changed = len(jobs); n.Changed > 0 {
		defer d.Erasing()() // a training that read them before begins again
	}
	err = d.Commit(ctx, func(w *db.Work) {
		var urls []string
		for _, j := range jobs {
			urls = append(urls, replace(w, wings, j)...)
		}
		for _, wing := range wings {
			if wing.Empty != nil {
				n.Topics = append(n.Topics, wing.Empty(w, "", urls)...)
			}
		}
		if note != nil {
			note(w, last, n)
		}
	})
	if err != nil {
		return nil, n, fmt.Errorf("take a site out of stored pages: %w", err)
	}
	failpoint.Here("store.unlink.committed")
	return last, n, nil
}

// unlinkJob is one content.
type unlinkJob struct {
	hash, Packed []byte
	damaged      bool
	content      *store.Content // nil when nothing changes
	unlinkedPage
}

func (j *unlinkJob) run(unlink func([]byte) (unlinkedPage, bool)) error {
	html, err := store.Unpack(j.Packed)
	if err != nil {
		j.damaged = true
		return nil
	}
	u, changed := unlink(html)
	if !changed {
		return nil
	}
	j.unlinkedPage = u
	j.content, err = store.Packed(u.HTML)
	return err
}

// Unlinked is a stored page that lost its links to a site.
type Unlinked struct {
	URLs    []string // of visits, fetches and pages of documents that have it
	Fetches []int64
	Words   []string // in lower case, that went with the links and are not elsewhere on the page
}

// replace replaces a content wherever it is referred to, unless it was erased since it was read, and returns the addresses.
func replace(w *db.Work, wings []Wing, j *unlinkJob) (urls []string) {
	if !w.Has(`SELECT EXISTS (SELECT 1 FROM contents WHERE hash = ?)`, j.hash) {
		return nil
	}
	page := Unlinked{Words: j.Words}
	w.Exec(store.InsertContent, j.content.Hash[:], j.content.Gzip)
	page.URLs = db.List(w, db.ScanText, `SELECT url FROM pages WHERE content_hash = ?1
		UNION SELECT final_url FROM fetches WHERE content_hash = ?1 UNION SELECT final_url FROM document_pages WHERE content_hash = ?1`, j.hash)
	page.Fetches = db.List(w, db.ScanID, `SELECT id FROM fetches WHERE content_hash = ?`, j.hash)
	for _, url := range page.URLs {
		requeue(w, url)
	}
	for _, table := range []string{"events", "fetches", "document_pages", "pages"} { // the last one is when others are looked at
		w.Exec(`UPDATE `+table+` SET content_hash = ? WHERE content_hash = ?`, j.content.Hash[:], j.hash)
	}
	for _, id := range page.Fetches {
		derived(w, id, j)
	}
	w.Exec(`DELETE FROM contents WHERE hash = ?`, j.hash)
	w.Exec(`DELETE FROM leads`)
	for _, wing := range wings {
		if wing.Unlinked != nil {
			wing.Unlinked(w, page)
		}
	}
	return page.URLs
}

// requeue deletes the words of a page from the search index, which reads it again.
func requeue(w *db.Work, url string) {
	for _, text := range []string{
		`UPDATE search_state SET deleted = deleted + 1 WHERE id = 1 AND EXISTS (SELECT 1 FROM search_entries WHERE url = ?)`,
		`DELETE FROM search_words WHERE rowid = (SELECT id FROM search_entries WHERE url = ?)`,
		`DELETE FROM search_entries WHERE url = ?`,
		`DELETE FROM search_queue WHERE url = ?`,
		`INSERT INTO search_queue (url) VALUES (?)`,
	} {
		w.Exec(text, url)
	}
}

// derived deletes what was derived from words of a fetched page that went. What crawls that have not ended keep is not looked at:
// they must be stopped before.
func derived(w *db.Work, fetch int64, j *unlinkJob) {
	const has = ` EXISTS (SELECT 1 FROM json_each(?2) w WHERE instr(lower(%s), w.value) > 0)`
	for _, text := range []string{
		`UPDATE finds SET snippet = ?3 WHERE fetch_id = ?1 AND` + fmt.Sprintf(has, "snippet"),
		`DELETE FROM reasons WHERE find_id IN (SELECT id FROM finds WHERE fetch_id = ?1) AND ?3 = ?3 AND` + fmt.Sprintf(has, "words || ' ' || passage"),
		`UPDATE fetches SET evidence = '[]', signs = '[]' WHERE id = ?1 AND ?3 = ?3 AND` + fmt.Sprintf(has, "evidence || signs"),
		`UPDATE fetches SET why = '[]' WHERE parent_id = ?1 AND ?3 = ?3 AND` + fmt.Sprintf(has, "why"),
	} {
		w.Exec(text, fetch, db.JSONList(j.Words), j.Snippet)
	}
}
