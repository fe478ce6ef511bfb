package backup

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"database/sql"
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

	"nightjar/crawler/durable"
	"nightjar/crawler/failpoint"
	"nightjar/daemon/base/leftovers"
	"nightjar/daemon/base/machine"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// Errors about a backup, for people.
var (
	ErrNoBackup = errors.New("this is no backup of Nightjar; choose a file that “Download a backup” or " + terminal.Command("backup") + " made")
	ErrDamaged  = errors.New("the backup is damaged; use another copy of it")
	ErrNoSpace  = errors.New("there is not enough free disk space to restore this backup; free some and try again")
)

// spare is how many bytes of disk must be left when a backup was unpacked.
const spare = 64 << 20

// Staged is a backup that was checked and waits to be put in place.
type Staged struct {
	Inspection
	MadeAt  time.Time `json:"made_at"`  // zero for a database by itself
	Archive bool      `json:"archive"`  // it has an archive, which replaces the present one
	OldData string    `json:"old_data"` // folder where the present data will be kept
}

// Stage is Check and Confirm.
func Stage(ctx context.Context, path, dir string, now time.Time) (*Staged, error) {
	s, err := Check(ctx, path, dir, now)
	if err != nil {
		return nil, err
	}
	return s, Confirm(ctx, dir)
}

// Check checks a backup and unpacks it into a data folder. It changes nothing of the data, and what it unpacked is deleted
// at the next start unless Confirm is called. The errors are ErrNoBackup, ErrDamaged, ErrNoSpace, store.ErrNotNightjar,
// store.ErrNewer and others.
func Check(ctx context.Context, path, dir string, now time.Time) (*Staged, error) {
	part, checked := filepath.Join(dir, leftovers.Unpacked), filepath.Join(dir, leftovers.Checked)
	if err := errors.Join(os.RemoveAll(part), os.RemoveAll(checked)); err != nil {
		return nil, fmt.Errorf("restore: %w", err)
	}
	if err := os.MkdirAll(part, 0o700); err != nil {
		return nil, fmt.Errorf("restore: %w", err)
	}
	s, err := stage(ctx, path, dir, part, now)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(part))
	}
	failpoint.Here("restore.plan-written")
	if err := os.Rename(part, checked); err != nil {
		return nil, fmt.Errorf("restore: %w", err)
	}
	return s, nil
}

// Confirm lets the next Apply put a checked backup in place. The backup takes over now what belongs to this computer, so that
// what was revoked since it was checked stays revoked. The error is os.ErrNotExist when none was checked.
func Confirm(ctx context.Context, dir string) error {
	checked := filepath.Join(dir, leftovers.Checked)
	if _, err := os.Lstat(checked); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	failpoint.Here("restore.before-adopt")
	if err := adopt(ctx, filepath.Join(checked, Database), filepath.Join(dir, Database)); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	failpoint.Here("restore.adopted")
	if err := unstage(dir); err != nil { // a backup that was confirmed before
		return fmt.Errorf("restore: %w", err)
	}
	if err := errors.Join(durable.SyncDir(checked), os.Rename(checked, filepath.Join(dir, leftovers.Staged))); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	failpoint.Here("restore.confirmed")
	return durable.SyncDir(dir)
}

// adopt lets a checked database take over what a restored one keeps of the present one. A present one that cannot be read
// is no reason to keep it: it may be why the backup is restored. Then browsers and programs must be connected again.
func adopt(ctx context.Context, checked, present string) error {
	st, err := store.Open(ctx, checked)
	if err != nil {
		return err
	}
	if err := Adopt(ctx, st.DB, present); err != nil && (ctx.Err() != nil || !unreadable(ctx, present, err)) {
		return errors.Join(err, st.Close())
	}
	return st.Close()
}

// unreadable reports whether the failure to adopt is the fault of the present database: it is damaged, its disk fails, it cannot be opened,
// or it is not Nightjar's. A full disk, or any other failure of writing, is not.
func unreadable(ctx context.Context, present string, err error) bool {
	if db.Damaged(err) || db.IsFailing(err) {
		return true
	}
	d, oerr := sql.Open("sqlite", db.FileURL(present)+"?mode=ro")
	if oerr != nil {
		return true
	}
	defer func() { _ = d.Close() }() // it is only read
	var n int
	return d.QueryRowContext(ctx, "SELECT count(*) FROM settings").Scan(&n) != nil
}

// StagedDatabase is the file of the database of a confirmed backup, until Apply puts it in place.
func StagedDatabase(dir string) string { return filepath.Join(dir, leftovers.Staged, Database) }

// Cancel deletes a checked backup.
func Cancel(dir string) error { return os.RemoveAll(filepath.Join(dir, leftovers.Checked)) }

