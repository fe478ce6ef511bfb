package pages

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"nightjar/crawler/archive"
	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/web/frame"
)

// copyPage is the saved copy of a find as text. The dashboard never shows the page's own HTML.
type copyPage struct {
	FindID int64
	Title  string
	Link   frame.Link // to the page itself
	At     time.Time
	Blocks []string // paragraphs, list items, cells
	Cut    bool     // the page was longer than the limit
	From   string   // source of the text, in words
	None   string   // why there is no text, in words; "" when there is
}

// handleCopy shows the text of a find as the crawl read it, for when the page is gone.
func (s *server) handleCopy(w http.ResponseWriter, r *http.Request, id int64) error {
	c, err := finds.CopyOf(r.Context(), s.Store.DB, id)
	if err != nil {
		return err
	}
	p := copyPage{FindID: id, Title: frame.TitleOr(c.Title, c.URL), Link: frame.Link{URL: c.URL, Name: c.URL}, At: c.At}
	html, cut, note := s.savedHTML(c)
	if html != nil {
		p.From, p.Cut = note, cut
		p.Blocks = blocks(c, html)
	} else {
		p.None = note
	}
	if p.None == "" && len(p.Blocks) == 0 {
		p.None = "The page had no text."
	}
	return s.Render(w, r, http.StatusOK, "copy", frame.Layout{Title: "Saved copy", Section: "finds"}, p)
}

// savedHTML returns a page as it was read, with its source as the note; nil and the reason when there is none. Rendered
// pages are only in the database.
func (s *server) savedHTML(c finds.Copy) (html []byte, cut bool, note string) {
	const fromStore = "from the database"
	if c.Rendered && c.HTML != nil {
		return c.HTML, false, fromStore
	}
	archived, err := s.archived(c)
	switch {
	case err == nil && archived.Outcome == fetch.OK:
		return archived.Body, archived.Truncated, "from the archive"
	case c.HTML != nil:
		return c.HTML, false, fromStore
	case c.Place.File == "":
		note = "The page was not archived: the archive was off, or the disk was full."
	case errors.Is(err, archive.ErrGone):
		note = "The page is no longer in the archive: old nights are deleted by the limits in Settings."
	default:
		s.Log.Warn("a saved copy cannot be read", "find", c.FindID, "err", err, "outcome", archived.Outcome)
		note = "The archived page cannot be read."
	}
	return nil, false, note
}

// archived reads a page from the archive, where a 304 has no body.
func (s *server) archived(c finds.Copy) (fetch.Response, error) {
	if c.Place.File == "" {
		return fetch.Response{}, archive.ErrGone
	}
	e, err := s.Archive.Read(c.Place, c.URL)
	if err != nil {
		return fetch.Response{}, err
	}
	return e.Response(), nil
}

// blocks returns the lines of a page's text without its title, which the page shows as a heading.
func blocks(c finds.Copy, html []byte) []string {
	p, err := page.Parse(c.URL, page.ContentUTF8, html)
	if err != nil {
		return nil
	}
	lines := strings.Split(p.Text, "\n")
	if len(lines) > 0 && lines[0] == strings.Join(strings.Fields(p.Title), " ") {
		lines = lines[1:]
	}
	kept := lines[:0]
	for _, l := range lines {
		if l = strings.TrimSpace(frame.Printable(l)); l != "" {
			kept = append(kept, l)
		}
	}
	return kept
}
