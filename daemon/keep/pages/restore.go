package pages

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"

	"nightjar/daemon/base/leftovers"
	"nightjar/daemon/keep/backup"
	"nightjar/daemon/keep/safekeeping"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
)

// maxBackup is the maximal size of an uploaded backup in bytes. The disk is the limit that matters.
const maxBackup = 1 << 40

// restorePath takes an uploaded backup, which may be larger than any other form.
const restorePath = "/settings/restore"

// restorePage says what a backup holds, before it replaces the data.
type restorePage struct {
	Backup *backup.Staged
	Manual bool // the program must be started again by hand
}

// handleRestore checks an uploaded backup, and shows what it holds.
func (s *server) handleRestore(w http.ResponseWriter, r *http.Request) error {
	name, err := s.receive(r)
	if name != "" {
		defer func() { _ = os.Remove(name) }() // it is unpacked by then
	}
	if err != nil {
		return err
	}
	found, err := backup.Check(r.Context(), name, s.DataDir, s.Now())
	for _, known := range []error{backup.ErrNoBackup, backup.ErrDamaged, backup.ErrNoSpace, store.ErrNotNightjar, store.ErrNewer} {
		if errors.Is(err, known) {
			return frame.BadInput(err.Error() + ". Nothing was changed")
		}
	}
	if err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, "restore", frame.Layout{Title: "Restore a backup", Section: "settings"}, restorePage{Backup: found, Manual: s.Restart == nil})
}

// receive writes an uploaded backup to a file in the data folder, without holding it in memory.
func (s *server) receive(r *http.Request) (name string, err error) {
	free := s.Scheduler.Status().Machine.Free
	if free > 0 && r.ContentLength > free/2 { // it is unpacked beside
		return "", frame.BadInput(backup.ErrNoSpace.Error())
	}
	parts, err := r.MultipartReader()
	if err != nil {
		return "", frame.BadInput("choose the file of a backup first")
	}
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return "", frame.BadInput("choose the file of a backup first")
		}
		if err != nil {
			return "", fmt.Errorf("receive a backup: %w", err)
		}
		if part.FormName() != "backup" || part.FileName() == "" {
			continue
		}
		f, err := os.CreateTemp(s.DataDir, leftovers.Upload+"*")
		if err != nil {
			return "", fmt.Errorf("receive a backup: %w", err)
		}
		_, err = io.Copy(f, part)
		if err = errors.Join(err, f.Close()); err != nil {
			err = fmt.Errorf("receive a backup: %w", err)
		}
		return f.Name(), err
	}
}

// handleRestoreConfirm puts the checked backup in place: the daemon's parts are stopped, and start with its data.
func (s *server) handleRestoreConfirm(w http.ResponseWriter, r *http.Request) error {
	if r.PostFormValue("keep") != "" {
		if err := backup.Cancel(s.DataDir); err != nil {
			return err
		}
		return frame.Done(w, r, "/settings", "restore-canceled")
	}
	err := backup.Confirm(r.Context(), s.DataDir)
	if errors.Is(err, os.ErrNotExist) {
		return frame.BadInput("there is no checked backup any more; choose the file again")
	}
	if err != nil {
		return err
	}
	if s.Restart == nil {
		return frame.Done(w, r, "/settings", "restore-next")
	}
	w.Header().Set("Refresh", "3; url=/settings?done=restored")
	err = s.Render(w, r, http.StatusOK, "restoring", frame.Layout{Title: "Restoring", Bare: true}, nil)
	s.Restart()
	return err
}

// Backups makes automatic backups; see safekeeping.Keeper.
type Backups interface {
	Status() safekeeping.Status
	Start()
	Erase() error // deletes them, as they hold what was erased; a new one is made when the erasing has ended
}

// backupsPart shows the automatic backups.
type backupsPart struct {
	Copies []safekeeping.Copy // automatic and saved ones, newest first
	Status safekeeping.Status
}

// backupsNow lists the automatic backups.
func (p Pages) backupsNow() (b backupsPart, err error) {
	all, err := safekeeping.List(p.DataDir)
	if err != nil {
		return b, err
	}
	for _, c := range all {
		if c.Kind != safekeeping.Update {
			b.Copies = append(b.Copies, c)
		}
	}
	b.Status = p.Backups.Status()
	return b, nil
}

// handleBackupMake asks for an automatic backup now.
func (s *server) handleBackupMake(w http.ResponseWriter, r *http.Request) error {
	s.Backups.Start()
	return frame.Done(w, r, "/settings", "backup-started")
}
