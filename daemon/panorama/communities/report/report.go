package report

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"

	"nightjar/daemon/chart"
	"nightjar/daemon/panorama/communities"
)

// MaxBytes is the largest file that Write writes.
const MaxBytes = 1_000_000

//go:embed report.html report.css
var files embed.FS

var page = template.Must(template.Must(template.ParseFS(files, "report.html", "report.css")).New("map.css").Parse(chart.CommunitiesStyle))

// limits say how much of a map a report shows.
type limits struct {
	communities int // with a section of their own
	listed      int // pages in each list of a community
	words       int // of a community
	name        int // characters of a community's name, and of a word
	title       int // characters of a page's title, and of a title that was looked for
	snippet     int // characters
	address     int // bytes of an address that is linked; a longer one is text
	titles      int
	positives   int
	queries     int
	gone        int
}

// cuts are the limits that Write tries, one after the other, until the file is small enough. Nearly all maps fit the first.
//
// The last ones hold MaxBytes for every map. A character takes at most 5 bytes ("&" is written "&amp;"), so that a page in a
// list takes at most 5·(60 title + 200 address + 60 address as shown) bytes and 300 of markup, 1.9 kB; a community of
// 3·4 pages, 4 snippets and 12 words at most 32 kB, and 20 of them .64 MB; all the lists at the end .25 MB; the map, which
// has no more than 20 circles and 190 lines, .15 MB.
var cuts = []limits{
	{communities: 20, listed: 10, words: 30, name: 120, title: 300, snippet: 400, address: 2000, titles: 500, positives: 500, queries: 200, gone: 100},
	{communities: 20, listed: 10, words: 20, name: 80, title: 120, snippet: 200, address: 600, titles: 150, positives: 150, queries: 100, gone: 50},
	{communities: 20, listed: 3, words: 12, name: 60, title: 60, snippet: 100, address: 200, titles: 50, positives: 40, queries: 50, gone: 40},
}

// Write writes a map as one file of HTML of at most MaxBytes. What it leaves out to stay below is named in it. Nothing is
// written when there is an error other than one of w.
func Write(w io.Writer, v *communities.View) error {
	var out bytes.Buffer
	for i, l := range cuts {
		out.Reset()
		if err := page.ExecuteTemplate(&out, "report.html", newSheet(v, l, i > 0)); err != nil {
			return fmt.Errorf("write report: %w", err)
		}
		if out.Len() <= MaxBytes {
			_, err := out.WriteTo(w)
			return err
		}
	}
	return fmt.Errorf("write report: %d bytes are more than the %d of a report", out.Len(), MaxBytes)
}
