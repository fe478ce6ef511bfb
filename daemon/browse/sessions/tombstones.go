package sessions

import (
	"crypto/sha256"
	"strings"
	"time"

	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// hostsKept is how long events about an erased site that are older than its erasing are recognised by their address. A browser
// that was away for longer may bring back what it never sent.
const hostsKept = 90 * 24 * time.Hour

// tombstone is the hash by which an erased id or host is recognised. It does not tell which it was.
func tombstone(of string) []byte {
	hash := sha256.Sum256([]byte(of))
	return hash[:16]
}

// bury notes ids of page loads and of events that are erased, so that they do not come back.
func bury(w *db.Work, ids ...string) {
	for _, id := range ids {
		w.Exec(`INSERT OR IGNORE INTO tombstones (hash, at) VALUES (?, 0)`, tombstone(id))
	}
}

// BuryHost notes that a host was erased at a time, and forgets for which hosts that was noted long ago.
func BuryHost(w *db.Work, now time.Time, host string) {
	w.Exec(`DELETE FROM tombstones WHERE at > 0 AND at < ?`, db.Millis(now.Add(-hostsKept)))
	w.Exec(`INSERT INTO tombstones (hash, at) VALUES (?, ?) ON CONFLICT (hash) DO UPDATE SET at = excluded.at`,
		tombstone(host), db.Millis(now))
}

// buried reports whether an event was erased, belongs to an erased page load, or was recorded of a site before that was erased.
func (b *batch) buried(e *session.Event) bool {
	for _, id := range []string{e.ID, e.Page} {
		if _, found := b.tombstone(id); found {
			return true
		}
	}
	for _, url := range []string{e.URL, e.Requested} {
		old := b.beforeErasing(url, e.At)
		if !old {
			continue
		}
		switch {
		case b.foreseen != nil:
		case e.Links() || e.Page == "":
			bury(b.Work, e.ID)
		default:
			b.forgetLoad(e.Page)
		}
		return true
	}
	return false
}

// tombstone returns the time of a tombstone.
func (b *batch) tombstone(of string) (at int64, found bool) {
	if of == "" {
		return 0, false
	}
	found = b.Row(`SELECT at FROM tombstones WHERE hash = ?`, tombstone(of)).Find(&at)
	return at, found
}

// beforeErasing reports whether a URL is on a host, or below one, that was erased at a time or later.
func (b *batch) beforeErasing(url string, at time.Time) bool {
	if url == "" {
		return false
	}
	canonical, err := weburl.Canonical(url)
	if err != nil {
		return false // it is refused for that
	}
	for host := strings.TrimSuffix(weburl.Host(canonical), "."); host != ""; {
		erased, found := b.tombstone(host)
		if found && db.Millis(at) <= erased {
			return true
		}
		_, below, ok := strings.Cut(host, ".")
		if host = below; !ok {
			host = ""
		}
	}
	return false
}

// forgetLoad deletes the events of a page load that came before the one which says where it was, and buries the load.
func (b *batch) forgetLoad(load string) {
	hashes := db.List(b.Work, db.ScanBytes, `DELETE FROM events WHERE page = ? RETURNING content_hash`, load)
	b.scrub = b.scrub || len(hashes) > 0
	store.DropContents(b.Work, hashes)
	bury(b.Work, load)
}
