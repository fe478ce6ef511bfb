package trainingset

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// answer is what an instance answered to a query.
type answer struct {
	pages  []FoundPage // at most MaxHits
	failed bool        // some of its search engines did not answer
}

// What helps when an instance gives no answer, and when it may be none.
const (
	otherWays    = "use local search, paste addresses, or try again later"
	checkAddress = "check that it is the address of a SearXNG instance, or use local search"
)

// ask sends a query and reads the answer.
func (p *SearXNG) ask(ctx context.Context, text string) (answer, *Refusal) {
	address := p.base.JoinPath("search")
	address.RawQuery = "q=" + url.QueryEscape(p.sent(text)) + "&format=json&pageno=1"
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return answer{}, p.refuse(0, "cannot be asked: %v", err)
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "Nightjar/1.0")
	res, err := p.client.Do(req)
	if err != nil {
		if failed, ok := errors.AsType[*url.Error](err); ok {
			err = failed.Err // without the query
		}
		return answer{}, p.refuse(0, "does not answer: %s; %s", clean(err.Error(), maxTitle), otherWays)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return answer{}, p.refuseStatus(res.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	if err != nil {
		return answer{}, p.refuse(res.StatusCode, "broke off its answer: %s; %s", clean(err.Error(), maxTitle),
			otherWays)
	}
	if len(body) > maxAnswer {
		return answer{}, p.refuse(res.StatusCode, "answers with more than 1 MiB; %s", checkAddress)
	}
	a, err := readAnswer(body)
	if err != nil {
		return answer{}, p.refuse(res.StatusCode, "%v; %s", err, checkAddress)
	}
	return a, nil
}

func (p *SearXNG) refuse(status int, format string, args ...any) *Refusal {
	return &Refusal{To: p.To(), Status: status, Reason: fmt.Sprintf(format, args...)}
}

// refuseStatus says what a status other than 200 means.
func (p *SearXNG) refuseStatus(status int) *Refusal {
	said := fmt.Sprintf("answers %d %s", status, http.StatusText(status))
	switch {
	case status == http.StatusForbidden:
		return p.refuse(status, `%s: by default, an instance gives no answers to programs; add "json" to `+
			`"search: formats:" in its settings.yml, or use local search`, said)
	case status == http.StatusTooManyRequests, status >= 500:
		return p.refuse(status, "%s, and is not asked further; %s", said, otherWays)
	}
	return p.refuse(status, "%s; %s", said, checkAddress)
}

// readAnswer reads an answer in JSON. Results without an address of a web page are left out.
func readAnswer(body []byte) (answer, error) {
	var read struct {
		Results *[]json.RawMessage `json:"results"`
		Failed  []json.RawMessage  `json:"unresponsive_engines"`
	}
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) {
		return answer{}, errors.New("answers with a web page in place of JSON")
	}
	if json.Unmarshal(body, &read) != nil || read.Results == nil {
		return answer{}, errors.New("answers with something else than search results")
	}
	a := answer{failed: len(read.Failed) > 0}
	known := map[string]bool{}
	for _, raw := range *read.Results {
		var one struct{ URL, Title, Content any }
		if json.Unmarshal(raw, &one) != nil {
			continue
		}
		address, ok := webPage(textOf(one.URL))
		if !ok || known[address] {
			continue
		}
		known[address] = true
		a.pages = append(a.pages, FoundPage{URL: address,
			Title: clean(textOf(one.Title), maxTitle), Snippet: clean(textOf(one.Content), maxSnippet)})
		if len(a.pages) == MaxHits {
			break
		}
	}
	return a, nil
}

// textOf returns a value of JSON if it is a text, else "".
func textOf(v any) string {
	s, _ := v.(string)
	return s
}
