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

	"nightjar/daemon/store"
)

// Names in a backup and in a data folder.
const (
	manifestName = "manifest.json"
	databaseName = "nightjar.db"
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
	dir, err := os.MkdirTemp(filepath.Dir(st.Path()), "backup-")
	if err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
	copied := filepath.Join(dir, databaseName)
	if err := st.Backup(ctx, copied); err != nil {
		return err
	}
	z := zip.NewWriter(w)
	m := manifest{Format: format, Version: version, Program: o.Program, MadeAt: o.Now.UTC(), Archive: o.Archive != ""}
	if err := m.add(z, copied, databaseName, zip.Deflate); err != nil {
		return err
	}
	if o.Archive != "" {
		if err := m.addArchive(ctx, z, o.Archive); err != nil {
			return err
		}
	}
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
	return nil
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
		err := m.add(z, filepath.Join(dir, e.Name()), archiveName+"/"+e.Name(), zip.Store) // compressed already
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

// add adds one file and notes its checksum.
func (m *manifest) add(z *zip.Writer, path, name string, method uint16) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	defer func() { _ = f.Close() }() // only read from
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
