package rescue

import (
	"bytes"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions/sessionstest"
	"nightjar/daemon/db"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// logState is the log of a store after one transaction.
type logState struct {
	log   []byte
	end   int  // of the last frame, in bytes; older frames may follow
	waits bool // the transaction had reached the disk when it returned
	acked int  // events that are stored
}

// writes records the log of a store that ingests events, which wait for the disk, and indexes pages, which does not. The log begins
// anew over older frames. db is the file, which does not change meanwhile.
func writes(t *testing.T) (db []byte, all []logState) {
	t.Helper()
	s, m, r := storetest.Open(t), sessiontest.New(11), rand.New(rand.NewPCG(5, 6))
	visit := func(n int) {
		noise := make([]byte, 100+r.IntN(1000))
		for i := range noise {
			noise[i] = byte(r.Uint32())
		}
		v := m.Visit(fmt.Sprintf("http://ice.test/%d", n), "A page", protocol.HowLink, "")
		sessionstest.Ingest(t, s, v, m.Snapshot(v.Page, fmt.Appendf(nil, "<p>%x", noise)))
	}
	sessionstest.Ingest(t, s, m.Start("Curling"))
	for n := range 12 {
		visit(n)
	}
	storetest.Must(s.Writer.Exec("PRAGMA wal_checkpoint(PASSIVE)"))(t)
	db = mustRead(t, s.Path())
	all = []logState{{log: mustRead(t, s.Path()+"-wal"), waits: true}}
	for n := 12; len(all) < 24; n++ {
		waits := len(all)%5 == 1 || r.IntN(8) == 0
		if waits {
			visit(n)
		} else {
			indexOne(t, s, n)
		}
		log, err := readLog(s.Path() + "-wal")
		if err != nil || !log.header {
			t.Fatal(log, err)
		}
		all = append(all, logState{mustRead(t, s.Path()+"-wal"), logHeaderSize + log.wrong*(frameHeader+pageSize), waits, storetest.Count(t, s, "SELECT count(*) FROM events")})
	}
	if now := mustRead(t, s.Path()); !bytes.Equal(now, db) {
		t.Fatal("the log was moved into the file meanwhile")
	}
	return db, all
}

// indexOne stores the words of one page that waits.
func indexOne(t *testing.T, s *store.Store, n int) {
	t.Helper()
	storetest.OK(t, s.WriteDerived(t.Context(), func(tx *sql.Tx) error {
		return db.Within(t.Context(), tx, func(w *db.Work) {
			url := db.Value[string](w, `DELETE FROM search_queue WHERE id = (SELECT max(id) FROM search_queue) RETURNING url`)
			id := db.Value[int64](w, `INSERT INTO search_entries (url, title, at, topic_id) VALUES (?, 'page', 1, 1) ON CONFLICT (url) DO UPDATE SET at = 2 RETURNING id`, url)
			w.Exec(`INSERT OR REPLACE INTO search_words (rowid, title, body) VALUES (?, 'page', ?)`, id, fmt.Sprintf("ice n%d", n))
		})
	}))
}

// waited is where the sectors end that had reached the disk when a transaction returned, or would have while it waits. SQLite writes
// the rest of the frame that it repeats after that.
func (w *logState) waited() int { return w.end / 4096 * 4096 }

// powerCut makes the log that a power cut leaves. The last transaction that had waited is whole; of what was written later, up to
// the next one that waits, each sector is there or not, or holds anything.
func powerCut(r *rand.Rand, all []logState) (log []byte, acked int) {
	last := 1 + r.IntN(len(all)-1)
	for !all[last].waits {
		last--
	}
	cut := last
	for n := r.IntN(8); n > 0 && cut+1 < len(all); n-- {
		if cut++; all[cut].waits {
			break
		}
	}
	end := all[cut].end
	if cut > last && all[cut].waits {
		end = all[cut].waited()
	}
	before, now := all[last-1].log, all[cut].log
	log = append(bytes.Clone(now[:all[last].waited()]), before[min(all[last].waited(), len(before)):]...)
	unit := []int{512, 4096, frameHeader + pageSize, 64 << 10}[r.IntN(4)]
	odds, junk := []float64{0.05, 0.5, 0.95}[r.IntN(3)], r.IntN(4) == 0
	for at := all[last].waited(); at < end; {
		to := min(end, (at/unit+1)*unit)
		if unit == frameHeader+pageSize {
			to = min(end, (at-logHeaderSize)/unit*unit+unit+logHeaderSize)
		}
		if r.Float64() >= odds {
			log = place(log, at, now[at:to])
		} else if junk && to <= len(log) {
			log[at+r.IntN(to-at)] ^= 0x55
		}
		at = to
	}
	return log, all[last].acked
}

// place writes a part of a file, which grows as needed, with zeros where nothing was written.
func place(file []byte, at int, part []byte) []byte {
	if missing := at + len(part) - len(file); missing > 0 {
		file = append(file, make([]byte, missing)...)
	}
	copy(file[at:], part)
	return file
}

// TestPowerCut cuts the power some hundred times. Nothing is called damage, all that was acknowledged is there, and the store goes on.
func TestPowerCut(t *testing.T) {
	effort.Long(t)
	db, all := writes(t)
	path := filepath.Join(t.TempDir(), "nightjar.db")
	notes := 0
	mustWrite(t, path, db)
	for seed := range uint64(240) {
		log, acked := powerCut(rand.New(rand.NewPCG(seed, 7)), all)
		_ = os.Remove(path + "-shm") // of the case before
		mustWrite(t, path+"-wal", log)
		faults, note, err := logFindings(path)
		if err != nil || len(faults) > 0 {
			t.Fatalf("case %d: %q, %v", seed, faults, err)
		}
		if note != "" {
			notes++
		}
		if seed%20 == 0 {
			mustGoOn(t, seed, path, note)
		}
		look := storetest.Must(store.Look(t.Context(), path))(t)
		if n := storetest.Count(t, look, "SELECT count(*) FROM events"); n < acked {
			t.Fatalf("case %d: %d events of %d that were acknowledged", seed, n, acked)
		}
		storetest.OK(t, look.Close())
		if seed%20 == 0 {
			mustWrite(t, path, db)
		}
	}
	if t.Logf("%d cases have a note", notes); notes < 50 {
		t.Errorf("only %d cases left transactions out", notes)
	}
}

func mustWrite(t *testing.T, path string, text []byte) {
	t.Helper()
	storetest.OK(t, os.WriteFile(path, text, 0o600))
}

// mustGoOn probes a database after a power cut, opens it, checks it and writes to it.
func mustGoOn(t *testing.T, seed uint64, path, note string) {
	t.Helper()
	if p, err := Probe(t.Context(), path); err != nil || len(p.Faults) > 0 || p.Note != note {
		t.Fatalf("case %d: %+v, %v; want the note %q", seed, p, err, note)
	}
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatalf("case %d: %v", seed, err)
	}
	defer s.Close()
	if err := s.Check(t.Context()); err != nil {
		t.Fatalf("case %d: %v", seed, err)
	}
	if err := s.SetSetting(t.Context(), "on", seed); err != nil {
		t.Fatalf("case %d: %v", seed, err)
	}
}

