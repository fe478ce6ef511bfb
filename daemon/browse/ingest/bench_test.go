package ingest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/cli/demo/client"
)

// BenchmarkAck sends b.N events at 200 per second, a third of them snapshots of 30 kB with 160 links. It reports how
// long the daemon takes to acknowledge them.
func BenchmarkAck(b *testing.B) {
	d := newDaemon(b)
	who := d.mustPair(b, browserUUID, chromeOrigin)
	var mu sync.Mutex
	sent, took := map[string]time.Time{}, []time.Duration{}
	c := d.mustConnect(b, who, client.Options{OnAck: func(ids []string) {
		mu.Lock()
		defer mu.Unlock()
		for _, id := range ids {
			took = append(took, time.Since(sent[id]))
		}
	}})
	m := maker(1, browserUUID)
	html := []byte(strings.Repeat("<p>goalkeepers stop pucks, forwards skate around them, and the crowd is cold but pleased with the game</p>", 280))
	for i := range 160 {
		html = fmt.Appendf(html, "<a href=/%d>link %d</a>", i, i)
	}
	events := []protocol.Event{m.Start("Hockey")}
	for len(events) < b.N+1 {
		v := m.Visit(fmt.Sprintf("http://ice.test/%d", len(events)), "", protocol.HowTyped, "")
		events = append(events, v, m.Snapshot(v.Page, fmt.Appendf(html, "%d", len(events))), m.Of(protocol.Useful, v.Page, ""))
	}
	ok(b, c.Send(b.Context(), events[0]))
	tick := time.NewTicker(time.Second / 200)
	defer tick.Stop()
	b.ResetTimer()
	for _, e := range events[1 : b.N+1] {
		<-tick.C
		mu.Lock()
		sent[e.ID] = time.Now()
		mu.Unlock()
		ok(b, c.Post(b.Context(), e))
	}
	for done := 0; done < b.N; time.Sleep(time.Millisecond) {
		mu.Lock()
		done = len(took) - 1
		mu.Unlock()
	}
	b.StopTimer()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}
