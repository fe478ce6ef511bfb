package sessions

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/lab/effort"
)

// bytesRead is what this process has read from files so far, as the kernel counts it.
func bytesRead(t *testing.T) int {
	t.Helper()
	text := must(os.ReadFile("/proc/self/io"))(t)
	first, _, _ := strings.Cut(strings.TrimPrefix(string(text), "rchar: "), "\n")
	n, err := strconv.Atoi(first)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return n
}

// An event is stored with the same work whether 100 events are stored or 100,000: what is read from the file for it is a small part
// of the table. SQLite keeps some pages in memory, less than the table has.
func TestIngestReadsLittle(t *testing.T) {
	effort.Long(t)
	const stored, some = 100_000, 20
	s := open(t)
	storeEvents(t, s, stored)
	var size int
	if err := s.Readers.QueryRow("SELECT sum(pgsize) FROM dbstat WHERE name = 'events'").Scan(&size); err != nil {
		info, serr := os.Stat(s.Path())
		if serr != nil {
			t.Fatal(err, serr)
		}
		size = int(info.Size()) / 2
	}
	m := maker(1)
	mustIngest(t, s, m.Start("Hockey"))
	before := bytesRead(t)
	for i := range some {
		v := m.Visit(fmt.Sprintf("http://ice.test/%d", i), "", protocol.HowTyped, "")
		mustIngest(t, s, v, m.Snapshot(v.Page, []byte("<title>p</title>")), m.Of(protocol.Useful, v.Page, ""))
	}
	if each := (bytesRead(t) - before) / (3 * some); each > size/50 || size < 10<<20 {
		t.Errorf("%d bytes are read for an event, of a table of %d", each, size)
	}
}
