package store

import (
	"context"

	"nightjar/crawler/weburl"
)

// Statements that store links.
const (
	insertLink     = `INSERT INTO link (src, dst, pos) VALUES (?, ?, ?)`
	insertLinkWord = `INSERT INTO link_word (link, word, n) VALUES (?, ?, ?)`
	insertLinkPage = `INSERT INTO link_page (url, site) VALUES (?, ?)`
	insertWord     = `INSERT INTO word (word) VALUES (?)`
)

// insert stores as many links of a page as a piece of the budget allows, and reports whether all are stored.
func (w *linkWriter) insert(ctx context.Context, j *linkJob) (done bool, err error) {
	src, err := w.page(ctx, j.URL)
	if err != nil {
		return false, err
	}
	w.oldPages = append(w.oldPages, src) // it goes if it has no link
	part, piece := j.Links[j.done:], w.piece()
	for i, l := range part {
		if i > 0 && piece <= 0 {
			part = part[:i]
			break
		}
		w.left -= 1 + len(l.Words)
		piece -= 1 + len(l.Words)
	}
	ends, err := w.ends(ctx, part)
	if err != nil {
		return false, err
	}
	if err := w.addWords(ctx, part); err != nil {
		return false, err
	}
	for i, l := range part {
		if dst := w.pages[ends[i]]; dst != src {
			if err := w.insertLink(ctx, src, dst, l); err != nil {
				return false, err
			}
		}
	}
	if j.done += len(part); j.done < len(j.Links) {
		return false, nil
	}
	_, err = w.tx.ExecContext(ctx, `UPDATE link_page SET hash = ? WHERE id = ?`, j.Hash, src)
	return true, err
}

// insertLink stores one link.
func (w *linkWriter) insertLink(ctx context.Context, src, dst int64, l Link) error {
	id, err := w.run(ctx, insertLink, src, dst, l.Pos)
	if err != nil {
		return err
	}
	for _, word := range l.Words {
		if _, err := w.run(ctx, insertLinkWord, id, w.words[word.Word], word.N); err != nil {
			return err
		}
	}
	return nil
}

// run inserts a row and returns its id.
func (w *linkWriter) run(ctx context.Context, text string, args ...any) (int64, error) {
	stmt, err := w.stmt(ctx, text)
	if err != nil {
		return 0, err
	}
	made, err := stmt.ExecContext(ctx, args...)
	if err != nil {
		return 0, err
	}
	return made.LastInsertId()
}

// ends returns where links end, and makes the pages there.
func (w *linkWriter) ends(ctx context.Context, links []Link) ([]string, error) {
	urls := listOf(links, func(l Link) string { return l.URL })
	moved, err := pairs[string, string](ctx, w.tx, `SELECT url, next FROM (SELECT known.url AS url, `+linkNext+` AS next
		FROM (SELECT DISTINCT value AS url FROM json_each(?)) known) WHERE next IS NOT NULL`, jsonList(urls))
	if err != nil {
		return nil, err
	}
	for i, url := range urls {
		if moved[url] == "" {
			continue
		}
		if urls[i], err = linkEnd(ctx, w.tx, url); err != nil {
			return nil, err
		}
	}
	return urls, w.addPages(ctx, urls)
}

// page returns the id of the page with an address, which it makes if there is none.
func (w *linkWriter) page(ctx context.Context, url string) (int64, error) {
	if err := w.addPages(ctx, []string{url}); err != nil {
		return 0, err
	}
	return w.pages[url], nil
}

// addPages makes the pages with addresses that have none, and puts the ids of all in w.pages.
func (w *linkWriter) addPages(ctx context.Context, urls []string) error {
	return w.add(ctx, w.pages, urls, `SELECT url, id FROM link_page WHERE url IN (SELECT value FROM json_each(?))`, insertLinkPage,
		func(url string) []any { return []any{url, weburl.Site(url)} })
}

// addWords makes the words of links that there are not yet, and puts the ids of all in w.words.
func (w *linkWriter) addWords(ctx context.Context, links []Link) error {
	var words []string
	for _, l := range links {
		for _, word := range l.Words {
			words = append(words, word.Word)
		}
	}
	return w.add(ctx, w.words, words, `SELECT word, id FROM word WHERE word IN (SELECT value FROM json_each(?))`, insertWord,
		func(word string) []any { return []any{word} })
}

// add puts the ids of the rows with keys into ids; find selects those that there are, insert makes the others.
func (w *linkWriter) add(ctx context.Context, ids map[string]int64, keys []string, find, insert string, row func(key string) []any) error {
	var missing []string
	for _, key := range keys {
		if _, known := ids[key]; !known {
			ids[key] = 0
			missing = append(missing, key)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	known, err := pairs[string, int64](ctx, w.tx, find, jsonList(missing))
	if err != nil {
		return err
	}
	for _, key := range missing {
		id, ok := known[key]
		if !ok {
			if id, err = w.run(ctx, insert, row(key)...); err != nil {
				return err
			}
			w.left--
		}
		ids[key] = id
	}
	return nil
}
