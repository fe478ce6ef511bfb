package store

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"modernc.org/sqlite/vfs"

	"nightjar/daemon/db"
)

// badDisk is a folder of which one page of each file cannot be read.
type badDisk struct {
	fs.FS
	page int64 // from 1
}

// badFile is a file of a badDisk.
type badFile struct {
	fs.File
	io.ReadSeeker
	page int64
}

func (d *badDisk) Open(name string) (fs.File, error) {
	f, err := d.FS.Open(name)
	if err != nil {
		return nil, err
	}
	return &badFile{f, f.(io.ReadSeeker), d.page}, nil
}

func (f *badFile) Read(b []byte) (int, error) {
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, err
	}
	if last := (at + int64(len(b)) - 1) / 4096; at/4096 < f.page && last >= f.page-1 {
		return 0, syscall.EIO
	}
	return f.ReadSeeker.Read(b)
}

// sparse makes the file of a database that has long rows and free pages.
func sparse(t *testing.T) (path string) {
	t.Helper()
	s := open(t)
	for _, key := range []string{"kept", "dropped"} {
		ok(t, s.SetSetting(t.Context(), key, strings.Repeat(key, 40_000)))
	}
	must(s.Writer.Exec("DELETE FROM settings WHERE key = 'dropped'"))(t)
	path = filepath.Join(t.TempDir(), "nightjar.db")
	ok(t, errors.Join(s.Checkpoint(t.Context()), os.WriteFile(path, mustRead(t, s.Path()), 0o600)))
	return path
}

// TestCheckUnreadable lets single pages be unreadable: a check then says that it could not be made, and not that the file is damaged.
func TestCheckUnreadable(t *testing.T) {
	path := sparse(t)
	info := must(os.Stat(path))(t)
	failed := 0
	for page := int64(1); page <= info.Size()/4096; page += 1 + page%13 {
		disk, opened, err := vfs.New(&badDisk{os.DirFS(filepath.Dir(path)), page})
		if err != nil {
			t.Fatal(err)
		}
		for _, check := range []string{db.Quick, db.Full} {
			faults, err := db.FaultsAlone(t.Context(), "file:"+filepath.Base(path)+"?mode=ro&immutable=1&vfs="+disk, check)
			if len(faults) > 0 || db.Damaged(err) {
				t.Errorf("%s, page %d: %q, %v", check, page, faults, err)
			}
			if err != nil {
				failed++
			}
		}
		ok(t, opened.Close())
	}
	if failed < 20 {
		t.Errorf("only %d checks met the page", failed)
	}
}

// TestCheckDamage: what is damaged is found, by both checks, in the tables and in the search index.
func TestCheckDamage(t *testing.T) {
	for name, text := range map[string]string{
		"index":  "UPDATE search_words_data SET block = zeroblob(20) WHERE id > 10",
		"config": "UPDATE search_words_config SET v = 77 WHERE k = 'version'",
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			must(s.Writer.Exec("INSERT INTO search_words (rowid, title, address, body, tags) VALUES (1, 'ice', 'a', 'b', 'kv')"))(t)
			ok(t, s.Check(t.Context()))
			must(s.Writer.Exec(text))(t)
			err := s.Check(t.Context())
			if damage, ok := errors.AsType[*db.Damage](err); !ok || len(damage.Faults) == 0 || !db.Damaged(err) {
				t.Errorf("Check: %v", err)
			}
			if faults, err := s.QuickCheck(t.Context()); err != nil || len(faults) == 0 {
				t.Errorf("QuickCheck: %q, %v", faults, err)
			}
		})
	}
}

// TestCheckReferences: a row that refers to a missing one is told, and is no damage of the file.
func TestCheckReferences(t *testing.T) {
	s := open(t)
	must(s.Writer.Exec("PRAGMA foreign_keys = 0; INSERT INTO models (topic_id, version, bundle, facts, created_at) VALUES (77, 1, x'00', '{}', 1)"))(t)
	if err := s.Check(t.Context()); err == nil || db.Damaged(err) || !strings.Contains(err.Error(), "models") {
		t.Error(err)
	}
}
