package web

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"nightjar/crawler/archive"
	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
	"nightjar/daemon/store"
)

// copyPage is what is kept of a find, as text: nothing of the page's own HTML comes to the dashboard.
type copyPage struct {
	FindID int64
	Title  string
	Link   link // to the page itself
	Host   string
	At     time.Time
	Blocks []string // paragraphs, list items, cells
	Cut    bool     // the page was longer than what is kept
	From   string   // where the text is from, in words
	None   string   // why there is nothing to read, in words; "" when there is
}

// handleCopy shows the text of a find as it was on the night that it was found, for when the page is gone.
func (s *Server) handleCopy(w http.ResponseWriter, r *http.Request) error {
	id, err := number64(chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	c, err := s.Store.CopyOf(r.Context(), id)
	if err != nil {
		return err
	}
	p := copyPage{FindID: id, Title: titleOr(c.Title, c.URL), Link: link{c.URL, c.URL}, Host: weburl.Host(c.URL), At: c.At}
	html, cut, why := s.keptHTML(c)
	if html != nil {
		p.From, p.Cut = why, cut
		p.Blocks = blocks(c, html)
	} else {
		p.None = why
	}
	if p.None == "" && len(p.Blocks) == 0 {
		p.None = "The page had no text of its own."
	}
	return s.render(w, r, http.StatusOK, "copy", layout{Title: "Kept copy", Section: "finds"}, p)
}

// keptHTML gets a page as it was read, and says where it is from; nil and why there is none otherwise. What a page made
// of itself by scripts is only in the database.
func (s *Server) keptHTML(c store.Copy) (html []byte, cut bool, why string) {
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
		why = "It was not archived: the archive was off on that night, or its disk was full."
	case errors.Is(err, archive.ErrGone):
		why = "It is no longer in the archive: nights are deleted by age and size, as the settings say."
	default:
		s.Log.Warn("a kept copy cannot be read", "find", c.FindID, "err", err, "outcome", archived.Outcome)
		why = "What the archive holds of it cannot be read any more."
	}
	return nil, false, why
}

// archived reads a page from the archive. A 304 has no body there.
func (s *Server) archived(c store.Copy) (fetch.Response, error) {
	if s.Archive == nil || c.Place.File == "" {
		return fetch.Response{}, archive.ErrGone
	}
	e, err := s.Archive.Read(c.Place, c.URL)
	if err != nil {
		return fetch.Response{}, err
	}
	return e.Read(), nil
}

// blocks are the lines of a page's text without its title, which stands above them.
func blocks(c store.Copy, html []byte) []string {
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
		if l = strings.TrimSpace(printable(l)); l != "" {
			kept = append(kept, l)
		}
	}
	return kept
}
