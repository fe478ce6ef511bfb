package kills

import (
	"testing"
	"time"
)

// away is how long TestSickCut cuts the network: longer than any fetch that began before, or meanwhile, goes on.
const away = 30 * time.Second

// TestSickCut takes a daemon that crawls alone off the network. The crawl goes on by itself and reads every page once. Only a page
// whose answer was on its way is asked for again, once, and one by which the crawl looks whether the network is back. What was asked
// for meanwhile, and given up, does not arrive afterwards.
func TestSickCut(t *testing.T) {
	needSick(t)
	m := newMachines(t, 1, farHosts)
	w := newWebAt(t, farHosts, 190, webAddr)
	w.takes = farTakes
	data := toCrawl(t, w)
	l := runIn(t, m.names[0], plan{}, append([]string{"serve", "--listen", "127.0.0.1:0", "--data", data}, w.flags()...)...)
	if !l.ready() {
		t.Fatalf("the program was killed by something else:\n%s", l.out)
	}
	fetched(t, data, 60)
	m.ip("link set %s down", m.cable(0))
	down := time.Now()
	time.Sleep(away)
	m.ip("link set %s up", m.cable(0))
	up := time.Now()
	waitCrawl(t, data)
	l.stop()
	t.Logf("the crawl ended %v after the network was back", time.Since(up).Round(time.Second))
	checkCrawl(t, data, w, w.mayAgain(t, down))
	w.polite(t, nil)
}

// mayAgain are the pages that may have been asked for twice around an outage that began then: those that were asked for just before,
// whose answers may be lost, and two of the others, by which the crawl looks whether the network is back.
func (w *web) mayAgain(t *testing.T, outage time.Time) map[string]bool {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	may, first := map[string]bool{}, map[string]time.Time{}
	lost, probes := 0, 0
	for _, r := range w.requests {
		url := "http://" + r.host + r.path
		before, ok := first[url]
		switch {
		case !ok:
			first[url] = r.at
		case outage.Sub(before) < 0 || hostFile(r.path):
		case outage.Sub(before) < time.Second:
			may[url] = true
			lost++
		case probes < 2:
			may[url] = true
			probes++
		}
	}
	t.Logf("asked for again: %d pages whose answers may be lost, %d others", lost, probes)
	return may
}
