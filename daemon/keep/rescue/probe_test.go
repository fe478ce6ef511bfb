//go:build !race

package rescue

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"nightjar/daemon/store/storetest"
)

// Probes run in one goroutine: the race detector has nothing to see in them.

// TestProbe damages a database in more than a hundred places. The probe finds at least 95 % of what hits a structure, and
// changes neither the file nor the log; what it does not find, Open can open or refuses with an error.
func TestProbe(t *testing.T) {
	whole, db, wal := fullDatabase(t)
	dir := t.TempDir()
	place := func(d damage) string {
		path := filepath.Join(dir, "nightjar.db")
		for _, end := range []string{"", "-wal", "-shm"} {
			storetest.OK(t, os.RemoveAll(path+end))
		}
		storetest.OK(t, os.WriteFile(path, d.db, 0o600))
		if d.wal != nil {
			storetest.OK(t, os.WriteFile(path+"-wal", d.wal, 0o600))
		}
		return path
	}
	if p, err := Probe(t.Context(), place(damage{db: db, wal: wal})); err != nil || len(p.Faults) > 0 || p.Note != "" {
		t.Fatalf("a sound database: %+v, %v", p, err)
	}
	structural, found, others, alsoFound := 0, 0, 0, 0
	for _, d := range append(damages(whole), logDamages(db, wal)...) {
		path := place(d)
		p, err := Probe(t.Context(), path)
		faults := p.Faults
		if err != nil {
			t.Errorf("%s: %v", d.name, err)
		}
		if !bytes.Equal(mustRead(t, path), d.db) || d.wal != nil && !bytes.Equal(mustRead(t, path+"-wal"), d.wal) {
			t.Errorf("%s: the probe changed the file", d.name)
		}
		switch {
		case d.structural:
			structural++
			if len(faults) > 0 {
				found++
			} else {
				t.Logf("not found: %s", d.name)
			}
		default:
			others++
			if len(faults) > 0 {
				alsoFound++
			}
		}
	}
	t.Logf("found %d of %d damaged structures, and %d of %d others", found, structural, alsoFound, others)
	if structural < 100 || found*100 < structural*95 {
		t.Errorf("found %d of %d damaged structures", found, structural)
	}
}

// TestProbeOfOther: what is no file or does not exist; a log of another database; an index file of one.
func TestProbeOfOther(t *testing.T) {
	_, db, wal := fullDatabase(t)
	dir := t.TempDir()
	if p, err := Probe(t.Context(), filepath.Join(dir, "none")); err != nil || p.Faults != nil {
		t.Errorf("no file: %+v, %v", p, err)
	}
	if p, err := Probe(t.Context(), dir); err != nil || len(p.Faults) == 0 {
		t.Errorf("a folder: %+v, %v", p, err)
	}
	path := filepath.Join(dir, "nightjar.db")
	storetest.OK(t, errors.Join(os.WriteFile(path, db, 0o600), os.WriteFile(path+"-wal", wal, 0o600), os.WriteFile(path+"-shm", bytes.Repeat([]byte{7}, 32768), 0o600)))
	if p, err := Probe(t.Context(), path); err != nil || len(p.Faults) > 0 {
		t.Errorf("an index of another log: %+v, %v", p, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if p, err := Probe(ended, path); len(p.Faults) > 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("without time: %+v, %v", p, err)
	}
	sum := sha256.Sum256(mustRead(t, path))
	if sum != sha256.Sum256(db) {
		t.Error("the file was changed")
	}
	if _, err := fs.Stat(os.DirFS(dir), "none"); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a file was made")
	}
}
