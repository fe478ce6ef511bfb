// Colly crawls a farm with the Colly library: fetch, parse, extract links, follow the new ones. It is a separate module,
// so that Nightjar does not depend on Colly. Package speed builds and starts it; it reads that package's crawlSpec and prints
// its crawled.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gocolly/colly/v2"
)

type spec struct {
	Addrs   map[string]string `json:"addrs"`
	Starts  []string          `json:"starts"`
	Pages   int               `json:"pages"`
	Workers int               `json:"workers"`
}

type crawled struct {
	Pages   int            `json:"pages"`
	Links   int            `json:"links"`
	Seconds float64        `json:"seconds"`
	CPU     float64        `json:"cpu_seconds"`
	Peak    int64          `json:"peak_bytes"`
	Failed  map[string]int `json:"failed,omitempty"`
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "colly: error:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	var s spec
	if len(args) != 1 {
		return fmt.Errorf("want one argument, got %d", len(args))
	}
	if err := json.Unmarshal([]byte(args[0]), &s); err != nil {
		return err
	}
	began, spent := time.Now(), cpuTime()
	result, err := crawl(&s)
	if err != nil {
		return err
	}
	result.Seconds, result.CPU, result.Peak = time.Since(began).Seconds(), (cpuTime() - spent).Seconds(), peak()
	return json.NewEncoder(os.Stdout).Encode(result)
}

// crawl visits s.Pages pages.
func crawl(s *spec) (*crawled, error) {
	var asked, pages, links, failed atomic.Int64
	c := colly.NewCollector(colly.Async(true), colly.UserAgent("Nightjar/bench (+https://example.org/nightjar)"))
	c.WithTransport(&http.Transport{DialContext: dialer(s.Addrs), MaxIdleConnsPerHost: 1})
	if err := c.Limit(&colly.LimitRule{DomainGlob: "*", Parallelism: s.Workers}); err != nil {
		return nil, err
	}
	c.OnRequest(func(r *colly.Request) {
		if asked.Add(1) > int64(s.Pages) {
			r.Abort()
		}
	})
	c.OnHTML("html", func(e *colly.HTMLElement) {
		pages.Add(1)
		seen := make(map[string]bool)
		for _, k := range []struct{ selector, key string }{{"a[href], area[href]", "href"}, {"frame[src], iframe[src]", "src"}} {
			for _, ref := range e.ChildAttrs(k.selector, k.key) {
				u, _, _ := strings.Cut(e.Request.AbsoluteURL(ref), "#")
				if seen[u] || !strings.HasPrefix(u, "http") {
					continue
				}
				seen[u] = true
				links.Add(1)
				_ = e.Request.Visit(u) // fails for an address that was visited before
			}
		}
	})
	c.OnError(func(*colly.Response, error) { failed.Add(1) })
	for _, u := range s.Starts {
		if err := c.Visit(u); err != nil && !errors.As(err, new(*colly.AlreadyVisitedError)) { // a page may have linked to it
			return nil, err
		}
	}
	c.Wait()
	return &crawled{Pages: int(pages.Load()), Links: int(links.Load()), Failed: map[string]int{"error": int(failed.Load())}}, nil
}

// dialer connects to each host name at its given address.
func dialer(addrs map[string]string) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		to, ok := addrs[host]
		if !ok {
			return nil, fmt.Errorf("%s is not a host of the farm", host)
		}
		return (&net.Dialer{}).DialContext(ctx, network, to)
	}
}

// cpuTime is this process's time on all processors.
func cpuTime() time.Duration {
	var use syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &use) != nil {
		return 0
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// peak is this process's peak memory in bytes, 0 where the system does not report it.
func peak() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if kilobytes, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			n, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(kilobytes), "kB")), 10, 64)
			return n << 10
		}
	}
	return 0
}
