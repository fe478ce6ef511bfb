package archive

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// Use is what an archive takes of the disk.
type Use struct {
	Files  int
	Bytes  int64
	Oldest time.Time // when the oldest file was finished
}

// Use says what the archive takes of the disk.
func (a *Archive) Use() (use Use, err error) {
	entries, err := os.ReadDir(a.Dir())
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
