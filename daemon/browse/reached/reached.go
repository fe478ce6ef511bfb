// Package reached counts the useful pages that the person reached from each page.
package reached

import (
	"context"

	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
)

// topicSteps reads the useful pages of a topic's sessions and the loads on the ways to them: few of all loads. A load is
// taken once, so that ways in a circle end.
const topicSteps = `WITH RECURSIVE way(load) AS (
		SELECT v.load FROM sessions s CROSS JOIN visits v ON v.session_id = s.id
		CROSS JOIN marks m ON m.session_id = s.id AND m.page_id = v.page_id
		WHERE s.topic_id IN ` + topics.WithMembers + ` AND s.status <> 'discarded' AND m.useful = 1
		UNION SELECT v.from_load FROM way CROSS JOIN visits v ON v.load = way.load WHERE v.from_load <> '')
	SELECT v.load, v.from_load, v.how, p.url, coalesce(m.useful, 0)
	FROM way CROSS JOIN visits v ON v.load = way.load CROSS JOIN sessions s ON s.id = v.session_id CROSS JOIN pages p ON p.id = v.page_id
	LEFT JOIN marks m ON m.session_id = v.session_id AND m.page_id = v.page_id
	WHERE s.topic_id IN ` + topics.WithMembers + ` AND s.status <> 'discarded'`

// leadsMark reads a text that changes with every event of a topic's sessions, and how many of them still change, as while
// they are recorded.
const leadsMark = `SELECT coalesce(sum(s.pages IS NULL AND s.status <> 'discarded'), 0), coalesce(group_concat(s.id || ' ' || s.status || ' ' || coalesce(s.pages, '') || ' ' || coalesce(s.useful, '') || ' ' ||
		coalesce((SELECT max(seq) FROM events WHERE session_id = s.id AND client = s.client), '')), '')
	FROM sessions s WHERE s.topic_id IN ` + topics.WithMembers

// From counts, for each page of a topic's sessions and of its members', the useful pages that the person reached
// from it; see session.Leads. It keeps the counts until a session of them changes.
func From(ctx context.Context, d *db.DB, topicID int64) (map[string]int, error) {
	r := d.Reads(ctx)
	led, kept := kept(r, topicID)
	err := r.Err
	if err == nil && !kept {
		err = d.Commit(ctx, func(w *db.Work) { // so that nothing is erased between the two
			led = Count(w, topicID)
			keep(w, topicID, led)
		})
	}
	if db.Unwritable(err) { // they are counted each time until they can be kept
		r = d.Reads(ctx)
		led, err = Count(r, topicID), r.Err
	}
	return led, db.Wrap(err, "count what the pages of topic %d led to", topicID)
}

// kept returns the counts that were kept, if there are any of this state of the sessions. What still changes is counted each
// time.
func kept(w *db.Work, topicID int64) (led map[string]int, kept bool) {
	mark, changing := state(w, topicID)
	if changing {
		return Count(w, topicID), true
	}
	kept = w.Row(`SELECT led FROM leads WHERE topic_id = ? AND mark = ?`, topicID, mark).Find(db.JSONOf(&led))
	return led, kept
}

func state(w *db.Work, topicID int64) (mark string, changing bool) {
	var n int
	w.Row(leadsMark, topicID).Read(&n, &mark)
	return mark, n > 0
}

func Count(w *db.Work, topicID int64) map[string]int {
	steps := db.List(w, func(row db.Scanner) (session.Step, error) {
		var v session.Step
		return v, row.Scan(&v.Load, &v.From, &v.How, &v.URL, &v.Useful)
	}, topicSteps, topicID)
	return session.Leads(steps)
}

// keep keeps counts in place of earlier ones. It keeps none of sessions that still change, nor of a topic that was
// deleted meanwhile. A deleted visit or mark deletes all kept counts (triggers), since they hold addresses.
func keep(w *db.Work, topicID int64, led map[string]int) {
	mark, changing := state(w, topicID)
	if changing {
		return
	}
	w.Exec(`INSERT INTO leads (topic_id, mark, led) SELECT id, ?2, ?3 FROM topics WHERE id = ?1
		ON CONFLICT (topic_id) DO UPDATE SET mark = excluded.mark, led = excluded.led`, topicID, mark, db.JSONOf(led))
}
