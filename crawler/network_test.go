package crawler

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
)

// noted collects the decisions of a network.
type noted struct{ all []string }

func (n *noted) assessHost(r fetched)                { n.all = append(n.all, "judge "+r.entry.URL) }
func (n *noted) putBack(r fetched, _ frontier.Entry) { n.all = append(n.all, "back "+r.entry.URL) }
func (n *noted) undo(f *Fetch)                       { n.all = append(n.all, "undo "+f.URL) }

func (n *noted) take() []string {
	all := n.all
	n.all = nil
	return all
}

func newTestNetwork(t *testing.T) (*network, *noted, *[]string) {
	t.Helper()
	o := Options{Live: true, Workers: 1}
	var pauses []string
	o.OnPause = func(why string) { pauses = append(pauses, why) }
	h := newTestHosts(o)
	h.frontier.Add(frontier.Entry{URL: "http://other.test/", Host: "other.test"}) // of another host
	n := &noted{}
	c := &Crawl{o: o, hosts: h, meter: h.meter, flights: newFlights(anytime{}, &o)}
	return newNetwork(c, anytime{}, n), n, &pauses
}

func unanswered(host, page int) fetched {
	url := fmt.Sprintf("http://h%d.test/%d", host, page)
	return fetched{
		entry:    frontier.Entry{URL: url, Host: fmt.Sprintf("h%d.test", host)},
		response: fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Network, Reason: "no route to host"},
	}
}

// TestNetworkDoubt: ten attempts in a row without an answer, at three hosts, make the network suspect an outage. It then
// probes a page that was read before. If that is answered, the hosts failed; if not, all attempts are put back.
func TestNetworkDoubt(t *testing.T) {
	for _, there := range []bool{true, false} {
		n, decided, pauses := newTestNetwork(t)
		n.restore([]PastStep{{N: 1, URL: "http://known.test/"}})
		var judged, back []string
		for i := range silentMany {
			r := unanswered(i%silentHosts, i)
			judged, back = append(judged, "judge "+r.entry.URL), append(back, "back "+r.entry.URL)
			if n.checks() {
				t.Fatalf("doubts after %d attempts", i)
			}
			n.hear(r)
		}
		if all := decided.take(); len(all) != 0 || !n.checks() || n.settled() {
			t.Fatalf("decided %v before the network was looked for", all)
		}
		url, link, wait := n.probe()
		if url != "http://known.test/" || link || wait != 0 {
			t.Fatalf("probe: %q, %v, %v", url, link, wait)
		}
		r := *answered(url, 200)
		if !there {
			r = unanswered(9, 9)
		}
		n.probed(r)
		switch all := decided.take(); {
		case there && (!slices.Equal(all, judged) || n.waits() || len(*pauses) != 0):
			t.Errorf("the network is there: %v, pauses %q", all, *pauses)
		case !there && (!slices.Equal(all, back) || !n.waits() || len(*pauses) != 1):
			t.Errorf("the network is away: %v, pauses %q", all, *pauses)
		}
	}
}

// TestNetworkProbes: while a crawl waits, it requests a known page and a link, less and less often.
func TestNetworkProbes(t *testing.T) {
	n, decided, pauses := newTestNetwork(t)
	for i := range silentMany {
		n.hear(unanswered(i%silentHosts, i))
	}
	if url, link, wait := n.probe(); url != "" || link || wait != probeFirst || !n.waits() {
		t.Fatalf("without a page that was read before: %q, %v, %v", url, link, wait)
	}
	decided.take()
	for _, want := range []time.Duration{2 * time.Minute, 4 * time.Minute, 8 * time.Minute, probeLast, probeLast} {
		if _, link, wait := n.probe(); link || wait <= 0 {
			t.Fatalf("asked %v too soon", want)
		}
		n.meter.looked = n.next
		if _, link, wait := n.probe(); !link || wait != 0 || n.next.Sub(n.meter.looked) != want {
			t.Errorf("the next look is after %v, want %v", n.next.Sub(n.meter.looked), want)
		}
	}
	n.hear(unanswered(0, 0))
	n.hear(*answered("http://a.test/", 200))
	if all := decided.take(); !slices.Equal(all, []string{"back http://h0.test/0", "judge http://a.test/"}) {
		t.Errorf("decided %v", all)
	}
	if n.waits() || !slices.Equal((*pauses)[1:], []string{""}) {
		t.Errorf("pauses %q", *pauses)
	}
}
