package backup

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"nightjar/crawler/failpoint"
	"nightjar/daemon/base/leftovers"
	"nightjar/daemon/store"
)

// Database is the name of the database in a backup and in a data folder.
const Database = "nightjar.db"

// Other names in a backup and in a data folder.
const (
	manifestName = "manifest.json"
	archiveName  = "archive"
	format       = "nightjar-backup"
	version      = 1
)

// Suffix ends the name of a backup.
const Suffix = ".nightjar.zip"

// manifest says what a backup holds.
type manifest struct {
	Format  string    `json:"format"`
	Version int       `json:"version"`
	Program string    `json:"program"` // version of Nightjar
	MadeAt  time.Time `json:"made_at"`
	Archive bool      `json:"archive"` // whether the archive is in it
	Files   []file    `json:"files"`
}

// file is a file of a backup.
type file struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// Options are what a backup holds.
type Options struct {
	Archive string // folder of the archive, or "" to leave it out
	Program string // version of Nightjar
	Now     time.Time
}

// Write writes a backup of a store while it is in use. It makes a copy of the database beside the store first, which needs
// as much disk.
func Write(ctx context.Context, w io.Writer, st *store.Store, o Options) error {
	copied, closed, err := copyOf(ctx, st)
	if err != nil {
		return err
	}
	defer closed()
	failpoint.Here("backup.copied")
	z := zip.NewWriter(w)
	m := manifest{Format: format, Version: version, Program: o.Program, MadeAt: o.Now.UTC(), Archive: o.Archive != ""}
	if err := m.add(z, copied, Database, zip.Deflate); err != nil {
		return err
	}
	failpoint.Here("backup.database-added")
	if o.Archive != "" {
		if err := m.addArchive(ctx, z, o.Archive); err != nil {
			return err
		}
	}
	failpoint.Here("backup.before-manifest")
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	out, err := z.Create(manifestName)
	if err == nil {
		_, err = out.Write(text)
	}
	if err = errors.Join(err, z.Close()); err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	failpoint.Here("backup.written")
	return nil
}

// copyOf makes a copy of a store's database and opens it. The copy loses its name before it is read, where the system allows
// that: then nothing is left of it when the process is killed. closed deletes it anyhow.
func copyOf(ctx context.Context, st *store.Store) (f *os.File, closed func(), err error) {
	dir, err := os.MkdirTemp(filepath.Dir(st.Path()), leftovers.Backup)
	if err != nil {
		return nil, nil, fmt.Errorf("back up: %w", err)
	}
	remove := func() { _ = os.RemoveAll(dir) } // what stays is removed by the next start
	name := filepath.Join(dir, Database)
	if err := CopyTo(ctx, st.DB, name); err != nil {
		remove()
		return nil, nil, err
	}
	if f, err = os.Open(name); err != nil {
		remove()
		return nil, nil, fmt.Errorf("back up: %w", err)
	}
	remove() // it fails on systems where an open file keeps its name
	return f, func() {
		_ = f.Close() // only read from
		remove()
	}, nil
}

// addArchive adds the files of the archive. One that was pruned meanwhile is left out; the one that a crawl is writing is
// cut at what it holds now, which the archive mends when it is opened.
func (m *manifest) addArchive(ctx context.Context, z *zip.Writer, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("back up the archive: %w", err)
	}
	for _, e := range entries {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !e.Type().IsRegular() || !archiveFile(e.Name()) {
			continue
		}
		err := m.addFile(z, filepath.Join(dir, e.Name()), archiveName+"/"+e.Name())
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// archiveFile reports whether a file of the archive's folder is a WARC file, finished or not.
func archiveFile(name string) bool {
	return strings.HasPrefix(name, "nightjar-") && strings.Contains(name, ".warc.gz") && !strings.ContainsAny(name, `/\:`)
}

// addFile adds one file that is compressed already.
func (m *manifest) addFile(z *zip.Writer, path, name string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	defer func() { _ = f.Close() }() // only read from
	return m.add(z, f, name, zip.Store)
}

// add adds what is read from f and notes its checksum.
func (m *manifest) add(z *zip.Writer, f io.Reader, name string, method uint16) error {
	out, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
	if err != nil {
		return fmt.Errorf("back up %s: %w", name, err)
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(out, sum), f)
	if err != nil {
		return fmt.Errorf("back up %s: %w", name, err)
	}
	m.Files = append(m.Files, file{name, n, hex.EncodeToString(sum.Sum(nil))})
	return nil
}
