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

// Options bound what a page may use. The zero value of each field is the default.
type Options struct {
	Browser string        // path of the program; "" is what Find finds
	Files   int           // files a page; 20
	Bytes   int64         // of them, decompressed; 16 MiB
	Time    time.Duration // a page, its waits for turns included, by the fetcher's clock; 60 s
	Compute time.Duration // a page without anything being fetched; 10 s
	Memory  int64         // bytes of the whole browser, where that is known (Linux); 1 GiB
	Pages   int           // until the browser is started anew; 50
}

// Limits that are no option.
const (
	maxElements = 50_000                 // of a page
	quiet       = 500 * time.Millisecond // without a request after which a loaded page is taken for finished
	pollInterval      = 50 * time.Millisecond  // between two looks at it
	answerTime  = 3 * time.Second        // in which a page that is not busy answers
	idleTime    = time.Minute            // after which a browser that is not used is ended
	maxStarts   = 3                      // times in a row that the browser may fail to start before it is given up
)

// Renderer runs the scripts of pages, one page at a time.
type Renderer struct {
	live *fetch.Live
	o    Options
	token chan struct{} // holds one value while nothing is rendered

	mu      sync.Mutex
	browser *browser // nil when none runs
	idle    *time.Timer
	failedStarts  int // starts in a row
}

// New prepares a renderer that gets files by live. The error is for a machine without a browser, and says what to do.
// Nothing is started before the first page.
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

// Render returns what the scripts of the page at url make of its body, and the requests that were sent for that. See
// crawler.Renderer.
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

// start returns the running browser, or starts one.
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
		return nil, fmt.Errorf("%s did not start %d times in a row", r.o.Browser, maxStarts)
	}
	r.failedStarts++
	b, err := startBrowser(r.o.Browser, r.live.UserAgent())
	if err != nil {
		return nil, err
	}
	r.browser, r.failedStarts = b, 0
	return b, nil
}

// end kills the browser, if one runs.
func (r *Renderer) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.browser != nil {
		r.browser.kill()
		r.browser = nil
	}
}

// endIdle ends the browser unless it is used again.
func (r *Renderer) endIdle() {
	select {
	case <-r.token:
		r.end()
		r.token <- struct{}{}
	default:
	}
}

// Close waits for the page that is being rendered and ends the browser.
func (r *Renderer) Close() error {
	<-r.token
	defer func() { r.token <- struct{}{} }()
	r.end()
	return nil
}

var errScripts = errors.New("its scripts do not come to an end")

func (r *Renderer) clock() clock.Clock { return r.live.Clock() }
