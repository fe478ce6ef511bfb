package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/db"
)

// actionLink is the kind of the action that marks a fetched page Useful since the person said that a link to it looks so.
const actionLink = "link"

// maxLinkTries is how often crawls ask for the page of such a link before it is given up.
const maxLinkTries = 3

// standingLinks returns the links that look useful by what the submitted sessions of a topic and of its members say, in
// order, each once.
func standingLinks(ctx context.Context, q db.Queryer, topicID int64) ([]string, error) {
	bySession := map[int64][]session.Said{}
	var order []int64
	err := db.Each(ctx, q, func(row db.Scanner) error {
		var id int64
		var said session.Said
		err := row.Scan(&id, &said.Type, &said.URL)
		if bySession[id] == nil {
			order = append(order, id)
		}
		bySession[id] = append(bySession[id], said)
		return err
	}, `SELECT s.id, e.type, e.body ->> '$.url' FROM sessions s CROSS JOIN events e ON e.session_id = s.id
		WHERE s.topic_id IN `+TopicAndMembers+` AND s.status = 'submitted' AND `+linkEvents+` AND coalesce(e.body ->> '$.url', '') <> ''
		ORDER BY s.id, e.seq, e.id`, topicID)
	var urls []string
	for _, id := range order {
		for _, url := range session.StandingLinks(bySession[id]) {
			if !slices.Contains(urls, url) {
				urls = append(urls, url)
			}
		}
	}
	return urls, err
}

// linkDone reports whether a link (?2) needs no fetch for a topic (?1): its page was visited in a session of the topic or of
// its members, a crawl of the topic fetched it, or crawls tried often enough.
const linkDone = `SELECT EXISTS (SELECT 1 FROM pages p CROSS JOIN visits v ON v.page_id = p.id CROSS JOIN sessions s ON s.id = v.session_id
		WHERE p.url = ?2 AND s.topic_id IN ` + TopicAndMembers + `)
	OR EXISTS (SELECT 1 FROM visits v CROSS JOIN sessions s ON s.id = v.session_id WHERE v.requested = ?2 AND v.requested <> '' AND s.topic_id IN ` + TopicAndMembers + `)
	OR (SELECT coalesce(max(f.outcome = 'ok'), 0) OR count(*) >= ?3 FROM crawls c CROSS JOIN fetches f ON f.crawl_id = c.id AND f.url = ?2 WHERE c.topic_id = ?1)`

// PendingLinks lists the links that look useful and whose pages a crawl of the topic should fetch, at most limit. It leaves
// out links with secrets, links that do something, and hosts on the never-record list.
func (s *Store) PendingLinks(ctx context.Context, topicID int64, limit int) ([]string, error) {
	all, err := s.Settings(ctx)
	if err != nil {
		return nil, err
	}
	links, err := standingLinks(ctx, s.Readers, topicID)
	if err != nil {
		return nil, fmt.Errorf("list links of topic %d that look useful: %w", topicID, err)
	}
	var pending []string
	for _, url := range links {
		if len(pending) == limit || unfit(url, all.NeverRecord) != "" {
			continue
		}
		var done bool
		if err := s.Readers.QueryRowContext(ctx, linkDone, topicID, url, maxLinkTries).Scan(&done); err != nil {
			return nil, fmt.Errorf("look for the page of a link: %w", err)
		}
		if !done {
			pending = append(pending, url)
		}
	}
	return pending, nil
}

// unfit says why a link is never fetched, "" when it may be.
func unfit(url string, never []string) string {
	switch {
	case protocol.Never(never, url):
		return LinkNever
	case weburl.Secret(url):
		return LinkSecret
	case weburl.Action(url):
		return LinkActs
	}
	return ""
}

// putLinked makes the page of a link that looks useful a find that is marked Useful, unless the person marked it otherwise or
// took the link back since. It returns the id of a new find, 0 for none.
func (j *Journal) putLinked(ctx context.Context, tx *sql.Tx, fetchID int64, f *crawler.Fetch) (id int64, err error) {
	if f.Response.Outcome != fetch.OK || !slices.Contains(j.links, f.URL) {
		return 0, nil
	}
	links, err := standingLinks(ctx, tx, j.topicID)
	if err != nil || !slices.Contains(links, f.URL) {
		return 0, err
	}
	find, fresh, err := j.linkedFind(ctx, tx, fetchID, f)
	if err != nil || find.mark != MarkNone {
		return 0, err
	}
	err = db.Within(ctx, tx, func(w *db.Work) {
		setMark(w, j.s.Now(), &Acted{}, find, MarkUseful, "action_id", NewAction(w, j.s.Now(), actionLink, ""))
	})
	if !fresh {
		return 0, err
	}
	return find.id, err
}

// linkedFind returns the find of a fetched page, and makes one when there is none. A page that the person was only asked
// about is shown from now on.
func (j *Journal) linkedFind(ctx context.Context, tx *sql.Tx, fetchID int64, f *crawler.Fetch) (find marked, fresh bool, err error) {
	find.topic = j.topicID
	err = tx.QueryRowContext(ctx, "UPDATE finds SET asked = iif(mark = 'none', 0, asked) WHERE topic_id = ? AND url = ? RETURNING id, mark",
		j.topicID, f.FinalURL).Scan(&find.id, &find.mark)
	if !errors.Is(err, sql.ErrNoRows) {
		return find, false, err
	}
	return find, true, tx.QueryRowContext(ctx, `INSERT INTO finds (topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at, useful)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id, mark`, j.topicID, j.crawlID, fetchID, f.FinalURL, f.Title, f.Snippet(),
		number(f.Judgement.Similarity), db.Millis(f.At), number(f.Judgement.Useful)).Scan(&find.id, &find.mark)
}

// unmarkLinked takes back the marks that finds of a topic, and of combined topics that it is a member of, got since a link to
// them looked useful, once no submitted session of theirs says so any more.
func (s *Store) unmarkLinked(w *db.Work, topicID int64, url string) {
	type made struct{ action, topic int64 }
	all := db.List(w, func(row db.Scanner) (m made, err error) {
		return m, row.Scan(&m.action, &m.topic)
	}, `SELECT DISTINCT a.id, d.topic_id FROM fetches f CROSS JOIN finds d ON d.fetch_id = f.id CROSS JOIN feedback b ON b.find_id = d.id
		CROSS JOIN actions a ON a.id = b.action_id WHERE f.url = ?2 AND a.kind = 'link' AND a.undone_at IS NULL
		AND (d.topic_id = ?1 OR d.topic_id IN (SELECT topic_id FROM combined WHERE member_id = ?1))`, topicID, url)
	for _, m := range all {
		var links []string
		w.Do(func(ctx context.Context, tx *sql.Tx) (err error) {
			links, err = standingLinks(ctx, tx, m.topic)
			return err
		})
		if !slices.Contains(links, url) {
			UndoAction(w, s.Now(), m.action)
		}
	}
}
