package reader

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/panorama/document"
)

// delays are the times between attempts that failed for a reason that may pass.
var delays = []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 3 * time.Hour, 12 * time.Hour}

// hostWait is for how long a host that must rest is waited for.
const hostWait = time.Minute

// failure is why the text of a PDF was not read.
type failure struct {
	reason string    // in words, such as "the server wants a login"
	passes bool      // it may be read later
	later  time.Time // the document was not asked for: the host must rest until then
}

// next returns when to try again after some attempts that failed before; the zero time means never.
func (f *failure) next(tries int, now time.Time) time.Time {
	switch {
	case f.later.After(now):
		return f.later
	case !f.later.IsZero():
		return now.Add(time.Second)
	case f.passes && tries < len(delays):
		return now.Add(delays[tries])
	}
	return time.Time{}
}

// Patient fetches an address and, when its host must rest for a moment, waits for it: robots.txt is a request, too, and a new
// fetcher would have to ask for it again.
func Patient(ctx context.Context, f fetch.Fetcher, address string, now func() time.Time) fetch.Response {
	for until := now().Add(hostWait); ; {
		res := f.Fetch(ctx, address)
		ready := f.ReadyAt(res.FinalURL)
		if res.Outcome != fetch.Later || ready.After(until) || !now().Before(until) {
			return res
		}
		select {
		case <-time.After(max(ready.Sub(now()), 50*time.Millisecond)):
		case <-ctx.Done():
			return res
		}
	}
}

// get fetches a PDF and returns what it says as HTML.
func get(ctx context.Context, f fetch.Fetcher, one Reading, never []string, now func() time.Time) (text []byte, truncated bool, failed *failure) {
	listed := func(address string) bool { return protocol.Never(never, address) }
	if listed(one.URL) {
		return nil, false, &failure{reason: "its host is on the never-record list"}
	}
	res := Patient(fetch.Refusing(fetch.Documents(ctx, document.MaxBytes), listed), f, one.URL, now)
	if res.Outcome == fetch.Refused && listed(res.FinalURL) {
		return nil, false, &failure{reason: "it leads to a host on the never-record list"}
	}
	if failed := judge(res, f); failed != nil {
		return nil, false, failed
	}
	words, err := document.ReadWords(ctx, res.Body)
	if err != nil {
		return nil, false, unreadable(err)
	}
	text, truncated = words.HTML(words.TitleFor(one.Title, one.URL), protocol.MaxHTML)
	return text, truncated, nil
}

// judge returns why an answer is no PDF, or nil.
func judge(res fetch.Response, f fetch.Fetcher) *failure {
	switch res.Outcome {
	case fetch.OK:
		if !document.IsPDF(res.Body) && strings.Contains(res.ContentType, "html") {
			return &failure{reason: "the server answered with a web page, as it does when it wants a login"}
		}
		return nil
	case fetch.Later:
		return &failure{reason: "the server must not be asked yet", later: cmp.Or(f.ReadyAt(res.FinalURL), time.Unix(0, 0))}
	case fetch.Status:
		return status(res.Status)
	case fetch.Timeout:
		return &failure{reason: "the server took too long to answer", passes: true}
	case fetch.Network:
		return &failure{reason: "the server could not be reached", passes: true}
	case fetch.Robots:
		return &failure{reason: "robots.txt of the site does not allow it"}
	case fetch.TooLarge:
		return &failure{reason: "it is larger than 64 MiB"}
	}
	return &failure{reason: res.Reason}
}

// status returns why an answer with a status other than 200 is no PDF.
func status(code int) *failure {
	switch {
	case code == 401 || code == 403 || code == 407:
		return &failure{reason: "the server wants a login"}
	case code == 404 || code == 410:
		return &failure{reason: "the server has no document at this address any more"}
	case code == 408 || code == 429 || code >= 500:
		return &failure{reason: "the server had a problem", passes: true}
	}
	return &failure{reason: "the server refused it"}
}

// unreadable returns why a PDF has no text.
func unreadable(err error) *failure {
	var problem *document.Problem
	switch {
	case errors.Is(err, document.ErrKind):
		return &failure{reason: "the server answered with something else than a PDF"}
	case errors.Is(err, document.ErrReader):
		return &failure{reason: "the reader of PDF did not start", passes: true}
	case errors.As(err, &problem):
		return &failure{reason: problem.What}
	}
	return &failure{reason: "it could not be read", passes: true}
}
