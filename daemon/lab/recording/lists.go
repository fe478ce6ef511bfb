package recording

import (
	"context"
	"net/http"
	"time"

	"nightjar/crawler/fetch"
)

// Listing is a recording that also answers which pages hosts list: a fetch.Lister. It reads the robots.txt and the sitemaps in the
// recording, and those that were made up for it.
type Listing struct {
	*Replay
	MadeUp map[string][]byte // robots.txt and sitemaps, by canonical URL
	Now    time.Time         // dates in lists that are more than a day later are ignored
}

// List answers with the lists of a URL's host.
func (l Listing) List(_ context.Context, url string) fetch.Response {
	return fetch.Response{URL: url, FinalURL: url, Outcome: fetch.OK, Lists: fetch.RecordedLists(url, l.Now, l.file)}
}

// AddFeeds takes none: a crawl of a recording lasts a moment, in which nothing new appears.
func (l Listing) AddFeeds(context.Context, string, []string) bool { return false }

// file is a robots.txt or a list.
func (l Listing) file(url string) (header http.Header, body []byte, ok bool) {
	if body, ok = l.MadeUp[url]; ok {
		return nil, body, true
	}
	at, ok := l.lists[url]
	if !ok {
		e, page := l.entries[url] // other programs record them as pages
		if at, ok = e.place, page && e.rank == rankType; !ok {
			return nil, nil, false
		}
	}
	a, err := l.answer(entry{place: at})
	return a.Header, a.Body, err == nil
}
