package scheduler

import (
	"fmt"
	"testing"

	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store/settings"
	"nightjar/daemon/store/storetest"
)

// TestFullDisk: a crawl that cannot commit waits until it can, however often it fails, and then fetches everything.
func TestFullDisk(t *testing.T) {
	w := mustWorld(t, evening)
	w.mustSettings(t, func(*settings.Settings) {})
	topic := w.mustTopic(t, "hockey")
	s, err := New(w.st, &w.bus, Options{})
	if err != nil {
		t.Fatal(err)
	}
	id := w.mustRunNow(t, s, topic)
	full := fmt.Errorf("crawl: %w", storetest.Full(t))
	for range 2 * maxFailed {
		s.fail(t.Context(), s.all()[0], full)
	}
	if c := w.mustCrawl(t, id); c.Status == crawls.Ended || c.Paused != "the disk is full" {
		t.Fatalf("%s, %q, waits: %q", c.Status, c.StopReason, c.Paused)
	}
	w.start(t, Options{}) // takes it up
	if c := w.mustEnd(t, topic, 1); c.StopReason != "no links left" || c.Totals.Fetched != 31 || c.Paused != "" {
		t.Errorf("%q, %d pages", c.StopReason, c.Totals.Fetched)
	}
}
