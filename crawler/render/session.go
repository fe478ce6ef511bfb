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

// session renders one page in a tab and a profile of its own.
type session struct {
	r         *Renderer
	browser   *browser
	url, site string
	body      []byte

	tab      context.Context
	closeTab func()
	fetchCtx  context.Context // what is fetched for the page
	stop     func()
	answers  sync.WaitGroup
	answered bool // the page did in the end, so the browser can be used again

	mu        sync.Mutex
	served    bool // the document itself
	frame     cdp.FrameID
	loaded    bool
	crashed   bool
	pending   int // files being fetched
	parts     int
	bytes     int64
	active    time.Time // when a file was last being fetched
	exchanges []fetch.Exchange
}

func newSession(r *Renderer, b *browser, url string, body []byte) *session {
	return &session{r: r, browser: b, url: url, site: weburl.Site(url), body: body, closeTab: func() {}, stop: func() {}}
}

// close ends the tab and returns what was sent for the page.
func (s *session) close() []fetch.Exchange {
	s.stop()
	s.closeTab()
	s.answers.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.exchanges
}

// run shows the page and returns what it looks like in the end. Unless it answered, the browser is not to be used again.
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

// shut takes from a page, before any script of its own runs, what it could leave by.
//
//go:embed shut.js
var blockScript string

// open makes the tab and goes to the page.
func (s *session) open() error {
	// The tab lives as long as the context of the first call: its time is kept beside it.
	late := time.AfterFunc(startTimeout, func() { killGroup(s.browser.pid) })
	defer late.Stop()
	if err := chromedp.Do(s.tab); err != nil {
		return err
	}
	s.frame = cdp.FrameID(chromedp.FromContext(s.tab).Target.TargetID) // a page's frame is called after it
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
	s.active = time.Now()
	for _, domain := range []string{runtime.CommandDisable, log.CommandDisable, dom.CommandDisable, css.CommandDisable, network.CommandDisable} {
		// chromedp listens to more than is needed here: a page that talks much would keep us busy.
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

// note takes in what happens in the tab.
func (s *session) handleEvent(event any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch e := event.(type) {
	case *cdppage.EventLoadEventFired:
		s.loaded = s.served
	case *inspector.EventTargetCrashed:
		s.crashed = true
	case *cdppage.EventJavascriptDialogOpening:
		go func() { // from here the browser cannot be asked
			_, _ = chromedp.Call(s.tab, cdppage.HandleJavaScriptDialog, cdppage.HandleJavaScriptDialogParams{Accept: e.Type == cdppage.DialogTypeBeforeunload})
		}()
	}
}

// wait returns when the page is finished, or has used its time.
func (s *session) wait(ctx context.Context) error {
	whole := s.r.clock().NewTimer(s.r.o.Time)
	defer whole.Stop()
	look := time.NewTicker(pollInterval)
	defer look.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-whole.C:
			return nil
		case <-look.C:
		}
		s.mu.Lock()
		if s.pending > 0 {
			s.active = time.Now()
		}
		still, loaded, crashed := time.Since(s.active), s.loaded, s.crashed
		s.mu.Unlock()
		switch {
		case crashed:
			return errors.New("the page brought its process down")
		case n%4 == 0 && memory(s.browser.pid) > s.r.o.Memory:
			return fmt.Errorf("the browser needs more than %d MB", s.r.o.Memory>>20)
		case loaded && still >= quiet, still >= s.r.o.Compute:
			return nil
		}
	}
}

// seen is what snapshot.js returns.
type seen struct {
	URL      string `json:"url"`
	Elements int    `json:"elements"`
	HTML     string `json:"html"`
}

// snapshotJS reads the document in a world of its own, where the page has changed nothing.
//
//go:embed snapshot.js
var snapshotJS string

// snapshot reads the document.
func (s *session) snapshot() ([]byte, error) {
	ctx, cancel := context.WithTimeout(s.tab, answerTime)
	defer cancel()
	world, err := chromedp.Call(ctx, cdppage.CreateIsolatedWorld, cdppage.CreateIsolatedWorldParams{FrameID: s.frame, WorldName: "nightjar"})
	if err != nil {
		return nil, busy(err)
	}
	expression := fmt.Sprintf("(%s)(%d, %d)", strings.TrimSpace(snapshotJS), maxElements, fetch.MaxBody)
	got, err := chromedp.Call(ctx, runtime.Evaluate, runtime.EvaluateParams{
		Expression: expression, ContextID: world.ExecutionContextID, ReturnByValue: new(true),
	})
	if err != nil {
		return nil, busy(err)
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
		return nil, fmt.Errorf("the page has grown to more than %d elements or %d bytes", maxElements, fetch.MaxBody)
	case weburl.Site(doc.URL) != s.site:
		return nil, errors.New("the page has gone elsewhere")
	}
	return []byte(doc.HTML), nil
}

// busy says what an error means of a page that was asked for its document.
func busy(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return errScripts
	}
	return err
}
