package explore

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// descriptionsAtOnce limits the descriptions stored in one transaction, so that other writers wait only briefly.
const descriptionsAtOnce = 1000

// PageDescription is what links say about a page of a grouping, as it is stored.
type PageDescription struct {
	Page int64  // its LinkPage
	Body string // JSON: explore.Description
}

// TermWord is a word that was mapped to a term.
type TermWord struct {
	Term, Word string // key of the term; the word
	Pages      int    // for which it was
}

// GroupingResult is what FinishGrouping stores.
type GroupingResult struct {
	Result       []byte // JSON: Result, as it is
	Descriptions []PageDescription
	TermWords    []TermWord
}

// FinishGrouping stores the result of a grouping in the place of the one before, and that it is done. It takes several
// transactions; the result comes last, so that a grouping whose storing was interrupted is still working and has its earlier
// result. Pages that are gone are left out.
//
// erasures is what Erasures gave before the grouping was read. The error is db.ErrErased when something was erased since, and
// ErrGroupingChanged when the grouping is not working as it was read.
func FinishGrouping(ctx context.Context, d *db.DB, g Grouping, erasures int64, r GroupingResult) error {
	result, err := store.Packed(r.Result)
	for part := range slices.Chunk(r.Descriptions, descriptionsAtOnce) {
		if err == nil {
			err = writeGrouping(ctx, d, g, erasures, func(w *db.Work) { putDescriptions(w, g.ID, part) })
		}
	}
	if err == nil {
		err = writeGrouping(ctx, d, g, erasures, func(w *db.Work) {
			pages := db.ListOf(r.Descriptions, func(one PageDescription) int64 { return one.Page })
			w.Exec(`DELETE FROM descriptions WHERE grouping_id = ? AND page_id NOT IN (SELECT value FROM json_each(?))`, g.ID, db.JSONList(pages))
			putTermWords(w, g.ID, r.TermWords)
			w.Exec(`UPDATE groupings SET result = ?, state = 'done', problem = '', ended_at = ? WHERE id = ?`, result.Gzip, db.Millis(d.Now()), g.ID)
		})
	}
	return db.Wrap(err, "store grouping %d", g.ID)
}

// writeGrouping runs f in a transaction if a grouping is working and nothing was erased.
func writeGrouping(ctx context.Context, d *db.DB, g Grouping, erasures int64, f func(*db.Work)) error {
	return d.Commit(ctx, func(w *db.Work) {
		if !w.Has(`SELECT EXISTS (SELECT 1 FROM groupings WHERE `+theGrouping+`)`, ofGrouping(g)...) {
			w.Fail(ErrGroupingChanged)
		}
		w.Unerased(d, erasures)
		f(w)
	})
}

func putDescriptions(w *db.Work, id int64, all []PageDescription) {
	for _, d := range all {
		w.Exec(`INSERT OR REPLACE INTO descriptions (grouping_id, page_id, body)
			SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM link_page WHERE id = ?2)`, id, d.Page, d.Body)
	}
}

func putTermWords(w *db.Work, id int64, all []TermWord) {
	w.Exec(`DELETE FROM term_words WHERE grouping_id = ?`, id)
	for _, t := range all {
		w.Exec(`INSERT INTO term_words (grouping_id, term, word, pages) SELECT ?, ?, id, ? FROM word WHERE word = ?`, id, t.Term, t.Pages, t.Word)
	}
}

// StoredResult returns the result that FinishGrouping stored, or ErrNotFound when the grouping has none.
func StoredResult(ctx context.Context, d *db.DB, id int64) ([]byte, error) {
	text, err := db.Found(db.ScanBytes(d.Readers.QueryRowContext(ctx, `SELECT result FROM groupings WHERE id = ? AND result IS NOT NULL`, id)))
	if err != nil {
		return nil, fmt.Errorf("read grouping %d: %w", id, err)
	}
	return store.Unpack(text)
}

// StoredDescription returns the stored description of a page in a grouping, or ErrNotFound.
func StoredDescription(ctx context.Context, d *db.DB, grouping, page int64) (string, error) {
	body, err := db.Found(db.ScanText(d.Readers.QueryRowContext(ctx, `SELECT body FROM descriptions WHERE grouping_id = ? AND page_id = ?`, grouping, page)))
	return body, db.Wrap(err, "read the description of page %d", page)
}

// EachDescription calls f for each stored description of a grouping, by ascending page, until f returns an error.
func EachDescription(ctx context.Context, d *db.DB, grouping int64, f func(PageDescription) error) error {
	err := db.Each(ctx, d.Readers, func(row db.Scanner) error {
		var one PageDescription
		if err := row.Scan(&one.Page, &one.Body); err != nil {
			return err
		}
		return f(one)
	}, `SELECT page_id, body FROM descriptions WHERE grouping_id = ? ORDER BY page_id`, grouping)
	return db.Wrap(err, "read the descriptions of grouping %d", grouping)
}

// WordsOfTerms lists the words that were mapped to terms of a grouping's ontology, given by key, in alphabetical order.
func WordsOfTerms(ctx context.Context, d *db.DB, grouping int64, keys []string) ([]string, error) {
	all, err := db.Query(ctx, d.Readers, db.ScanText, `SELECT DISTINCT word.word FROM term_words JOIN word ON word.id = term_words.word
		WHERE grouping_id = ? AND term IN (SELECT value FROM json_each(?)) ORDER BY word.word`, grouping, db.JSONList(keys))
	return all, db.Wrap(err, "list the words of terms")
}

// TermOfWord returns the key of the term that a word was mapped to for most pages of a grouping, "" if it was mapped to none.
func TermOfWord(ctx context.Context, d *db.DB, grouping int64, word string) (string, error) {
	key, err := db.Found(db.ScanText(d.Readers.QueryRowContext(ctx, `SELECT term FROM term_words WHERE grouping_id = ?
		AND word = (SELECT id FROM word WHERE word = ?) ORDER BY pages DESC, term LIMIT 1`, grouping, word)))
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return "", fmt.Errorf("look up the word %q: %w", word, err)
	}
	return key, nil
}

// GroupedLinksSince counts the links to pages of a grouping among those that were stored after a link, of which it looks at so
// many as most.
func GroupedLinksSince(ctx context.Context, d *db.DB, grouping, id int64, most int) (n int, err error) {
	return db.Single[int](ctx, d.Readers, `SELECT count(*) FROM (SELECT dst FROM link WHERE id > ? ORDER BY id LIMIT ?) new
		CROSS JOIN descriptions d ON d.grouping_id = ? AND d.page_id = new.dst`, id, most, grouping)
}