// unstage removes a staged backup; its plan first, without which it is none.
func unstage(dir string) error {
	ready := filepath.Join(dir, leftovers.Staged)
	if err := os.Remove(filepath.Join(ready, planName)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return os.RemoveAll(ready)
}

func stage(ctx context.Context, path, dir, part string, now time.Time) (*Staged, error) {
	s := &Staged{}
	if err := unpack(ctx, path, dir, part, s); err != nil {
		return nil, err
	}
	failpoint.Here("restore.unpacked")
	db := filepath.Join(part, Database)
	var err error
	if s.Inspection, err = Inspect(ctx, db); err != nil {
		return nil, ofBackup(err)
	}
	if err := prepare(ctx, db); err != nil {
		return nil, ofBackup(err)
	}
	failpoint.Here("restore.prepared")
	if s.OldData, err = oldFolder(dir, now); err != nil {
		return nil, err
	}
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	return s, writeSynced(filepath.Join(part, planName), bytes.NewReader(text))
}

// ofBackup says of an error of an unpacked database that it is the backup which is damaged, and not the present data.
func ofBackup(err error) error {
	if store.Damaged(err) && !errors.Is(err, store.ErrNotNightjar) {
		return fmt.Errorf("%w (%v)", ErrDamaged, err) //nolint:errorlint // the error is of another file
	}
	return err
}

// prepare migrates an unpacked database, checks it and takes from it what belongs to the computer where it was made.
func prepare(ctx context.Context, path string) (err error) {
	st, err := store.Open(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	if name := st.Copied(); name != "" { // the backup is the copy
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	if err := st.Check(ctx); err != nil {
		return err
	}
	if err := db.CheckSchema(ctx, st.Readers); err != nil {
		return err
	}
	return st.Commit(ctx, ForgetOwn)
}

// unpack writes the files of a backup into part.
func unpack(ctx context.Context, path, dir, part string, s *Staged) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	defer func() { _ = f.Close() }() // only read from
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	head := make([]byte, 16)
	n, err := f.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return fmt.Errorf("restore: %w", err)
	}
	switch head = head[:n]; {
	case bytes.HasPrefix(head, []byte("SQLite format 3\x00")):
		if err := enough(ctx, dir, info.Size()); err != nil {
			return err
		}
		return writeSynced(filepath.Join(part, Database), f)
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		z, err := zip.NewReader(f, info.Size())
		if err != nil {
			return zipError(err)
		}
		return unzip(ctx, z, dir, part, s)
	}
	return ErrNoBackup
}

// enough returns ErrNoSpace when a data folder's disk has no room for more bytes.
func enough(ctx context.Context, dir string, bytes int64) error {
	free := machine.New(machine.Options{Disk: dir}).State(ctx).Free
	if free >= 0 && free < bytes+spare {
		return ErrNoSpace
	}
	return nil
}

// unzip writes the files that the manifest names, and checks them.
func unzip(ctx context.Context, z *zip.Reader, dir, part string, s *Staged) error {
	m, err := readManifest(z)
	if err != nil {
		return err
	}
	s.MadeAt, s.Archive = m.MadeAt, m.Archive
	var size int64
	for _, f := range m.Files {
		if f.Size < 0 {
			return ErrDamaged
		}
		size += f.Size
	}
	if err := enough(ctx, dir, size); err != nil {
		return err
	}
	if m.Archive {
		if err := os.Mkdir(filepath.Join(part, archiveName), 0o700); err != nil {
			return err
		}
	}
	found := false
	for _, f := range m.Files {
		name, inArchive := strings.CutPrefix(f.Name, archiveName+"/")
		to := filepath.Join(part, archiveName, name)
		switch {
		case f.Name == Database && !found:
			found, to = true, filepath.Join(part, Database)
		case !inArchive || !m.Archive || !archiveFile(name):
			return ErrNoBackup // a name that no backup has could lead out of the folder
		}
		if err := unzipOne(z, f, to); err != nil {
			return err
		}
	}
	if !found {
		return ErrNoBackup
	}
	return nil
}

func readManifest(z *zip.Reader) (m manifest, err error) {
	f, err := z.Open(manifestName)
	if errors.Is(err, fs.ErrNotExist) {
		return m, ErrNoBackup
	}
	if err != nil {
		return m, zipError(err)
	}
	defer func() { _ = f.Close() }() // only read from
	text, err := io.ReadAll(io.LimitReader(f, 64<<20))
	if err != nil {
		return m, zipError(err)
	}
	if err := json.Unmarshal(text, &m); err != nil || m.Format != format {
		return m, ErrNoBackup
	}
	if m.Version > version {
		return m, fmt.Errorf("%w: the backup has format %d, this program reads format %d; update nightjar", store.ErrNewer, m.Version, version)
	}
	return m, nil
}

// unzipOne writes one file, of which no more bytes are read than the manifest says.
func unzipOne(z *zip.Reader, f file, to string) error {
	in, err := z.Open(f.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return ErrDamaged
	}
	if err != nil {
		return zipError(err)
	}
	defer func() { _ = in.Close() }() // only read from
	sum := sha256.New()
	if err := writeSynced(to, io.TeeReader(io.LimitReader(in, f.Size+1), sum)); err != nil {
		return zipError(err)
	}
	info, err := os.Stat(to)
	if err != nil {
		return err
	}
	if info.Size() != f.Size || hex.EncodeToString(sum.Sum(nil)) != f.SHA256 {
		return ErrDamaged
	}
	return nil
}

// zipError adds ErrDamaged to an error that the contents of a backup cause. A disk that cannot be read, or is full, is another
// matter.
func zipError(err error) error {
	_, corrupt := errors.AsType[flate.CorruptInputError](err)
	for _, known := range []error{zip.ErrFormat, zip.ErrAlgorithm, zip.ErrChecksum, io.ErrUnexpectedEOF} {
		corrupt = corrupt || errors.Is(err, known)
	}
	if corrupt {
		return fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	return fmt.Errorf("restore: %w", err)
}

// writeSynced writes a new file that only its owner can read, and waits until it is on the disk.
func writeSynced(path string, from io.Reader) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Sync(), f.Close())
}
