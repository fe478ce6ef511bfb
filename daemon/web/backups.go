package web

import (
	"net/http"

	"nightjar/daemon/keep/safekeeping"
	"nightjar/daemon/web/frame"
)

// Backups makes automatic backups; see safekeeping.Keeper.
type Backups interface {
	Status() safekeeping.Status
	Start()
	Erase() error
}

// backupsPart shows the automatic backups.
type backupsPart struct {
	Copies []safekeeping.Copy // automatic and saved ones, newest first
	Status safekeeping.Status
	Bytes  int64 // of all
}

// backupsOf lists the automatic backups.
func (s *Server) backupsOf() (b backupsPart, err error) {
	all, err := safekeeping.List(s.DataDir)
	if err != nil {
		return b, err
	}
	for _, c := range all {
		if c.Kind != safekeeping.Update {
			b.Copies = append(b.Copies, c)
			b.Bytes += c.Bytes
		}
	}
	if s.Backups != nil {
		b.Status = s.Backups.Status()
	}
	return b, nil
}

// handleBackupMake asks for an automatic backup now.
func (s *Server) handleBackupMake(w http.ResponseWriter, r *http.Request) error {
	if s.Backups == nil {
		return frame.ErrNoPage
	}
	s.Backups.Start()
	return frame.Done(w, r, "/settings", "backup-started")
}

// eraseBackups deletes the automatic backups, which hold what was erased. A new one is made when the erasing has ended.
func (s *Server) eraseBackups() error {
	if s.Backups == nil {
		return safekeeping.EraseAll(s.DataDir)
	}
	return s.Backups.Erase()
}
