package fetch

import (
	"bytes"
	"net/http"
	"time"

	"nightjar/crawler/robots"
	"nightjar/crawler/weburl"
)

// Recorded returns the recorded answer to a request for a robots.txt or a sitemap; ok is false when there is none with status 200.
type Recorded func(url string) (header http.Header, body []byte, ok bool)

// RecordedLists are the lists that a host published when it was recorded, read as Live.List does.
func RecordedLists(url string, now time.Time, answer Recorded) []List {
	root := weburl.Origin(url) + "/"
	_, body, _ := answer(root + "robots.txt")
	rules := robots.Parse(body, "")
	var h HostList
	for h.begin(root, rules, now); h.next < len(h.Files); h.nextFile() {
		f := &h.Files[h.next]
		header, body, ok := answer(f.URL)
		most := h.share()
		if !ok || most <= 0 {
			continue
		}
		p := newPicker(most, now, f.mayName)
		_ = parseList(asWire(bytes.NewReader(body)), header.Values("Content-Encoding"), p) // what was read before an error counts
		h.takePicked(p, func(url string) bool { return weburl.Origin(url)+"/" != root || rules.Allows(robots.PathOf(url)) })
	}
	return h.lists()
}
