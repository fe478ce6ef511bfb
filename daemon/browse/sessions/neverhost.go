package sessions

import (
	"context"
	"fmt"
	"slices"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// NeverRecordHost puts a host on the never-record list, and deletes what a session of a browser, and the sessions recorded
// together with it, have of it as long as they are open: page loads with their snapshots and marks, and what was said of
// links to it. uuid may be "" for no session. It returns the number of deleted page loads, without frames. The error is
// settings' if host is not a valid host name.
func NeverRecordHost(ctx context.Context, d *db.DB, client, uuid, host string) (loads int, err error) {
	defer d.Erasing()()
	err = d.Commit(ctx, func(w *db.Work) {
		neverRecord(d, w, host)
		open := db.List(w, scanOpen, openTogether, uuid, client)
		b := newBatch(d, w)
		for _, of := range open {
			loads += b.withholdHost(of, host)
		}
	})
	if err != nil {
		return 0, fmt.Errorf("never record %s: %w", host, err)
	}
	if loads > 0 {
		err = d.ScrubSoon(ctx)
	}
	return loads, err
}

// neverRecord adds a host to the never-record list, unless the list covers it.
func neverRecord(d *db.DB, w *db.Work, host string) {
	was := store.ReadSettings(w)
	now := was
	now.NeverRecord = append(slices.Clone(was.NeverRecord), host)
	now = now.Normal()
	if err := now.Validate(); err != nil {
		w.Fail(err)
		return
	}
	if protocol.Never(was.NeverRecord, "http://"+host+"/") {
		return
	}
	store.PutSettings(w, d.Now(), now)
}

// openTogether finds the open sessions that are recorded together with a session (?1) of a browser (?2), and that one.
const openTogether = `WITH own AS (SELECT iif(joins <> '', joins, uuid) AS first FROM sessions WHERE uuid = ?1 AND client = ?2)
	SELECT s.id, s.topic_id, s.client, s.status, s.problem FROM own JOIN sessions s ON s.uuid = own.first OR s.joins = own.first
	WHERE s.status IN ('recording', 'paused') ORDER BY s.id`

func scanOpen(row db.Scanner) (s openSession, err error) {
	return s, row.Scan(&s.id, &s.topic, &s.client, &s.status, &s.problem)
}

// withholdHost withholds the page loads of a host in a session, and deletes what was said of links to it.
func (b *batch) withholdHost(of openSession, host string) (loads int) {
	type visit struct {
		load, url, requested string
		frame                bool
	}
	visits := db.List(b.Work, func(row db.Scanner) (v visit, err error) {
		return v, row.Scan(&v.load, &v.url, &v.requested, &v.frame)
	}, `SELECT v.load, p.url, v.requested, v.how IN ('frame', 'iframe') FROM visits v JOIN pages p ON p.id = v.page_id WHERE v.session_id = ?`, of.id)
	for _, v := range visits {
		if !store.OnHost(v.url, host) && !store.OnHost(v.requested, host) {
			continue
		}
		b.withhold(of, v.load, protocol.NeverRecord)
		if !v.frame {
			loads++
		}
	}
	links := markedLinkTraces(b.Work, host)
	for _, l := range links {
		if l.session == of.id {
			b.Exec("DELETE FROM events WHERE id = ?", l.id)
		}
	}
	return loads
}