// TestLogDamage changes bytes all over a log. Before the end of a transaction that is known to have waited, that is damage; it is
// none in the frame that proves the last wait, and behind it.
func TestLogDamage(t *testing.T) {
	effort.Long(t)
	db, all := writes(t)
	last := len(all) - 1
	whole := all[last].log[:all[last].end]
	for !all[last].waits || last == len(all)-1 {
		last--
	}
	path := filepath.Join(t.TempDir(), "nightjar.db")
	mustWrite(t, path, db)
	r := rand.New(rand.NewPCG(8, 9))
	for at := 0; at < len(whole); at += 2000 + r.IntN(4000) {
		bad := bytes.Clone(whole)
		bad[at] ^= 1 << r.IntN(8)
		mustWrite(t, path+"-wal", bad)
		faults, note, err := logFindings(path)
		if known := at < all[last].end-2*(frameHeader+pageSize); err != nil || known != (len(faults) > 0) {
			t.Errorf("byte %d, before a known wait: %t: %q, %q, %v", at, known, faults, note, err)
		}
	}
}

// TestLogMoved: a log that was moved into the file whole holds nothing more. When its header is damaged, nothing is lost.
func TestLogMoved(t *testing.T) {
	db, all := writes(t)
	log := all[len(all)-1].log
	path := filepath.Join(t.TempDir(), "nightjar.db")
	mustWrite(t, path, db)
	mustWrite(t, path+"-wal", log)
	s := storetest.Must(store.Open(t.Context(), path))(t)
	defer s.Close()
	storetest.Must(s.Writer.Exec("PRAGMA wal_checkpoint(PASSIVE)"))(t)
	moved := mustRead(t, path)
	for _, at := range []int{0, 10, 17, 25, 40} {
		bad := bytes.Clone(log)
		bad[at] ^= 4
		copied := filepath.Join(t.TempDir(), "nightjar.db")
		mustWrite(t, copied, moved)
		mustWrite(t, copied+"-wal", bad)
		if p, err := Probe(t.Context(), copied); err != nil || len(p.Faults) > 0 || p.Note != "" {
			t.Errorf("byte %d, moved: %+v, %v", at, p, err)
		}
		mustWrite(t, copied, db)
		mustWrite(t, copied+"-wal", bad)
		if p, err := Probe(t.Context(), copied); err != nil || len(p.Faults) == 0 {
			t.Errorf("byte %d, not moved: %+v, %v", at, p, err)
		}
	}
}
