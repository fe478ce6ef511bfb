package render

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
)

// Options limit what a page may use. A zero field means the default.
type Options struct {
	Browser string        // path of the program; "" means that of Find
	Files   int           // per page; 20
	Bytes   int64         // of these files, decompressed; 16 MiB
	Time    time.Duration // per page, waits for hosts included, on the fetcher's clock; 60 s
	Compute time.Duration // per page while nothing is being fetched, without waits for a processor; 10 s
	Memory  int64         // bytes of the whole browser, on Linux only; 1 GiB
	Pages   int           // until the browser is restarted; 50
}

// Fixed limits.
const (
	maxElements  = 50_000                 // of a page
	quiet        = 500 * time.Millisecond // without a request, after which a loaded page counts as finished
	pollInterval = 50 * time.Millisecond  // between two checks
	answerTime   = 3 * time.Second        // for a page to return its document
	idleTime     = time.Minute            // after which an unused browser is ended
	maxStarts    = 3                      // failed starts in a row after which no more are tried
)

// Renderer runs the scripts of pages, one page at a time.
type Renderer struct {
	live  *fetch.Live
	o     Options
	token chan struct{} // holds one value while no page is being rendered

	mu           sync.Mutex
	browser      *browser // nil if none runs
	idle         *time.Timer
	failedStarts int // starts in a row
}

// New makes a renderer that fetches files with live. It returns an error if there is no suitable browser. The browser is
// started for the first page.
func New(live *fetch.Live, o Options) (*Renderer, error) {
	if o.Browser == "" {
		path, err := Find()
		if err != nil {
			return nil, err
		}
		o.Browser = path
	}
	o.Files = cmp.Or(o.Files, 20)
	o.Bytes = cmp.Or(o.Bytes, 16<<20)
	o.Time = cmp.Or(o.Time, time.Minute)
	o.Compute = cmp.Or(o.Compute, 10*time.Second)
	o.Memory = cmp.Or(o.Memory, 1<<30)
	o.Pages = cmp.Or(o.Pages, 50)
	r := &Renderer{live: live, o: o, token: make(chan struct{}, 1)}
	r.token <- struct{}{}
	return r, nil
}

// Render runs the scripts of the page at url with the given body. It returns the resulting HTML and the requests that were
// sent. See crawler.Renderer.
func (r *Renderer) Render(ctx context.Context, url string, body []byte) (html []byte, exchanges []fetch.Exchange, err error) {
	select {
	case <-r.token:
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	defer func() { r.token <- struct{}{} }()
	b, err := r.start()
	if err != nil {
		return nil, nil, fmt.Errorf("render: %w", err)
	}
	s := newSession(r, b, url, body)
	html, err = s.run(ctx)
	if b.pages++; !s.answered || b.pages >= r.o.Pages {
		r.end()
	}
	exchanges = s.close()
	if err != nil {
		return nil, exchanges, fmt.Errorf("render: %w", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.browser != nil {
		r.idle = time.AfterFunc(idleTime, r.endIdle)
	}
	return html, exchanges, nil
}

// start returns the running browser, or starts a new one.
func (r *Renderer) start() (*browser, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.idle != nil {
		r.idle.Stop()
	}
	if r.browser != nil {
		return r.browser, nil
	}
	if r.failedStarts >= maxStarts {
		return nil, fmt.Errorf("%s failed to start %d times in a row", r.o.Browser, maxStarts)
	}
	r.failedStarts++
	b, err := startBrowser(r.o.Browser, r.live.UserAgent())
	if err != nil {
		return nil, err
	}
	r.browser, r.failedStarts = b, 0
	return b, nil
}

// end kills the browser, if any.
func (r *Renderer) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.browser != nil {
		r.browser.kill()
		r.browser = nil
	}
}

// endIdle ends the browser unless it is in use.
func (r *Renderer) endIdle() {
	select {
	case <-r.token:
		r.end()
		r.token <- struct{}{}
	default:
	}
}

// Close waits for the current page and ends the browser.
func (r *Renderer) Close() error {
	<-r.token
	defer func() { r.token <- struct{}{} }()
	r.end()
	return nil
}

var errScripts = errors.New("the scripts of the page did not finish")

func (r *Renderer) clock() clock.Clock { return r.live.Clock() }
