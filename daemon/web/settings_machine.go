package web

import (
	"errors"
	"io/fs"
	"net/http"
	"os"
	"time"

	"nightjar/crawler/render"
	"nightjar/daemon/base/machine"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/web/frame"
)

// machineWords describes the machine's power and network now.
type machineWords struct{ Power, Network string }

func machineNow(s scheduler.Status) machineWords {
	return machineWords{
		Power: map[machine.Answer]string{machine.Yes: "on battery power", machine.No: "on mains power",
			machine.Unknown: "unknown, which counts as mains power"}[s.Machine.Battery],
		Network: map[machine.Answer]string{machine.Yes: "metered", machine.No: "not metered",
			machine.Unknown: "unknown, which counts as not metered"}[s.Machine.Metered],
	}
}

// noBrowser says why there is no browser that renders pages, "" when there is one.
func noBrowser() string {
	if _, err := render.Find(); err != nil {
		return frame.Sentence(err.Error())
	}
	return ""
}

// archiveUse is the archive's use of the disk.
type archiveUse struct {
	Files  int
	Bytes  int64
	Oldest time.Time // when the oldest file was finished
}

func (s *Server) archiveUse() (archiveUse, error) {
	if s.Archive == nil {
		return archiveUse{}, nil
	}
	var use archiveUse
	entries, err := os.ReadDir(s.Archive.Dir())
	if err != nil {
		return use, err
	}
	for _, e := range entries {
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // pruned meanwhile
		}
		if err != nil {
			return use, err
		}
		if !info.Mode().IsRegular() || e.Name() == "lock" {
			continue
		}
		use.Files, use.Bytes = use.Files+1, use.Bytes+info.Size()
		if use.Oldest.IsZero() || info.ModTime().Before(use.Oldest) {
			use.Oldest = info.ModTime()
		}
	}
	return use, nil
}

// handlePrune deletes archive files beyond the limit, as the start of a night does.
func (s *Server) handlePrune(w http.ResponseWriter, r *http.Request) error {
	settings, err := s.Store.Settings(r.Context())
	if err != nil {
		return err
	}
	notice := "nothing-pruned"
	if s.Archive != nil {
		pruned, err := s.Archive.Prune(settings.Archive.Megabytes)
		if err != nil {
			return err
		}
		if pruned.Files > 0 {
			notice = "pruned"
		}
	}
	return frame.Done(w, r, "/settings", notice)
}
