package pages

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"time"

	"nightjar/daemon/base/terminal"
	"nightjar/daemon/keep/safekeeping"
	"nightjar/daemon/web/frame"
)

// Damaged are the pages of a dashboard whose database is damaged: what is wrong, how to continue, and the doctor. Of Pages, they need
// DataDir, Examine, Restart, Log and Now.
type Damaged struct {
	Pages
	Damage  safekeeping.Damage
	Size    int64                                        // of the damaged file in bytes
	Present bool                                         // the file can be opened, if only in part
	Stage   func(ctx context.Context, path string) error // checks the backup at path and stages it; the next start puts it in place
}

// damaged answers requests for the pages.
type damaged struct {
	*frame.Frame
	Damaged
}

// Register adds the pages to the dashboard.
func (d Damaged) Register(f *frame.Frame) {
	s := &damaged{f, d}
	d.addTo(f)
	s.Otherwise(s.handleDamagedElsewhere)
	s.Get("/", s.handleDamaged)
	s.Get("/doctor", s.handleDamagedDoctor)
	s.Post("/damaged/restore", s.handleDamagedRestore)
	s.Post("/damaged/save", s.handleDamagedSave)
}

// damagedPage says what is damaged, what can be read, and how to continue.
type damagedPage struct {
	Damage  safekeeping.Damage
	Size    int64
	Parts   []safekeeping.Part
	Copies  []safekeeping.Copy
	DataDir string
	Manual  bool   // the program must be started again by hand
	Problem string // why the last try failed
}

// readTime is how long the page counts what can be read.
const readTime = 5 * time.Second

// handleDamagedElsewhere leads every other page to the one that says what is wrong. What was sent with a form is not done, and
// that is said.
func (s *damaged) handleDamagedElsewhere(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return s.showDamaged(w, r, http.StatusServiceUnavailable, "Nothing was changed: the database is damaged, and Nightjar does not write to it")
	}
	return frame.SeeOther(w, r, "/")
}

func (s *damaged) handleDamaged(w http.ResponseWriter, r *http.Request) error {
	return s.showDamaged(w, r, http.StatusOK, "")
}

func (s *damaged) showDamaged(w http.ResponseWriter, r *http.Request, status int, problem string) error {
	copies, err := safekeeping.List(s.DataDir)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), readTime)
	defer cancel()
	p := damagedPage{Damage: s.Damage, Size: s.Size, Copies: copies, DataDir: s.DataDir, Manual: s.Restart == nil, Problem: frame.Sentence(problem)}
	if s.Present {
		p.Parts = safekeeping.Readable(ctx, s.Damage.Path)
	}
	return s.Render(w, r, status, "damaged", frame.Layout{Title: "The database is damaged", Bare: true}, p)
}

// handleDamagedRestore puts a backup of the list in place of the damaged database, which is kept beside it.
func (s *damaged) handleDamagedRestore(w http.ResponseWriter, r *http.Request) error {
	c, err := safekeeping.Find(s.DataDir, r.PostFormValue("name"))
	if errors.Is(err, fs.ErrNotExist) {
		return s.showDamaged(w, r, http.StatusUnprocessableEntity, "this backup is not there any more; choose another one")
	}
	if err != nil {
		return err
	}
	if err := s.Stage(r.Context(), c.Path); err != nil {
		return s.showDamaged(w, r, http.StatusUnprocessableEntity, err.Error()+". Nothing was changed; choose another backup")
	}
	if s.Restart == nil {
		return s.showDamaged(w, r, http.StatusOK, "the backup is checked. Start Nightjar again to complete the restore")
	}
	w.Header().Set("Refresh", "3; url=/settings?done=restored")
	err = s.Render(w, r, http.StatusOK, "restoring", frame.Layout{Title: "Restoring", Bare: true}, nil)
	s.Restart()
	return err
}

// handleDamagedSave writes what can be read of the damaged database to a new one, which the list then offers.
func (s *damaged) handleDamagedSave(w http.ResponseWriter, r *http.Request) error {
	lost, err := safekeeping.Save(r.Context(), s.Damage.Path, s.DataDir, s.Now())
	if err != nil {
		s.Log.Error("save what can be read of a damaged database", "err", err)
		return s.showDamaged(w, r, http.StatusUnprocessableEntity, "this could not be saved: "+err.Error())
	}
	s.Log.Info("saved what can be read of the damaged database", "tables with losses", lost)
	return frame.SeeOther(w, r, "/#copies")
}

// handleDamagedDoctor shows the doctor's report without the parts of the layout that need the database.
func (s *damaged) handleDamagedDoctor(w http.ResponseWriter, r *http.Request) error {
	p := doctorPageOf(s.Examine(r.Context(), 0))
	for i := range p.Order {
		p.Order[i].Page = ""
	}
	return s.Render(w, r, http.StatusOK, "doctor", frame.Layout{Title: "Doctor", Bare: true}, p)
}

// Lost reports whether nothing can be read.
func (p damagedPage) Lost() bool {
	for _, part := range p.Parts {
		if part.Err == nil {
			return false
		}
	}
	return true
}

// Command is what restores a backup in a terminal.
func (p damagedPage) Command() string {
	return terminal.On(p.DataDir, "restore BACKUP")
}

// KindWords say what a copy is.
func (p damagedPage) KindWords(c safekeeping.Copy) string {
	switch c.Kind {
	case safekeeping.Saved:
		return "what could be read of the damaged database"
	case safekeeping.Update:
		return "copy from before an update of Nightjar"
	}
	return "automatic backup, checked when it was made"
}
