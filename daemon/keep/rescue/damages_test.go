package rescue

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions/sessionstest"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/crawls/crawlstest"
	"nightjar/daemon/store/storetest"
)

// fullDatabase makes a database with sessions, contents, a crawl and a model. whole is the file without a log; db and wal are
// as a killed process leaves them, later: the newest data is only in the write-ahead log.
func fullDatabase(tb testing.TB) (whole, db, wal []byte) {
	tb.Helper()
	s, _ := crawlstest.Open(tb, crawls.Options{Starts: []string{"http://a.test/"}})
	m := sessiontest.New(7)
	events := []protocol.Event{m.Start("Curling")}
	for i := range 60 {
		v := m.Visit(fmt.Sprintf("http://ice.test/%d", i), "A page", protocol.HowLink, "")
		noise := make([]byte, 3000)
		rand.NewChaCha8([32]byte{byte(i)}).Read(noise) // does not fail
		events = append(events, v, m.Snapshot(v.Page, fmt.Appendf(nil, "<p>stones %x", noise)), m.Of(protocol.Useful, v.Page, ""))
	}
	for _, e := range events {
		sessionstest.Ingest(tb, s, e)
	}
	// Pages on the freelist: a setting that is stored and deleted. Without secure_delete they would keep their bytes.
	storetest.OK(tb, s.SetSetting(tb.Context(), "large", strings.Repeat("x", 40_000)))
	storetest.Must(s.Writer.Exec("DELETE FROM settings WHERE key = 'large'"))(tb)
	storetest.OK(tb, s.Checkpoint(tb.Context()))
	whole = mustRead(tb, s.Path())
	for i := range 12 {
		sessionstest.Ingest(tb, s, m.Visit(fmt.Sprintf("http://ice.test/late/%d", i), "Late", protocol.HowLink, ""))
	}
	db, wal = mustRead(tb, s.Path()), mustRead(tb, s.Path()+"-wal")
	if len(db) < 50*4096 || len(wal) < 12*4096 {
		tb.Fatalf("the database has %d bytes, its log %d", len(db), len(wal))
	}
	return whole, db, wal
}

// damage is one way to damage a database.
type damage struct {
	name       string
	structural bool // SQLite's structures are hit, or the log before other transactions; else a value within a row
	db, wal    []byte
}

// pageKinds sorts the pages of a database file by kind.
func pageKinds(db []byte) map[string][]int {
	kinds := map[string][]int{}
	trunk := binary.BigEndian.Uint32(db[32:])
	for n := 1; n <= len(db)/4096; n++ {
		first := db[(n-1)*4096]
		if n == 1 {
			first = db[100]
		}
		name := map[byte]string{2: "index", 5: "interior", 10: "index leaf", 13: "leaf"}[first]
		if uint32(n) == trunk {
			name = "freelist"
		}
		kinds[name] = append(kinds[name], n)
	}
	return kinds
}

// damages lists the ways in which the test damages a database. The places of structures are computed from the file format:
// the header of a page, its cell pointers, the trunk of the freelist.
//
// The file is damaged without a log beside it: SQLite reads a page that is in the log from there, and later overwrites the
// damaged one.
func damages(db []byte) (all []damage) {
	r := rand.New(rand.NewPCG(1, 2))
	flip := func(name string, structural bool, at int) {
		b := bytes.Clone(db)
		b[at] ^= 1 << r.IntN(8)
		all = append(all, damage{fmt.Sprintf("%s, byte %d", name, at), structural, b, nil})
	}
	for _, at := range []int{0, 7, 15, 16, 17, 18, 19, 20, 21, 22, 23, 44, 47, 52, 55, 59, 64, 67, 72, 80, 91} {
		flip("header", true, at)
	}
	for kind, pages := range pageKinds(db) {
		for range 8 {
			start := (pages[r.IntN(len(pages))] - 1) * 4096
			switch header := start; kind {
			case "interior", "leaf", "index", "index leaf":
				if start == 0 {
					header = 100
				}
				flip(kind+": kind of the page", true, header)
				flip(kind+": number of cells", true, header+4)
				cells := int(binary.BigEndian.Uint16(db[header+3:]))
				if pointers := header + 8; cells > 0 && db[header] > 5 {
					flip(kind+": pointer to a cell", true, pointers+2*r.IntN(cells))
				}
			case "freelist":
				flip(kind, true, start+4+r.IntN(4))
			}
			flip(kind+": anywhere", false, start+r.IntN(4096))
		}
	}
	for range 24 {
		cut := 1 + r.IntN(len(db)-1)
		all = append(all, damage{fmt.Sprintf("cut at %d", cut), true, db[:cut], nil})
	}
	used := append(pageKinds(db)["leaf"], pageKinds(db)["interior"]...)
	for range 8 {
		a, c := used[r.IntN(len(used))]-1, used[r.IntN(len(used))]-1
		zero, swapped := bytes.Clone(db), bytes.Clone(db)
		clear(zero[a*4096 : (a+1)*4096])
		all = append(all, damage{fmt.Sprintf("page %d of zeros", a+1), true, zero, nil})
		copy(swapped[a*4096:(a+1)*4096], db[c*4096:])
		copy(swapped[c*4096:(c+1)*4096], db[a*4096:])
		if a != c {
			all = append(all, damage{fmt.Sprintf("pages %d and %d swapped", a+1, c+1), true, swapped, nil})
		}
	}
	return append(all,
		damage{"a text", true, []byte("my notes\n" + strings.Repeat("about ice ", 3000)), nil},
		damage{"zeros", true, make([]byte, 8192), nil}, damage{"short", true, db[:50], nil})
}

// logDamages lists the ways in which the test damages a write-ahead log.
func logDamages(db, wal []byte) (all []damage) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		b := bytes.Clone(wal)
		at := r.IntN(len(wal) / 2) // not in the last transaction, which a power cut may leave incomplete
		b[at] ^= 0x20
		all = append(all, damage{fmt.Sprintf("log, byte %d", at), true, db, b})
	}
	return append(all, damage{"log cut", false, db, wal[:len(wal)/2]}, damage{"log deleted", false, db, nil})
}
