package links

import (
	"context"
	"database/sql"

	"nightjar/crawler/weburl"
	"nightjar/daemon/db"
)

// Statements that store links.
const (
	insertLink     = `INSERT INTO link (src, dst, pos) VALUES (?, ?, ?)`
	insertLinkWord = `INSERT INTO link_word (link, word, n) VALUES (?, ?, ?)`
	insertLinkPage = `INSERT INTO link_page (url, site) VALUES (?, ?)`
	insertWord     = `INSERT INTO word (word) VALUES (?)`
)

// insert stores as many links of a page as a piece of the budget allows, and reports whether all are stored.
func (w *linkWriter) insert(j *linkJob) (done bool) {
	src := w.page(j.URL)
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
	ends := w.ends(part)
	w.addWords(part)
	for i, l := range part {
		if dst := w.pages[ends[i]]; dst != src {
			w.insertLink(src, dst, l)
		}
	}
	if j.done += len(part); j.done < len(j.Links) {
		return false
	}
	w.Exec(`UPDATE link_page SET hash = ? WHERE id = ?`, j.Hash, src)
	return true
}

// insertLink stores one link.
func (w *linkWriter) insertLink(src, dst int64, l Link) {
	id := w.run(insertLink, src, dst, l.Pos)
	for _, word := range l.Words {
		w.run(insertLinkWord, id, w.words[word.Word], word.N)
	}
}

// run inserts a row and returns its id.
func (w *linkWriter) run(text string, args ...any) (id int64) {
	if w.Err != nil {
		return 0
	}
	made, err := w.Q.ExecContext(w.Ctx, text, args...)
	if err == nil {
		id, err = made.LastInsertId()
	}
	w.Fail(err)
	return id
}

// ends returns where links end, and makes the pages there.
func (w *linkWriter) ends(links []Link) []string {
	urls := db.ListOf(links, func(l Link) string { return l.URL })
	moved := db.Mapped[string, string](w.Work, `SELECT url, next FROM (SELECT known.url AS url, `+linkNext+` AS next
		FROM (SELECT DISTINCT value AS url FROM json_each(?)) known) WHERE next IS NOT NULL`, db.JSONList(urls))
	for i, url := range urls {
		if moved[url] == "" {
			continue
		}
		urls[i] = w.end(url)
	}
	w.addPages(urls)
	return urls
}

// end is End in the transaction.
func (w *linkWriter) end(url string) (end string) {
	w.Do(func(ctx context.Context, tx *sql.Tx) (err error) {
		end, err = End(ctx, tx, url)
		return err
	})
	return end
}

// page returns the id of the page with an address, which it makes if there is none.
func (w *linkWriter) page(url string) int64 {
	w.addPages([]string{url})
	return w.pages[url]
}

// addPages makes the pages with addresses that have none, and puts the ids of all in w.pages.
func (w *linkWriter) addPages(urls []string) {
	w.add(w.pages, urls, `SELECT url, id FROM link_page WHERE url IN (SELECT value FROM json_each(?))`, insertLinkPage,
		func(url string) []any { return []any{url, weburl.Site(url)} })
}

// addWords makes the words of links that there are not yet, and puts the ids of all in w.words.
func (w *linkWriter) addWords(links []Link) {
	var words []string
	for _, l := range links {
		for _, word := range l.Words {
			words = append(words, word.Word)
		}
	}
	w.add(w.words, words, `SELECT word, id FROM word WHERE word IN (SELECT value FROM json_each(?))`, insertWord,
		func(word string) []any { return []any{word} })
}

// add puts the ids of the rows with keys into ids; find selects those that there are, insert makes the others.
func (w *linkWriter) add(ids map[string]int64, keys []string, find, insert string, row func(key string) []any) {
	var missing []string
	for _, key := range keys {
		if _, known := ids[key]; !known {
			ids[key] = 0
			missing = append(missing, key)
		}
	}
	if len(missing) == 0 {
		return
	}
	known := db.Mapped[string, int64](w.Work, find, db.JSONList(missing))
	for _, key := range missing {
		id, ok := known[key]
		if !ok {
			id = w.run(insert, row(key)...)
			w.left--
		}
		ids[key] = id
	}
}
