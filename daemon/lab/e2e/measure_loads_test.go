//go:build measure

package e2e

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// What is measured; extension/README.md has the figures.
const (
	measuredPages = 50
	settle        = 250 * time.Millisecond // after each load: the extension reads and sends the page
	marksMeasured = 30
)

// loadsPerPage is how often each page is loaded in each of the two browsers; NIGHTJAR_LOADS sets it.
func loadsPerPage(t *testing.T) int {
	t.Helper()
	text := os.Getenv("NIGHTJAR_LOADS")
	if text == "" {
		return 3
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("NIGHTJAR_LOADS is %q; it must be a number from 1", text)
	}
	return n
}

// TestMeasureChromium and TestMeasureFirefox measure what the extension costs while a session is open: load times beside a
// browser without it, in turns; time on the pages' main thread; bytes per page; click on Useful to acknowledgement; memory.
func TestMeasureChromium(t *testing.T) {
	measureBrowser(t, "chromium", startChromium, startPlainChromium)
}

func TestMeasureFirefox(t *testing.T) {
	measureBrowser(t, "firefox", startFirefox, func(t *testing.T, addr string) browser { return runFirefox(t, addr) })
}

func measureBrowser(t *testing.T, name string, with, without start) {
	rng := rand.New(rand.NewPCG(1, 17))
	docs := readDocumentation(t, measuredPages, rng)
	addr := docs.serve(t)
	plain := open(t, name+"-plain", without(t, addr))
	d := startDaemon(t, addr)
	m := newMeter(t, d.addr)
	d.addr = m.addr
	j := &job{t: t, d: d, b: with(t, addr), topic: "documentation"}
	j.reader = open(t, name, j.b)
	j.connect()
	j.reader.front().address(docs.URLs[0])
	j.startSession()
	fmt.Printf("%s, %d pages, %d loads each, in turns\n", name, measuredPages, loadsPerPage(t))
	j.loadTimes(docs, plain, m, rng)
	j.clickToAck(docs, m)
	j.mainThread(docs)
	j.memory()
}

func open(t *testing.T, name string, b browser) *user {
	t.Helper()
	first := &user{t: t, pictures: newPictures(name)}
	return first.open(b)
}

// record starts a Chromium that records a session on the pages.
func (d *documentation) record(t *testing.T, name, topic string) *job {
	t.Helper()
	addr := d.serve(t)
	j := &job{t: t, d: startDaemon(t, addr), b: startChromium(t, addr), topic: topic}
	j.reader = open(t, name, j.b)
	j.connect()
	j.reader.front().address(d.URLs[0])
	j.startSession()
	return j
}

// startSession starts a session in the popup's page.
func (j *job) startSession() {
	j.t.Helper()
	j.popup = j.reader.open(j.b)
	j.popup.address(j.b.ExtensionPage("popup/popup.html"))
	j.popup.sees("#connection", "Connected")
	j.popup.write("#topic", j.topic)
	j.popup.click("button", "Start recording")
	j.d.holds("a session is on", "1", "SELECT count(*) FROM sessions WHERE status = 'recording'")
	j.reader.front()
}

// loadTimes loads each page in both browsers in turns and compares the times that the pages themselves measured.
func (j *job) loadTimes(docs *documentation, plain *user, m *meter, rng *rand.Rand) {
	j.t.Helper()
	for _, u := range []*user{plain, j.reader} { // warm
		for _, url := range docs.URLs {
			u.load(url)
		}
	}
	time.Sleep(5 * time.Second)
	n := loadsPerPage(j.t)
	times := [2][][]float64{make([][]float64, len(docs.URLs)), make([][]float64, len(docs.URLs))}
	before, loads := m.sent.Load(), 0
	for range n {
		for _, i := range rng.Perm(len(docs.URLs)) {
			first := rng.IntN(2)
			for _, which := range []int{first, 1 - first} {
				u := []*user{plain, j.reader}[which]
				u.front()
				times[which][i] = append(times[which][i], u.load(docs.URLs[i]))
				time.Sleep(settle)
			}
			loads++
		}
	}
	j.drained()
	report(times, rng)
	fmt.Printf("bytes sent to the daemon per load: %.0f\n", float64(m.sent.Load()-before)/float64(loads))
}

// drained waits until the daemon has every event.
func (j *job) drained() {
	j.t.Helper()
	j.popup.eventually("see the queue empty", func() error {
		if text := j.popup.read("#queue"); strings.Contains(text, "Sending") || strings.Contains(text, "kept here") {
			return errors.New(text)
		}
		return nil
	})
}

// load loads a page and returns the milliseconds until the end of its load event.
func (u *user) load(url string) float64 {
	u.t.Helper()
	u.address(url)
	var took float64
	u.eventually("measure the load of "+url, func() error {
		err := u.tab.Eval(`performance.getEntriesByType("navigation")[0]?.loadEventEnd || -1`, &took)
		if err == nil && took <= 0 {
			err = errors.New("still loading")
		}
		return err
	})
	return took
}

// report prints median and 95th percentile without and with the extension, and the differences with 95 % bootstrap
// intervals. Pages are resampled, then the loads of each.
func report(times [2][][]float64, rng *rand.Rand) {
	for _, q := range []float64{.5, .95} {
		value := func(pick [][2]int) (plain, with float64) {
			var a, b []float64
			for _, p := range pick {
				a, b = append(a, times[0][p[0]][p[1]]), append(b, times[1][p[0]][p[1]])
			}
			return percentile(a, q), percentile(b, q)
		}
		var all [][2]int
		for i := range times[0] {
			for k := range times[0][i] {
				all = append(all, [2]int{i, k})
			}
		}
		plain, with := value(all)
		var differences, ratios []float64
		for range 1000 {
			var drawn [][2]int
			for range times[0] {
				i := rng.IntN(len(times[0]))
				for range times[0][i] {
					drawn = append(drawn, [2]int{i, rng.IntN(len(times[0][i]))})
				}
			}
			a, b := value(drawn)
			differences, ratios = append(differences, b-a), append(ratios, b/a)
		}
		fmt.Printf("load, %2.0f %%: %.1f ms without, %.1f ms with; difference %.1f ms [%.1f, %.1f], ratio %.3f [%.3f, %.3f]\n",
			100*q, plain, with, with-plain, percentile(differences, .025), percentile(differences, .975),
			with/plain, percentile(ratios, .025), percentile(ratios, .975))
	}
}

func percentile(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

// clickToAck measures the time from the click on Useful until the daemon's acknowledgement reaches the extension.
func (j *job) clickToAck(docs *documentation, m *meter) {
	j.t.Helper()
	var took []float64
	for i := range marksMeasured {
		j.reader.address(docs.URLs[i])
		time.Sleep(2 * time.Second) // the page is recorded, and the bar is still
		before := m.acked()
		var at point
		j.reader.eventually("find Useful", func() (err error) {
			at, err = locate(j.reader.tab, target{Selector: "[role=toolbar] button", Text: "Useful"}, true)
			return err
		})
		start := time.Now()
		j.reader.must(j.reader.tab.Click(at, 1), "click Useful")
		j.reader.eventually("see the acknowledgement", func() error {
			if ack := m.acked(); ack.After(before) && ack.After(start) {
				took = append(took, float64(ack.Sub(start).Microseconds())/1000)
				return nil
			}
			return errors.New("not yet")
		})
	}
	fmt.Printf("click on Useful to acknowledgement: median %.0f ms, 95 %% %.0f ms, of %d\n", percentile(took, .5), percentile(took, .95), len(took))
}
