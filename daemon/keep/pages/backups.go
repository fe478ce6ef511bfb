package pages

import (
	"net/http"

	"nightjar/daemon/keep/safekeeping"
	"nightjar/daemon/web/frame"
)

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
