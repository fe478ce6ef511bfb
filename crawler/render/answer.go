package render

import (
	"net/http"
	"strings"

	cdpfetch "github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
)

// kind says how a request of a page is answered.
type kind int

const (
	refused     kind = iota
	document         // the page itself, which is already fetched
	empty            // answered with an empty file
	subresource      // fetched
)

// classify decides how to answer a request; the lock is held. The document is served once; frames and other documents are
// refused.
func (s *session) classify(e cdpfetch.EventRequestPaused) kind {
	url, _, _ := strings.Cut(e.Request.URL, "#")
	switch {
	case e.Request.Method != http.MethodGet:
		return refused
	case !strings.HasPrefix(url, "http://") && !strings.HasPrefix(url, "https://"):
		return refused
	}
	switch e.ResourceType {
	case network.ResourceTypeDocument:
		if canonical, err := weburl.Canonical(url); err == nil && canonical == s.url && !s.served {
			s.served = true
			return document
		}
		if e.FrameID == s.frame {
			s.loaded = true // the page wanted to navigate away
		}
	case network.ResourceTypeStylesheet:
		return empty // pages wait for style sheets
	case network.ResourceTypeScript:
		return s.count()
	case network.ResourceTypeXHR, network.ResourceTypeFetch:
		if weburl.Site(url) == s.site {
			return s.count()
		}
	}
	return refused
}

// count counts a file against the page's limits; the lock is held.
func (s *session) count() kind {
	if s.parts >= s.r.o.Files || s.bytes >= s.r.o.Bytes {
		return refused
	}
	s.parts++
	s.pending++
	return subresource
}

// answer answers a request of the page.
func (s *session) answer(e cdpfetch.EventRequestPaused) {
	s.mu.Lock()
	what := s.classify(e)
	left := s.r.o.Bytes - s.bytes
	s.mu.Unlock()
	switch what {
	case document:
		s.fulfil(e, http.StatusOK, http.Header{"Content-Type": {page.ContentUTF8}}, s.body)
	case empty:
		s.fulfil(e, http.StatusOK, http.Header{"Content-Type": {"text/css"}}, nil)
	case subresource:
		accept := "*/*"
		if e.ResourceType != network.ResourceTypeScript {
			accept = "application/json,*/*;q=0.5"
		}
		p, err := s.r.live.Subresource(s.fetchCtx, e.Request.URL, accept, min(left, fetch.MaxBody))
		s.mu.Lock()
		s.pending--
		s.bytes += int64(len(p.Body))
		over := s.bytes > s.r.o.Bytes // parallel downloads may exceed the limit
		s.exchanges = append(s.exchanges, p.Exchanges...)
		s.mu.Unlock()
		if err != nil || over {
			s.fail(e, network.ErrorReasonBlockedByClient)
			return
		}
		s.fulfil(e, p.Status, p.Header, p.Body)
	default:
		reason := network.ErrorReasonBlockedByClient
		if e.ResourceType == network.ResourceTypeDocument {
			reason = network.ErrorReasonAborted // do not leave the page
		}
		s.fail(e, reason)
	}
}

// keptHeaders are the headers of an answer that a page needs.
var keptHeaders = []string{"Content-Type", "Location", "X-Content-Type-Options"}

// fulfil answers a request. Any origin may read the answer, because the request had no cookies or credentials.
func (s *session) fulfil(e cdpfetch.EventRequestPaused, status int, header http.Header, body []byte) {
	var headers []*cdpfetch.HeaderEntry
	add := func(name, value string) { headers = append(headers, &cdpfetch.HeaderEntry{Name: name, Value: value}) }
	for _, name := range keptHeaders {
		if value := header.Get(name); value != "" {
			add(name, strings.ToValidUTF8(value, ""))
		}
	}
	if origin := originOf(e); origin != "" {
		add("Access-Control-Allow-Origin", origin)
		add("Access-Control-Allow-Credentials", "true")
	}
	_, _ = chromedp.CallBrowser(s.tab, cdpfetch.FulfillRequest, cdpfetch.FulfillRequestParams{
		RequestID: e.RequestID, ResponseCode: int64(status), ResponseHeaders: headers, Body: body,
	}) // the page may be closed
}

func (s *session) fail(e cdpfetch.EventRequestPaused, reason network.ErrorReason) {
	_, _ = chromedp.CallBrowser(s.tab, cdpfetch.FailRequest, cdpfetch.FailRequestParams{RequestID: e.RequestID, ErrorReason: reason}) // the page may be closed
}

// originOf is the Origin header of a request.
func originOf(e cdpfetch.EventRequestPaused) string {
	for name, value := range e.Request.Headers {
		if text, ok := value.(string); ok && strings.EqualFold(name, "Origin") {
			return text
		}
	}
	return ""
}
