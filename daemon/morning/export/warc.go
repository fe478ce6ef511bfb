package export

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"time"

	"nightjar/crawler/archive"
	"nightjar/crawler/fetch"
	"nightjar/daemon/morning/finds"
)

// Pages reads archived pages for a WARC file.
type Pages struct {
	Archive  *archive.Archive // nil for an empty one
	Software string           // such as Nightjar/0.3
	Now      time.Time
}

// Copies are what was kept of finds' pages. An error ends the sequence.
type Copies = iter.Seq2[finds.Copy, error]

// Absent returns why a page cannot be written, "" if it can. It reads the page.
func (p Pages) Absent(c finds.Copy) (why string) {
	_, why = p.read(c)
	return why
}

// read reads a page, or says why it is not there.
func (p Pages) read(c finds.Copy) (e fetch.Exchange, why string) {
	if c.Place.File == "" {
		return e, "it was not archived: the archive was off, or the disk was full"
	}
	err := archive.ErrGone
	if p.Archive != nil {
		e, err = p.Archive.Read(c.Place, c.URL)
	}
	switch {
	case errors.Is(err, archive.ErrGone):
		return e, "it is no longer in the archive: old nights are deleted by the limits in Settings"
	case err != nil:
		return e, "its record cannot be read"
	case e.Status == http.StatusNotModified:
		return e, "it had not changed since an earlier night, whose record has its text"
	}
	return e, ""
}

// WARC writes the archived pages. Its last record names those that are missing, with the reason.
func (p Pages) WARC(w io.Writer, name string, copies Copies) error {
	out, err := archive.NewExporter(w, name, p.Software, archive.About{Description: "pages of chosen finds"}, p.Now)
	if err != nil {
		return err
	}
	var missing []string
	for c, err := range copies {
		if err != nil {
			return err
		}
		e, why := p.read(c)
		if why != "" {
			missing = append(missing, fmt.Sprintf("%s %s", c.URL, why))
			continue
		}
		if err := out.Add(e); err != nil {
			return err
		}
	}
	return out.Missing(missing)
}
