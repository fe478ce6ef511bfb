package crawls

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// maxMissing is the largest size in bytes of a packed page for addresses that do not exist. Of a larger one only that it was
// asked for is stored.
const maxMissing = 256 << 10

// Robots returns the stored robots.txt of an origin, such as http://a.example.
func (m *HostMemory) Robots(ctx context.Context, origin string) (f fetch.RobotsFile, ok bool) {
	var read, keep int64
	var body []byte
	err := m.d.Readers.QueryRowContext(ctx, `SELECT read_at, keep_ms, body, outcome, reason FROM robots WHERE origin = ?`, origin).
		Scan(&read, &keep, &body, &f.Outcome, &f.Reason)
	if err != nil { // it is asked for again
		return f, false
	}
	if f.Body, err = store.Unpack(body); body != nil && err != nil {
		return f, false
	}
	f.Origin, f.Read, f.Keep = origin, time.UnixMilli(read).UTC(), time.Duration(keep)*time.Millisecond
	return f, true
}

// PutRobots stores the robots.txt of an origin whose host is open.
func (m *HostMemory) PutRobots(ctx context.Context, f fetch.RobotsFile) error {
	var body any
	if f.Outcome == "" {
		c, err := store.Packed(f.Body)
		if err != nil {
			return err
		}
		body = c.Gzip
	}
	host := weburl.Host(f.Origin)
	return m.write(ctx, func(w *db.Work) {
		w.Exec(`UPDATE hosts SET delay_ms = ? WHERE host = ?`, f.Delay.Milliseconds(), host)
		w.Exec(`INSERT OR REPLACE INTO robots (origin, host, read_at, keep_ms, body, outcome, reason)
			SELECT ?1, host, ?3, ?4, ?5, ?6, ?7 FROM hosts WHERE host = ?2`,
			f.Origin, host, db.Millis(f.Read), f.Keep.Milliseconds(), body, string(f.Outcome), f.Reason)
	})
}

// Probe returns the page that a host shows for an address that cannot exist, nil for none, and when it was asked for.
func (m *HostMemory) Probe(ctx context.Context, host string) (missing []byte, at time.Time, ok bool) {
	var body []byte
	err := m.d.Readers.QueryRowContext(ctx, `SELECT probed_at, missing FROM hosts WHERE host = ? AND probed_at > 0`, host).Scan(db.TimeOf(&at), &body)
	if err == nil && body != nil {
		missing, err = store.Unpack(body)
	}
	return missing, at, err == nil // after an error it is asked for again
}

// PutProbe stores the result of a probe of an open host.
func (m *HostMemory) PutProbe(ctx context.Context, host string, missing []byte, at time.Time) error {
	var body any
	if missing != nil {
		c, err := store.Packed(missing)
		if err != nil {
			return err
		}
		if len(c.Gzip) <= maxMissing {
			body = c.Gzip
		}
	}
	return m.write(ctx, func(w *db.Work) {
		w.Exec(`UPDATE hosts SET probed_at = ?, missing = ? WHERE host = ?`, db.Millis(at), body, host)
	})
}

// List returns what the sitemaps of a host list.
func (m *HostMemory) List(ctx context.Context, host string) (h fetch.HostList, ok bool) {
	var at sql.NullInt64
	var body []byte
	err := m.d.Readers.QueryRowContext(ctx, `SELECT at, list FROM lists WHERE host = ?`, host).Scan(&at, &body)
	if err == nil {
		if body, err = store.Unpack(body); err == nil {
			err = json.Unmarshal(body, &h)
		}
	}
	h.Host, h.At = host, db.Moment(at)
	return h, err == nil // after an error it is read again
}

// PutList stores what the sitemaps of an open host list.
func (m *HostMemory) PutList(ctx context.Context, h fetch.HostList) error {
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	c, err := store.Packed(text)
	if err != nil {
		return err
	}
	return m.write(ctx, func(w *db.Work) {
		w.Exec(`INSERT OR REPLACE INTO lists (host, at, list) SELECT host, ?2, ?3 FROM hosts WHERE host = ?1`,
			h.Host, db.Millis(h.At), c.Gzip)
	})
}
