package sessions

import (
	"fmt"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/topics"
)

// TestTrainingLetsTheLogBegin: between two sessions that a training reads, the write-ahead log can be moved into the file and
// begin anew, so that it does not grow as long as the training reads.
func TestTrainingLetsTheLogBegin(t *testing.T) {
	s := open(t)
	var topic int64
	const sessions, pages = 3, 40
	for i := range sessions {
		m := maker(uint64(i + 1))
		mustIngest(t, s, m.Start("Hockey"))
		last := ""
		for j := range pages {
			v := m.Visit(fmt.Sprintf("http://ice.test/%d", j), "Ice", protocol.HowTyped, "")
			mustIngest(t, s, v, m.Snapshot(v.Page, fmt.Appendf(nil, "<title>Ice</title><p>page %d of %d", j, i)))
			last = v.Page
		}
		mustIngest(t, s, m.Of(protocol.Useful, last, ""), m.Event(protocol.Submit))
		one := must(topics.ByName(t.Context(), s.DB, "Hockey"))(t)
		topic = one.ID
	}
	read := 0
	err := eachSession(t.Context(), s.DB, topic, func(events []protocol.Event) {
		if read++; len(events) != 3+2*pages {
			t.Errorf("%d events of session %d, want %d", len(events), read, 3+2*pages)
		}
		var busy, frames, moved int
		if err := s.Writer.QueryRow("PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved); err != nil || busy != 0 {
			t.Errorf("after session %d the log is in use: %d, %v", read, busy, err)
		}
	})
	if err != nil || read != sessions {
		t.Errorf("%d sessions, %v", read, err)
	}
}
