package demoweb

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"nightjar/crawler/warc"
)

// recorded is the date in recordings.
var recorded = time.Date(2005, time.June, 1, 0, 0, 0, 0, time.UTC)

// Record writes the pages and redirects that a polite crawler may fetch as a recording. The same web gives the same bytes.
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
