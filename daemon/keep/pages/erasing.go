package pages

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"

	"nightjar/daemon/keep/backup"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/keep/safekeeping"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
)

// Erasing erases sites in the background; see erasing.Eraser.
type Erasing interface {
	Plan(ctx context.Context, host string) (erasing.Plan, error) // what would be erased
	Begin(ctx context.Context, host string) (erasing.Erasing, error)
}

// erasingPage says how far the erasing of sites is, and what the last one did.
type erasingPage struct {
	Open []erasing.Erasing
	Last *erasing.Erasing // nil for none
	copiesPart
}

// copiesPart lists the copies of the data that still have what was erased.
type copiesPart struct {
	Copies []safekeeping.Copy
	Old    []string // folders with the data from before a restore
}

// stepWords say what an erasing does.
var stepWords = map[string]string{
	erasing.StepRows:     "deletes what is stored about the site",
	erasing.StepContents: "takes links to the site out of stored pages",
	erasing.StepArchive:  "takes the site out of the archive",
	erasing.StepScrub:    "rewrites the database file",
	erasing.StepCheck:    "looks through everything once more",
}

// copyWords say what kind of copy one is.
var copyWords = map[string]string{
	safekeeping.Automatic: "Automatic backup",
	safekeeping.Saved:     "Saved from a damaged database",
	safekeeping.Update:    "From before an update",
}

func (s *server) keptCopies() (p copiesPart, err error) {
	if p.Copies, err = safekeeping.List(s.DataDir); err != nil {
		return p, err
	}
	p.Old, err = backup.OldFolders(s.DataDir)
	return p, err
}

// handleErasing shows how far the erasing of sites is; the page's script asks for the part alone.
func (s *server) handleErasing(w http.ResponseWriter, r *http.Request) error {
	var p erasingPage
	var err error
	if p.Open, err = erasing.Open(r.Context(), s.Store.DB); err != nil {
		return err
	}
	last, err := erasing.Last(r.Context(), s.Store.DB)
	switch {
	case err == nil:
		p.Last = &last
	case !errors.Is(err, store.ErrNotFound):
		return err
	}
	if p.copiesPart, err = s.keptCopies(); err != nil {
		return err
	}
	return s.Show(w, r, "erasing", "erasing-part", frame.Layout{Title: "Erased sites", Section: "settings"}, p)
}

func (s *server) handleDeleteCopy(w http.ResponseWriter, r *http.Request) error {
	c, err := safekeeping.Find(s.DataDir, r.PostFormValue("name"))
	if errors.Is(err, fs.ErrNotExist) {
		return frame.BadInput("there is no such copy any more; nothing was deleted")
	}
	if err == nil {
		err = os.Remove(c.Path)
	}
	if err != nil {
		return fmt.Errorf("delete a copy of the data: %w", err)
	}
	return frame.Done(w, r, "/settings/erasing", "copy-deleted")
}
