package store

import (
	"context"
	"database/sql"
	"errors"

	"nightjar/daemon/session"
)

// topicSteps reads the useful pages of a topic's sessions and the loads on the ways to them: few of all loads. A load is
// taken once, so that ways in a circle end.
const topicSteps = `WITH RECURSIVE way(load) AS (
		SELECT v.load FROM sessions s CROSS JOIN visits v ON v.session_id = s.id
		CROSS JOIN marks m ON m.session_id = s.id AND m.page_id = v.page_id
		WHERE s.topic_id IN ` + parts + ` AND s.status <> 'discarded' AND m.useful = 1
		UNION SELECT v.from_load FROM way CROSS JOIN visits v ON v.load = way.load WHERE v.from_load <> '')
	SELECT v.load, v.from_load, v.how, p.url, coalesce(m.useful, 0)
	FROM way CROSS JOIN visits v ON v.load = way.load CROSS JOIN sessions s ON s.id = v.session_id CROSS JOIN pages p ON p.id = v.page_id
	LEFT JOIN marks m ON m.session_id = v.session_id AND m.page_id = v.page_id
	WHERE s.topic_id IN ` + parts + ` AND s.status <> 'discarded'`

// leadsMark reads a text that changes with every event of a topic's sessions, and how many of them still change, as while
// they are recorded.
const leadsMark = `SELECT coalesce(sum(s.pages IS NULL AND s.status <> 'discarded'), 0), coalesce(group_concat(s.id || ' ' || s.status || ' ' || coalesce(s.pages, '') || ' ' || coalesce(s.useful, '') || ' ' ||
		coalesce((SELECT max(seq) FROM events WHERE session_id = s.id AND client = s.client), '')), '')
	FROM sessions s WHERE s.topic_id IN ` + parts

// StartLeads counts, for each page of a topic's sessions and of its members', the useful pages that the person reached
// from it; see session.Leads. It keeps the counts until a session of them changes.
func (s *Store) StartLeads(ctx context.Context, topicID int64) (map[string]int, error) {
	led, err := keptLeads(ctx, s.r, topicID)
	if errors.Is(err, sql.ErrNoRows) {
		err = s.write(ctx, func(tx *sql.Tx) error { // so that nothing is erased between the two
			if led, err = countLeads(ctx, tx, topicID); err == nil {
				err = keepLeads(ctx, tx, topicID, led)
			}
			return err
		})
	}
	if Unwritable(err) { // they are counted each time until they can be kept
		led, err = countLeads(ctx, s.r, topicID)
	}
	return led, wrap(err, "count what the pages of topic %d led to", topicID)
}

// keptLeads returns the counts that were kept, or sql.ErrNoRows when there are none of this state of the sessions. What
// still changes is counted each time.
func keptLeads(ctx context.Context, q queryer, topicID int64) (led map[string]int, err error) {
	mark, changing, err := markLeads(ctx, q, topicID)
	if err != nil || changing {
		if err == nil {
			led, err = countLeads(ctx, q, topicID)
		}
		return led, err
	}
	err = q.QueryRowContext(ctx, `SELECT led FROM leads WHERE topic_id = ? AND mark = ?`, topicID, mark).Scan(jsonOf{&led})
	return led, err
}

func markLeads(ctx context.Context, q queryer, topicID int64) (mark string, changing bool, err error) {
	var n int
	err = q.QueryRowContext(ctx, leadsMark, topicID).Scan(&n, &mark)
	return mark, n > 0, err
}

func countLeads(ctx context.Context, q queryer, topicID int64) (map[string]int, error) {
	steps, err := query(ctx, q, func(row scanner) (session.Step, error) {
		var v session.Step
		return v, row.Scan(&v.Load, &v.From, &v.How, &v.URL, &v.Useful)
	}, topicSteps, topicID)
	return session.Leads(steps), err
}

// keepLeads keeps counts in place of earlier ones. It keeps none of sessions that still change, nor of a topic that was
// deleted meanwhile. A deleted visit or mark deletes all kept counts (triggers), since they hold addresses.
func keepLeads(ctx context.Context, tx *sql.Tx, topicID int64, led map[string]int) error {
	mark, changing, err := markLeads(ctx, tx, topicID)
	if err != nil || changing {
		return err
	}
	return execute(ctx, tx, `INSERT INTO leads (topic_id, mark, led) SELECT id, ?2, ?3 FROM topics WHERE id = ?1
		ON CONFLICT (topic_id) DO UPDATE SET mark = excluded.mark, led = excluded.led`, topicID, mark, jsonOf{led})
}
