package month

import (
	"bytes"
	"context"
	"fmt"
	"hash/maphash"
	"html"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"

	xhtml "golang.org/x/net/html"

	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/lab/recording"
)

// Shares of the pages that change. Lists change when a page that they link to appears or is copied.
const (
	appearing = 1. / 3 // before its night a page answers 404, and nothing links to it
	going     = .03    // from its night on a page answers 404; links to it stay
	copying   = .03    // from its night on a page has a second address, and pages that link to the first one link to both
	restless  = .1     // a page shows another date every day, which is no change
)

// changing is a recorded web that changes from night to night. Nights count from 1. It is safe for concurrent use.
type changing struct {
	replay *recording.Replay
	fates  map[string]fate // by final URL
	seed   maphash.Seed

	mu     sync.Mutex
	finals map[string]string // address -> final URL
}

// fate is what becomes of a page; the nights are 0 for never.
type fate struct {
	appears, goes, copied int // the first night that shows it
	restless              bool
}

func newChanging(replay *recording.Replay) *changing {
	return &changing{replay: replay, fates: map[string]fate{}, seed: maphash.MakeSeed(), finals: map[string]string{}}
}

// draw draws what becomes of pages, so that nothing changes in the first night and in the last two. Pages that stay are always there.
func (c *changing) draw(pages []string, stay map[string]bool, nights int, rng *rand.Rand) {
	for _, url := range pages {
		lot, night := rng.Float64(), 2+rng.IntN(max(1, nights-3))
		f := fate{restless: rng.Float64() < restless}
		switch {
		case stay[url]:
		case lot < appearing:
			f.appears = night
		case lot < appearing+going:
			f.goes = night
		case lot < appearing+going+copying:
			f.copied = night
		}
		c.fates[url] = f
	}
}

// copyOf is the second address of a page.
func copyOf(url string) string {
	if strings.Contains(url, "?") {
		return url + "&edition=2"
	}
	return url + "?edition=2"
}

// original is the page at a second address, and any other URL as it is.
func (c *changing) original(url string) string {
	if page := strings.TrimSuffix(url, "edition=2"); page != url && c.fates[page[:len(page)-1]].copied > 0 {
		return page[:len(page)-1]
	}
	return url
}

// final is the final URL of an address, or the address itself when the recording lacks it.
func (c *changing) final(ctx context.Context, url string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.finals[url] == "" {
		c.finals[url] = c.replay.Fetch(ctx, url).FinalURL
	}
	return c.finals[url]
}

// answer is what the web answers in a night.
type answer struct {
	fetch.Response
	content uint64   // the same as long as the page does not change
	hidden  []string // pages that the page will link to once they appear
	fresh   []string // pages that it links to and that have appeared
}

// fetch answers as the web does in a night.
func (c *changing) fetch(ctx context.Context, url string, night int) (r answer) {
	asked := weburl.Document(url)
	first := c.original(asked)
	r.Response = c.replay.Fetch(ctx, first)
	if r.Outcome != fetch.OK {
		return r
	}
	f := c.fates[r.FinalURL]
	if night < f.appears || f.goes > 0 && night >= f.goes || first != asked && night < f.copied {
		r.Response = fetch.Response{URL: asked, FinalURL: asked, Outcome: fetch.Status, Status: http.StatusNotFound, Reason: "the server answered 404 Not Found"}
		return r
	}
	r.Packed, r.ETag, r.LastModified = nil, "", ""
	r.Body, r.hidden, r.fresh = c.edit(ctx, r.Source(), r.Body, night)
	r.content = maphash.Bytes(c.seed, r.Body)
	if f.restless {
		r.Body = fmt.Appendf(r.Body, "<p>Today is %s.</p>", begin.AddDate(0, 0, night-1).Format("Monday, 2 January 2006"))
	}
	if first != asked {
		r.URL, r.FinalURL, r.Redirects = asked, asked, nil
	}
	return r
}

// edit takes out the links to pages that have not appeared, and adds those to second addresses. It lists the former, and the pages that
// have appeared and are linked to.
func (c *changing) edit(ctx context.Context, src page.Source, body []byte, night int) (edited []byte, hidden, fresh []string) {
	base, err := weburl.NewBase(src.URL)
	if err != nil || len(c.fates) == 0 {
		return body, nil, nil
	}
	base.Encode(src.Queries(body))
	var out bytes.Buffer
	from, second := 0, "" // where the text of the link begins that is copied, and the address of its copy
	silent := false       // in a link that is taken out
	double := func() {
		if second != "" {
			fmt.Fprintf(&out, `</a> <a href="%s">%s`, html.EscapeString(second), bytes.Clone(out.Bytes()[from:]))
			second = ""
		}
	}
	z := xhtml.NewTokenizer(bytes.NewReader(body))
	for kind := z.Next(); kind != xhtml.ErrorToken; kind = z.Next() {
		raw := bytes.Clone(z.Raw()) // Token changes it
		tag := z.Token()
		key := references[tag.Data]
		switch {
		case silent && (kind == xhtml.TextToken || kind == xhtml.EndTagToken && tag.Data == "a"):
			silent = kind == xhtml.TextToken
			continue
		case kind == xhtml.EndTagToken && tag.Data == "a":
			double()
		case kind == xhtml.StartTagToken && tag.Data == "base":
			if ref := attribute(tag, "href"); ref != "" {
				base = base.With(strings.TrimSpace(ref))
			}
		case (kind == xhtml.StartTagToken || kind == xhtml.SelfClosingTagToken) && key != "":
			to, text := c.target(ctx, base, attribute(tag, key)), kind == xhtml.StartTagToken && tag.Data == "a"
			f := c.fates[to]
			double()
			silent = false
			if night < f.appears {
				hidden, silent = append(hidden, to), text
				continue
			}
			if f.appears > 0 {
				fresh = append(fresh, to)
			}
			if text && f.copied > 0 && night >= f.copied {
				second, from = copyOf(to), out.Len()+len(raw)
			}
		}
		out.Write(raw)
	}
	return out.Bytes(), hidden, fresh
}

// references are the attributes with the addresses that a crawl follows, by the element.
var references = map[string]string{"a": "href", "area": "href", "frame": "src", "iframe": "src"}

// target is the final URL that a reference leads to, "" for none.
func (c *changing) target(ctx context.Context, base *weburl.Base, ref string) string {
	ref, ok := page.Reference(ref)
	if !ok {
		return ""
	}
	url, err := base.Resolve(ref)
	if err != nil {
		return ""
	}
	return c.final(ctx, weburl.Document(url))
}

func attribute(t xhtml.Token, key string) string {
	for _, a := range t.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// show makes the snapshots of a session those of a night.
func (c *changing) show(ctx context.Context, events []protocol.Event, night int) error {
	urls := map[string]string{} // by page load
	for i := range events {
		e := &events[i]
		if e.URL != "" {
			urls[e.Page] = e.URL
		}
		if e.Type != protocol.Snapshot {
			continue
		}
		body, err := e.Unpack()
		if err != nil {
			return err
		}
		body, _, _ = c.edit(ctx, page.Source{URL: urls[e.Page]}, body, night)
		e.HTML = protocol.Pack(body)
	}
	return nil
}
