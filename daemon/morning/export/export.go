// Package export writes chosen finds as files for other programs: bookmarks that browsers import, CSV, JSON, Markdown,
// RIS, BibTeX, WARC with the archived pages, and OPML with the feeds of their sites.
//
// Each function streams: it takes finds one after the other and writes as it goes. An error after the first byte means
// that the file is incomplete.
package export

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"nightjar/daemon/morning/api"
)

// Finds are finds to write. An error ends the sequence.
type Finds = iter.Seq2[api.Find, error]

// Bookmarks writes the Netscape bookmark format, with a folder for each run of finds of one topic:
// https://learn.microsoft.com/previous-versions/windows/internet-explorer/ie-developer/platform-apis/aa753582(v=vs.85)
func Bookmarks(w io.Writer, finds Finds) error {
	out := &text{w: w}
	out.put("<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<META HTTP-EQUIV=\"Content-Type\" CONTENT=\"text/html; charset=UTF-8\">\n" +
		"<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>\n<DL><p>\n")
	topic := int64(0)
	for f, err := range finds {
		if err != nil {
			return err
		}
		page := f.FromTheWeb
		if !strings.HasPrefix(page.URL, "http://") && !strings.HasPrefix(page.URL, "https://") {
			continue // a browser would run a bookmark of another kind
		}
		if f.TopicID != topic {
			if topic != 0 {
				out.put("    </DL><p>\n")
			}
			topic = f.TopicID
			out.put("    <DT><H3>Nightjar: %s</H3>\n    <DL><p>\n", html.EscapeString(api.Plain(f.Topic)))
		}
		out.put("        <DT><A HREF=\"%s\" ADD_DATE=\"%d\">%s</A>\n", html.EscapeString(page.URL), f.FoundAt.Unix(), html.EscapeString(titled(page)))
		if page.Reason != "" {
			out.put("        <DD>%s\n", html.EscapeString(page.Reason))
		}
		if out.err != nil {
			return out.err
		}
	}
	if topic != 0 {
		out.put("    </DL><p>\n")
	}
	out.put("</DL><p>\n")
	return out.err
}

// text writes until the first error.
type text struct {
	w   io.Writer
	err error
}

func (t *text) put(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format, args...)
	}
}

func titled(page api.FromTheWeb) string {
	if page.Title == "" {
		return page.URL
	}
	return page.Title
}

var columns = []string{"found_at", "topic", "title", "url", "site", "mark", "visited", "new", "similarity", "useful", "reason", "snippet", "worker"}

// CSV writes one line a find, after a line of names (RFC 4180).
func CSV(w io.Writer, finds Finds) error {
	out := csv.NewWriter(w)
	out.UseCRLF = true
	if err := out.Write(columns); err != nil {
		return err
	}
	for f, err := range finds {
		if err != nil {
			return err
		}
		page := f.FromTheWeb
		line := []string{f.FoundAt.UTC().Format(time.RFC3339), api.Plain(f.Topic), page.Title, page.URL, page.Site, f.Mark,
			strconv.FormatBool(f.Visited), strconv.FormatBool(f.New), short(f.Similarity), short(f.Useful), page.Reason, page.Snippet, f.Worker}
		if err := out.Write(cells(line)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// Lines writes lines of cells as CSV.
func Lines(w io.Writer, lines [][]string) error {
	for _, line := range lines {
		cells(line)
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// cells makes Cells of the texts of a line.
func cells(line []string) []string {
	for i := range line {
		line[i] = Cell(line[i])
	}
	return line
}

func short(v float64) string { return strconv.FormatFloat(v, 'f', -1, 32) }

// Cell keeps a spreadsheet from reading text from the web as a formula: text that starts like one gets an apostrophe in
// front (OWASP, CSV Injection), also after spaces and with the wide forms of the signs. Negative numbers stay.
func Cell(text string) string {
	if text == "" {
		return text
	}
	start, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, " \u00a0\u3000"))
	if !strings.ContainsRune("=+-@|%\t\r\n\uff1d\uff0b\uff0d\uff20", start) {
		return text
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil && start == '-' && strings.Trim(text, "0123456789.eE+-") == "" {
		return text // a negative number in digits: “-Infinity” is a formula
	}
	return "'" + text
}

// JSON writes one object: when it was written, and the finds as the API shows them.
func JSON(w io.Writer, at time.Time, finds Finds) error {
	out := &text{w: w}
	out.put("{\"exported_at\":%q,\"finds\":[", at.UTC().Format(time.RFC3339))
	comma := "\n"
	for f, err := range finds {
		if err != nil {
			return err
		}
		one, err := json.Marshal(f)
		if err != nil {
			return err
		}
		out.put("%s%s", comma, one)
		comma = ",\n"
		if out.err != nil {
			return out.err
		}
	}
	out.put("\n]}\n")
	return out.err
}
