package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"nightjar/crawler"
)

// snippetLength is how many runes of a page's text a find shows.
const snippetLength = 280

// putFind keeps a relevant page as a find when it is new to the person: not visited under any of its addresses, not
// found before for the topic or for one that it is made of, nor a copy of what was. It returns 0 when it is not.
func (j *Journal) putFind(ctx context.Context, tx *sql.Tx, fetchID int64, f *crawler.Fetch) (id int64, err error) {
	for _, u := range append([]string{f.FinalURL}, f.Done...) {
		visited, err := isVisited(ctx, tx, u)
		if err != nil || visited {
			return 0, err
		}
	}
	err = tx.QueryRowContext(ctx, `
		INSERT INTO finds (topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at, useful)
		SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?10
		WHERE NOT EXISTS (SELECT 1 FROM finds JOIN fetches ON fetches.id = fetch_id
			WHERE topic_id IN `+parts+` AND (finds.url = ?4 OR text_hash = ?9 AND text_hash <> 0))
		ON CONFLICT (topic_id, url) DO NOTHING
		RETURNING id`,
		j.topicID, j.crawlID, fetchID, f.FinalURL, f.Title, snippet(f.Page.Text, f.Title), number(f.Judgement.Similarity),
		millis(f.At), f.TextHash, number(f.Judgement.Useful)).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return id, err
}

// isVisited reports whether the person's own browsing knows the URL, as a page or as an alias of one.
func isVisited(ctx context.Context, tx *sql.Tx, url string) (bool, error) {
	var n int
	err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM pages WHERE url = ?1)
		OR EXISTS (SELECT 1 FROM visits WHERE requested = ?1 AND requested <> '')`, url).Scan(&n)
	return n != 0, err
}

// runningWords is from how many words on a line of a page's text is taken for writing and not for navigation.
const runningWords = 12

// snippet is what a page says first, cut between words: from its first line of running text on, or from its beginning
// when it has none. text has a line for each block of the page.
func snippet(text, title string) string {
	lines := strings.Split(text, "\n")
	if len(lines) > 0 && strings.Join(strings.Fields(title), " ") == lines[0] {
		lines = lines[1:]
	}
	start := slices.IndexFunc(lines, func(l string) bool { return len(strings.Fields(l)) >= runningWords })
	text = strings.Join(lines[max(start, 0):], " ")
	runes := []rune(text)
	if len(runes) <= snippetLength {
		return text
	}
	short := string(runes[:snippetLength])
	if space := strings.LastIndexByte(short, ' '); space > snippetLength/2 {
		short = short[:space]
	}
	return short + " …"
}
