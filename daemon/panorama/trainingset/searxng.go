package trainingset

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"nightjar/daemon/store"
)

// How a SearXNG instance is asked.
const (
	MaxQueries = 60              // of a document
	QueryGap   = 2 * time.Second // between two queries to an instance

	answerTime   = 20 * time.Second
	maxAnswer    = 1 << 20 // bytes
	maxRedirects = 3
)

// ErrLost says that a query was sent and that its answer was lost, since the program was killed. It is not sent twice.
var ErrLost = errors.New("this title was sent before, and its answer was lost; it is not sent a second time")

// SearXNG asks an instance of SearXNG. Answers are kept in the store: a query that was answered is never sent again, by
// whichever document. After a refusal it sends nothing more and answers from what is kept. It is for one goroutine.
type SearXNG struct {
	base     *url.URL
	store    *store.Store
	document int64
	client   *http.Client
	gap      time.Duration
	words    bool // titles are sent as words, not as phrases
	ended    *Refusal
}

// Refusal says that an instance gave no answer, and what helps.
type Refusal struct {
	To     string // address of the instance
	Status int    // of the answer; 0 if there was none
	Reason string // with a next step
}

// Error says who refused and why.
func (r *Refusal) Error() string { return r.To + " " + r.Reason }

// NewSearXNG returns a provider that asks the instance at an address for a document of the store. The address is http or
// https, without name, password, query and fragment. The person names it, so it may be of this computer or its network.
func NewSearXNG(address string, s *store.Store, document int64) (*SearXNG, error) {
	base, err := url.Parse(strings.TrimSpace(address))
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Hostname() == "" || base.User != nil ||
		base.RawQuery != "" || base.Fragment != "" {
		return nil, fmt.Errorf("%q is no address of a SearXNG instance; write it such as http://localhost:8888", clean(address, 100))
	}
	base.Host = strings.ToLower(base.Host)
	base = base.JoinPath("/")
	client := &http.Client{
		Timeout:       answerTime,
		CheckRedirect: sameInstance,
		// No proxy: the query goes where the person was told.
		Transport: &http.Transport{MaxResponseHeaderBytes: 64 << 10, DisableKeepAlives: true},
	}
	return &SearXNG{base: base, store: s, document: document, client: client, gap: QueryGap}, nil
}

// AnyOrder makes the provider look for pages that have all words of a title, in any order, and returns it. Otherwise a title
// is looked for as a phrase.
func (p *SearXNG) AnyOrder() *SearXNG {
	p.words = true
	return p
}

// maxQueryWords is the number of words of a query to an instance. Engines ignore further ones: Google's limit is 32.
const maxQueryWords = 30

// kept is the text under which the answer to a query is kept, of at most maxQueryWords: "+" before each word that is looked for
// in any order, which no phrase has.
func (p *SearXNG) kept(query string) string {
	if words := strings.Fields(query); len(words) > maxQueryWords {
		query = strings.Join(words[:maxQueryWords], " ")
	}
	if !p.words || query == "" {
		return query
	}
	return "+" + strings.ReplaceAll(query, " ", " +")
}

// sent is a query as it is sent, given the text under which its answer is kept.
func (p *SearXNG) sent(kept string) string {
	if p.words {
		return strings.TrimPrefix(strings.ReplaceAll(kept, " +", " "), "+")
	}
	return `"` + kept + `"`
}

// To returns the address of the instance.
func (p *SearXNG) To() string { return p.base.String() }

// Search is that of Provider. It waits until QueryGap has passed since the last query to the instance. When ctx ends while
// a query is on its way, its answer is still waited for and kept, at most 20 s.
func (p *SearXNG) Search(ctx context.Context, phrase string, n int) ([]Hit, error) {
	text := p.kept(Query(phrase))
	if text == "" || n <= 0 {
		return nil, nil
	}
	q := TitleQuery{Document: p.document, Provider: p.To(), Text: text}
	state, pages, err := QueryAnswer(ctx, p.store.DB, q)
	switch {
	case err != nil:
		return nil, err
	case state == QueryAnswered:
		return hitsOf(pages, n), nil
	case state == QuerySent:
		return nil, ErrLost
	case p.ended != nil:
		return nil, p.ended
	}
	if err := p.begin(ctx, q); err != nil {
		return nil, err
	}
	pages, err = p.send(context.WithoutCancel(ctx), q)
	return hitsOf(pages, n), err
}

// begin waits for the instance's turn and notes that the query is sent.
func (p *SearXNG) begin(ctx context.Context, q TitleQuery) error {
	for {
		wait, err := BeginQuery(ctx, p.store.DB, q, p.gap, MaxQueries)
		if errors.Is(err, ErrQuerySent) {
			return ErrLost // by another document, a moment ago
		}
		if err != nil || wait == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

// send asks, and keeps the answer.
func (p *SearXNG) send(ctx context.Context, q TitleQuery) ([]FoundPage, error) {
	answer, refusal := p.ask(ctx, q.Text)
	// Without pages and with engines that failed, the answer says nothing of the title: another run may ask again.
	again := refusal != nil || len(answer.pages) == 0 && answer.failed
	if err := EndQuery(ctx, p.store.DB, q, answer.pages, again); err != nil {
		return nil, err
	}
	if refusal != nil {
		p.ended = refusal
		return nil, refusal
	}
	return answer.pages, nil
}

// sameInstance follows redirects of an instance to itself, also from http to https, and to nobody else: a query goes only
// where the person was told.
func sameInstance(next *http.Request, via []*http.Request) error {
	first := via[0].URL
	secured := first.Scheme == "http" && next.URL.Scheme == "https" && first.Port() == "" && next.URL.Port() == ""
	if !strings.EqualFold(next.URL.Hostname(), first.Hostname()) ||
		!secured && (next.URL.Scheme != first.Scheme || next.URL.Port() != first.Port()) {
		return fmt.Errorf("it sends on to %s; give that address if you trust it", clean(next.URL.Host, 100))
	}
	if len(via) > maxRedirects {
		return errors.New("it sends on in circles")
	}
	next.Header.Del("Referer")
	return nil
}

func hitsOf(pages []FoundPage, n int) []Hit {
	var hits []Hit
	for _, p := range pages[:min(len(pages), n)] {
		hits = append(hits, Hit{URL: p.URL, Title: p.Title, Snippet: p.Snippet, Stage: StageSearXNG})
	}
	return hits
}
