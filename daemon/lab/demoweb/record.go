package demoweb

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"nightjar/crawler/warc"
)

// recorded is when the web is said to have been recorded.
var recorded = time.Date(2005, time.June, 1, 0, 0, 0, 0, time.UTC)

// Record writes what a polite crawler may get of the web, pages and redirects, as an archive for replay. The same web
// makes the same bytes.
func (w *Web) Record(out io.Writer) error {
	archive := warc.NewWriter(out)
	for _, url := range slices.Concat(w.Pages(), w.Redirects()) {
		d := w.documents[url]
		header := http.Header{"Content-Type": {"text/html; charset=utf-8"}}
		if d.location != "" {
			header.Set("Location", d.location)
		}
		if err := archive.Response(url, recorded, d.status, header, []byte(d.body)); err != nil {
			return fmt.Errorf("record the made-up web: %w", err)
		}
	}
	return nil
}
