//go:build !race

package worker_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"nightjar/crawler/fetch"
	"nightjar/daemon/workers/worker"
)

// TestMemory: a worker with 32 pages at once stays below 256 MiB, also when all of them are ten times the usual size, or have
// the largest size that is read. NIGHTJAR_WORKER_MEMORY=1 tests more sizes.
// With the race detector, a program takes twice as much.
func TestMemory(t *testing.T) {
	const most = 256 << 20 // bytes

	type suite struct{ size, hosts, each int } // bytes, hosts, pages of each
	suites := []suite{{256 << 10, 36, 1}}
	if os.Getenv("NIGHTJAR_WORKER_MEMORY") != "" {
		suites = append(suites, suite{100 << 10, 64, 8}, suite{512 << 10, 40, 1}, suite{1 << 20, 40, 2}, suite{fetch.MaxBody, 40, 1})
	}
	for _, s := range suites {
		html := largePage(s.size)
		peak := peakOf(t, html, s.hosts, s.each)
		t.Logf("%d pages of %d KiB on %d hosts: %d MiB at most", s.hosts*s.each, len(html)>>10, s.hosts, peak>>20)
		if peak > most {
			t.Errorf("the worker took %d MiB", peak>>20)
		}
	}
}

// peakOf has a worker fetch the page from each path of so many hosts, and returns its largest memory in bytes.
func peakOf(t *testing.T, html []byte, hosts, pagesOfHost int) int64 {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/p") {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(html) // the worker may have gone
	}))
	defer server.Close()
	var urls []string
	for h := range hosts {
		for p := range pagesOfHost {
			urls = append(urls, fmt.Sprintf("http://h%d.test/p%d", h, p))
		}
	}
	rule := fetch.Resolve{Pattern: "*.test", Addr: server.Listener.Addr().String()}
	d := newDesk(urls)
	p := mustWork(t, mustBroker(t, d), "attic", []fetch.Resolve{rule}, "--parallel", strconv.Itoa(worker.DefaultParallel))
	wait(t, d.done, "the pages were not all fetched:\n%s", &p.stderr)
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status)
	if m == nil {
		t.Fatal("the system does not say how much memory a process took")
	}
	kib, err := strconv.ParseInt(string(m[1]), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.bad) > 0 {
		t.Errorf("%d results are wrong, such as: %v", len(d.bad), d.bad[0])
	}
	return kib << 10
}

// largePage is a page of about that many bytes, with links and paragraphs.
func largePage(size int) []byte {
	var b bytes.Buffer
	b.WriteString("<!DOCTYPE html><title>Tides</title><body>\n")
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "<div class=row><h3>Harbour %d</h3><p>The tide of harbour number %d comes %d minutes later than yesterday, "+
			"says <a href=\"/harbour/%d?day=%d\">the table of tides %d</a>, which was made in %d.</p></div>\n", i, i, i%60, i, i%31, i, 1800+i%200)
	}
	return b.Bytes()
}
