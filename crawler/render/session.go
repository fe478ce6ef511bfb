package render

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	cdpfetch "github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
)

// session renders one page in a new tab with a new browser context.
type session struct {
	r         *Renderer
	browser   *browser
	url, site string
	body      []byte

	tab      context.Context
	closeTab func()
	fetchCtx context.Context // for the fetches of the page
	stop     func()
	answers  sync.WaitGroup
	answered bool // the page returned its document, so the browser can be reused

	mu        sync.Mutex
	served    bool // the document was sent to the browser
	frame     cdp.FrameID
	loaded    bool
	crashed   bool
	pending   int // files being fetched
	parts     int
	bytes     int64
	exchanges []fetch.Exchange
}

func newSession(r *Renderer, b *browser, url string, body []byte) *session {
	return &session{r: r, browser: b, url: url, site: weburl.Site(url), body: body, closeTab: func() {}, stop: func() {}}
}

// close ends the tab and returns the requests that were sent for the page.
func (s *session) close() []fetch.Exchange {
	s.stop()
	s.closeTab()
	s.answers.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.exchanges
}

// run loads the page and returns its final HTML. Unless answered is set afterwards, the browser must not be reused.
func (s *session) run(ctx context.Context) ([]byte, error) {
	s.fetchCtx, s.stop = context.WithCancel(ctx)
	s.tab, s.closeTab = chromedp.NewContext(s.browser.ctx, chromedp.WithNewBrowserContext(), chromedp.WithListener(s.handleEvent))
	if err := s.open(); err != nil {
		return nil, err
	}
	if err := s.wait(ctx); err != nil {
		return nil, err
	}
	return s.snapshot()
}

// blockScript runs before a page's scripts and removes the interfaces that could reach the network.
//
//go:embed shut.js
var blockScript string

// open makes the tab and loads the page.
func (s *session) open() error {
	// The tab ends with the context of the first call, so that must have no timeout.
	late := time.AfterFunc(startTimeout, func() { killGroup(s.browser.pid) })
	defer late.Stop()
	if err := chromedp.Do(s.tab); err != nil {
		return err
	}
	s.frame = cdp.FrameID(chromedp.FromContext(s.tab).Target.TargetID) // the main frame has the ID of its target
	paused := chromedp.BrowserEvents(s.tab, cdpfetch.RequestPaused)
	s.answers.Go(func() {
		for event, err := range paused {
			if err != nil {
				return
			}
			s.answers.Go(func() { s.answer(event) })
		}
	})
	_, err := chromedp.Call(s.tab, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: blockScript})
	if err == nil {
		_, err = chromedp.Call(s.tab, network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: true})
	}
	if err == nil {
		_, err = chromedp.CallBrowser(s.tab, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
			Behavior: cdpbrowser.SetDownloadBehaviorBehaviorDeny, BrowserContextID: chromedp.FromContext(s.tab).BrowserContextID,
		})
	}
	if err != nil {
		return err
	}
	for _, domain := range []string{runtime.CommandDisable, log.CommandDisable, dom.CommandDisable, css.CommandDisable, network.CommandDisable} {
		// chromedp enables more events than needed here; a page could flood us with them.
		if err := chromedp.FromContext(s.tab).Target.Call(s.tab, domain, cdp.Empty{}, nil); err != nil {
			return err
		}
	}
	to, err := chromedp.Call(s.tab, cdppage.Navigate, cdppage.NavigateParams{URL: s.url})
	if err == nil && to.ErrorText != "" {
		err = errors.New(to.ErrorText)
	}
	return err
}

// handleEvent handles an event of the tab.
func (s *session) handleEvent(event any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch e := event.(type) {
	case *cdppage.EventLoadEventFired:
		s.loaded = s.served
	case *inspector.EventTargetCrashed:
		s.crashed = true
	case *cdppage.EventJavascriptDialogOpening:
		go func() { // an event handler must not call the browser
			_, _ = chromedp.Call(s.tab, cdppage.HandleJavaScriptDialog, cdppage.HandleJavaScriptDialogParams{Accept: e.Type == cdppage.DialogTypeBeforeunload})
		}()
	}
}

// wait returns when the page is finished or its time is up.
func (s *session) wait(ctx context.Context) error {
	whole := s.r.clock().NewTimer(s.r.o.Time)
	defer whole.Stop()
	look := time.NewTicker(pollInterval)
	defer look.Stop()
	var ran *stopwatch // since a file was being fetched
	begun := 0         // files
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-whole.C:
			return nil
		case <-look.C:
		}
		s.mu.Lock()
		fetching := !s.served || s.pending > 0 || s.parts > begun
		begun = s.parts
		loaded, crashed := s.loaded, s.crashed
		s.mu.Unlock()
		switch {
		case crashed:
			return errors.New("the page crashed its process")
		case n%4 == 0 && memory(s.browser.pid) > s.r.o.Memory:
			return fmt.Errorf("the browser uses more than %d MB", s.r.o.Memory>>20)
		case fetching:
			ran = nil
		case ran == nil:
			ran = s.browser.stopwatch()
		case loaded && ran.reached(quiet), ran.reached(s.r.o.Compute):
			return nil
		}
	}
}

// seen is the result of snapshot.js.
type seen struct {
	URL      string `json:"url"`
	Elements int    `json:"elements"`
	HTML     string `json:"html"`
}

// snapshotJS reads the document in an isolated world, which the page's scripts cannot change.
//
//go:embed snapshot.js
var snapshotJS string

// snapshot reads the document.
func (s *session) snapshot() ([]byte, error) {
	ctx, cancel := s.browser.withLimit(s.tab, answerTime)
	defer cancel()
	world, err := chromedp.Call(ctx, cdppage.CreateIsolatedWorld, cdppage.CreateIsolatedWorldParams{FrameID: s.frame, WorldName: "nightjar"})
	if err != nil {
		return nil, busy(ctx, err)
	}
	expression := fmt.Sprintf("(%s)(%d, %d)", strings.TrimSpace(snapshotJS), maxElements, fetch.MaxBody)
	got, err := chromedp.Call(ctx, runtime.Evaluate, runtime.EvaluateParams{
		Expression: expression, ContextID: world.ExecutionContextID, ReturnByValue: new(true),
	})
	if err != nil {
		return nil, busy(ctx, err)
	}
	s.answered = true
	var doc seen
	if got.ExceptionDetails != nil {
		return nil, errors.New(got.ExceptionDetails.Text)
	}
	if err := json.Unmarshal(got.Result.Value, &doc); err != nil {
		return nil, err
	}
	switch {
	case doc.Elements > maxElements || len(doc.HTML) > fetch.MaxBody:
		return nil, fmt.Errorf("the page grew to more than %d elements or %d bytes", maxElements, fetch.MaxBody)
	case weburl.Site(doc.URL) != s.site:
		return nil, errors.New("the page navigated away")
	}
	return []byte(doc.HTML), nil
}

// busy turns an error into errScripts if the time for reading the document was up.
func busy(ctx context.Context, err error) error {
	if context.Cause(ctx) == errScripts {
		return errScripts
	}
	return err
}
