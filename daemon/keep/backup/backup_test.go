package backup

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/base/leftovers"
	"nightjar/daemon/browse/ingest"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/morning/token"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

var at = time.Date(2026, 11, 22, 19, 30, 0, 0, time.UTC)

// folder makes a data folder whose database has one topic, and an archive of one file.
func folder(t *testing.T, topic string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data [1]")
	must(t, os.MkdirAll(filepath.Join(dir, archiveName), 0o700))
	storetest.At(t, filepath.Join(dir, Database))
	st, err := store.Open(t.Context(), filepath.Join(dir, Database))
	must(t, err)
	_, err = topics.Create(t.Context(), st.DB, topic)
	must(t, errors.Join(err, st.SetSetting(t.Context(), "dashboard.host", topic), st.Close()))
	must(t, os.WriteFile(filepath.Join(dir, archiveName, "nightjar-1.warc.gz"), []byte("archive of "+topic), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "daemon.json"), []byte("{}"), 0o600))
	return dir
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// holds names the topic of a data folder's database, and what its archive holds.
func holds(t *testing.T, dir string) string {
	t.Helper()
	st, err := store.Open(t.Context(), filepath.Join(dir, Database))
	must(t, err)
	topics, err := topics.List(t.Context(), st.DB)
	var host string
	_, serr := st.Setting(t.Context(), "dashboard.host", &host)
	must(t, errors.Join(err, serr, st.Check(t.Context()), st.Close()))
	text, err := os.ReadFile(filepath.Join(dir, archiveName, "nightjar-1.warc.gz"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if len(topics) != 1 {
		t.Fatalf("%+v", topics)
	}
	return topics[0].Name + ", " + string(text) + ", host " + host
}

// backUp writes a backup of a data folder.
func backUp(t *testing.T, dir string, archive bool) string {
	t.Helper()
	st, err := store.Open(t.Context(), filepath.Join(dir, Database))
	must(t, err)
	defer st.Close()
	o := Options{Program: "test", Now: at}
	if archive {
		o.Archive = filepath.Join(dir, archiveName)
	}
	var out bytes.Buffer
	must(t, Write(t.Context(), &out, st, o))
	name := filepath.Join(t.TempDir(), "b"+Suffix)
	must(t, os.WriteFile(name, out.Bytes(), 0o600))
	return name
}

func TestRestore(t *testing.T) {
	file, plain := backUp(t, folder(t, "New"), true), backUp(t, folder(t, "Plain"), false)
	dir := folder(t, "Old")
	s, err := Stage(t.Context(), file, dir, at)
	must(t, err)
	if s.Topics != 1 || !s.Archive || !s.MadeAt.Equal(at) {
		t.Errorf("%+v", s)
	}
	if got := holds(t, dir); got != "Old, archive of Old, host Old" {
		t.Errorf("before it is applied: %s", got)
	}
	s, err = Apply(dir)
	must(t, err)
	if got := holds(t, dir); got != "New, archive of New, host Old" {
		t.Errorf("restored: %s", got)
	}
	if s.OldData != dir+".before-2026-11-22-193000" || holds(t, s.OldData) != "Old, archive of Old, host Old" {
		t.Errorf("the old data is in %s", s.OldData)
	}
	if s, err := Apply(dir); s != nil || err != nil {
		t.Errorf("applied twice: %+v, %v", s, err)
	}

	// A backup without an archive leaves the present one; the next old data has another folder.
	_, err = Stage(t.Context(), plain, dir, at)
	must(t, err)
	s, err = Apply(dir)
	must(t, err)
	if got := holds(t, dir); got != "Plain, archive of New, host Old" || !strings.HasSuffix(s.OldData, "193000-2") {
		t.Errorf("restored: %s, old data in %s", got, s.OldData)
	}
	if old, err := OldFolders(dir); err != nil || len(old) != 2 {
		t.Errorf("old folders %v, %v", old, err)
	}

	// A database by itself, and a folder without data.
	empty := t.TempDir()
	_, err = Stage(t.Context(), filepath.Join(dir, Database), empty, at)
	must(t, err)
	s, err = Apply(empty)
	must(t, err)
	if got := holds(t, empty); got != "Plain, , host " || s.OldData != "" {
		t.Errorf("in an empty folder: %s, %q", got, s.OldData)
	}
}

// What was checked but not confirmed is not put in place.
func TestConfirm(t *testing.T) {
	file := backUp(t, folder(t, "New"), true)
	dir := folder(t, "Old")
	if err := Confirm(t.Context(), dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing was checked: %v", err)
	}
	_, err := Check(t.Context(), file, dir, at)
	must(t, err)
	if s, err := Apply(dir); s != nil || err != nil {
		t.Errorf("applied unconfirmed: %+v, %v", s, err)
	}
	if err := Confirm(t.Context(), dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there after a start: %v", err)
	}
	if got := holds(t, dir); got != "Old, archive of Old, host Old" {
		t.Error(got)
	}
}

var errKilled = errors.New("killed")

// A restore that is killed before any of its steps goes on at the next start, and never loses a file.
func TestRestoreKilledAtEveryStep(t *testing.T) {
	effort.Long(t)
	file := backUp(t, folder(t, "New"), true)
	var steps []string
	for kill := 0; ; kill++ {
		dir := folder(t, "Old")
		_, err := Stage(t.Context(), file, dir, at)
		must(t, err)
		n := 0
		_, err = apply(dir, func(step string) error {
			if n++; n == kill+1 {
				steps = append(steps, step)
				return errKilled
			}
			return nil
		})
		killed := errors.Is(err, errKilled)
		if !killed {
			must(t, err)
		}
		for again := 0; ; again++ { // killed at each step once more
			n := 0
			_, err := apply(dir, func(string) error {
				if n++; n == 1 && again < 3 {
					return errKilled
				}
				return nil
			})
			if !errors.Is(err, errKilled) {
				must(t, err)
				break
			}
		}
		if got := holds(t, dir); got != "New, archive of New, host Old" {
			t.Fatalf("killed before step %d: %s", kill, got)
		}
		if got := holds(t, dir+".before-2026-11-22-193000"); got != "Old, archive of Old, host Old" {
			t.Fatalf("killed before step %d, the old data: %s", kill, got)
		}
		left, err := filepath.Glob(filepath.Join(filepath.Dir(dir), "*", "restore*"))
		if err != nil || len(left) > 0 {
			t.Errorf("left: %v, %v", left, err)
		}
		if !killed {
			break
		}
	}
	if len(steps) < 7 {
		t.Errorf("killed only before %q", steps)
	}
}

// rezip writes the files of a backup again, changed.
func rezip(t *testing.T, from string, change func(name string, text []byte) (string, []byte)) string {
	t.Helper()
	z, err := zip.OpenReader(from)
	must(t, err)
	defer z.Close()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range z.File {
		text, err := fs.ReadFile(z, f.Name)
		must(t, err)
		name, text := change(f.Name, text)
		if name == "" {
			continue
		}
		part, err := w.Create(name)
		must(t, err)
		_, err = part.Write(text)
		must(t, err)
	}
	must(t, w.Close())
	name := filepath.Join(t.TempDir(), "bad.zip")
	must(t, os.WriteFile(name, out.Bytes(), 0o600))
	return name
}

func TestBadBackupsChangeNothing(t *testing.T) {
	good := backUp(t, folder(t, "New"), true)
	whole, err := os.ReadFile(good)
	must(t, err)
	text := func(data string) string {
		name := filepath.Join(t.TempDir(), "file")
		must(t, os.WriteFile(name, []byte(data), 0o600))
		return name
	}
	changed := func(edit func(m *manifest)) string {
		return rezip(t, good, func(name string, text []byte) (string, []byte) {
			if name == manifestName {
				var m manifest
				must(t, json.Unmarshal(text, &m))
				edit(&m)
				text, err = json.Marshal(m)
				must(t, err)
			}
			return name, text
		})
	}
	sql := func(statement string) string {
		dir := folder(t, "Bad")
		st, err := store.Open(context.Background(), filepath.Join(dir, Database))
		must(t, err)
		must(t, st.Close())
		must(t, execute(filepath.Join(dir, Database), statement))
		return filepath.Join(dir, Database)
	}
	for what, c := range map[string]struct {
		file string
		want error
	}{
		"an empty file":            {text(""), ErrNoBackup},
		"a picture":                {text("\x89PNG"), ErrNoBackup},
		"half a backup":            {text(string(whole[:len(whole)/2])), ErrDamaged},
		"no manifest":              {rezip(t, good, func(n string, b []byte) (string, []byte) { return strings.TrimPrefix(n, manifestName), b }), ErrNoBackup},
		"no database":              {rezip(t, good, func(n string, b []byte) (string, []byte) { return strings.TrimPrefix(n, Database), b }), ErrDamaged},
		"another database":         {rezip(t, good, func(n string, b []byte) (string, []byte) { return n, bytes.ReplaceAll(b, []byte("New"), []byte("Bad")) }), ErrDamaged},
		"a name that leads out":    {changed(func(m *manifest) { m.Files[1].Name = "archive/../../nightjar-x.warc.gz" }), ErrNoBackup},
		"another name":             {changed(func(m *manifest) { m.Files[1].Name = "daemon.json" }), ErrNoBackup},
		"a negative size":          {changed(func(m *manifest) { m.Files[0].Size = -1 }), ErrDamaged},
		"a size beyond the disk":   {changed(func(m *manifest) { m.Files[0].Size = 1 << 60 }), ErrNoSpace},
		"a newer format":           {changed(func(m *manifest) { m.Version = 99 }), store.ErrNewer},
		"another program's backup": {changed(func(m *manifest) { m.Format = "other" }), ErrNoBackup},
		"a newer schema":           {sql("PRAGMA user_version = 999"), store.ErrNewer},
		"no schema":                {sql("PRAGMA user_version = 0"), store.ErrNotNightjar},
		"a trigger more":           {sql("CREATE TRIGGER bad AFTER INSERT ON topics BEGIN DELETE FROM sessions; END"), store.ErrNotNightjar},
		"a table less":             {sql("DROP TABLE starts"), store.ErrNotNightjar},
	} {
		t.Run(what, func(t *testing.T) {
			dir := folder(t, "Old")
			if _, err := Stage(t.Context(), c.file, dir, at); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
			if s, err := Apply(dir); s != nil || err != nil {
				t.Errorf("applied %+v, %v", s, err)
			}
			if got := holds(t, dir); got != "Old, archive of Old, host Old" {
				t.Error(got)
			}
			if left, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), "*", "restore*")); len(left) > 0 {
				t.Error(fmt.Sprint("left: ", left))
			}
		})
	}
}

// newToken stores a token with a name, of a topic or of all, and returns its hash.
func newToken(t *testing.T, st *store.Store, name string, topic int64) []byte {
	t.Helper()
	hash := bytes.Repeat([]byte(name), 32)[:32]
	_, err := token.Add(t.Context(), st.DB, token.Token{Key: "key-" + name, Hash: hash, Name: name, Scope: token.ScopeFeed, TopicID: topic})
	must(t, err)
	return hash
}

// change opens the database of a data folder.
func change(t *testing.T, dir string, do func(st *store.Store)) {
	t.Helper()
	st, err := store.Open(t.Context(), filepath.Join(dir, Database))
	must(t, err)
	do(st)
	must(t, st.Close())
}

// open lists what may connect to a data folder.
func open(t *testing.T, dir string) string {
	t.Helper()
	var all []string
	change(t, dir, func(st *store.Store) {
		tokens, err := token.All(t.Context(), st.DB)
		must(t, err)
		for _, k := range tokens {
			all = append(all, k.Name+" of "+k.Topic)
		}
		browsers, err := st.BrowserViews(t.Context())
		must(t, err)
		for _, b := range browsers {
			all = append(all, b.Name)
		}
		var secret string
		for _, key := range []string{"dashboard.logins", mailPassword} {
			_, err := st.Setting(t.Context(), key, &secret)
			must(t, err)
			all = append(all, secret)
		}
	})
	return strings.Join(all, ", ")
}

// mailPassword is notice.SecretSetting, whose package knows this one.
const mailPassword = "secret.smtp"

// equip gives a data folder a browser, two tokens, a login and a password, and returns the bytes that open something.
func equip(t *testing.T, dir, name string) (secrets [][]byte) {
	t.Helper()
	change(t, dir, func(st *store.Store) {
		topics, err := topics.List(t.Context(), st.DB)
		must(t, err)
		key := bytes.Repeat([]byte(name), 32)[:32]
		must(t, ingest.PairBrowser(t.Context(), st.DB, ingest.Browser{Client: "c-" + name, Name: "browser-" + name, Origin: "o", Key: key}))
		secrets = [][]byte{key, newToken(t, st, "all-"+name, 0), newToken(t, st, "one-"+name, topics[0].ID)}
		for _, key := range []string{"dashboard.logins", mailPassword} {
			value := key + "-of-" + name
			must(t, st.SetSetting(t.Context(), key, value))
			secrets = append(secrets, []byte(value))
		}
	})
	return secrets
}

// TestBackupOpensNothing: a backup that is given away holds no key, token, login or password, not even in its free space.
func TestBackupOpensNothing(t *testing.T) {
	dir := folder(t, "Birds")
	secrets := equip(t, dir, "tern")
	change(t, dir, func(st *store.Store) {
		name := filepath.Join(t.TempDir(), "copy.db")
		must(t, CopyTo(t.Context(), st.DB, name))
		text, err := os.ReadFile(name)
		must(t, err)
		if !bytes.Contains(text, []byte("Birds")) {
			t.Error("the copy lacks the rest")
		}
		for _, secret := range secrets {
			if bytes.Contains(text, secret) {
				t.Errorf("the copy holds %q", secret)
			}
		}
	})
	if got := open(t, dir); got != "all-tern of , one-tern of Birds, browser-tern, dashboard.logins-of-tern, secret.smtp-of-tern" {
		t.Errorf("the data itself: %s", got)
	}
}

// TestRestoreOpensNothing: what may connect is what the person allows now. A backup of an older version, which holds tokens,
// brings none back, in an empty folder either; what is revoked between the check and the restore stays revoked; and a feed
// goes with its topic's name.
func TestRestoreOpensNothing(t *testing.T) {
	old := folder(t, "Birds")
	equip(t, old, "tern")
	file := filepath.Join(old, Database) // by itself, with all that it holds

	empty := t.TempDir()
	_, err := Stage(t.Context(), file, empty, at)
	must(t, err)
	_, err = Apply(empty)
	must(t, err)
	if got := open(t, empty); got != ", " {
		t.Errorf("in an empty folder: %s", got)
	}

	present := folder(t, "Ships") // has the number that Birds has in the backup
	equip(t, present, "gull")
	var birds int64
	change(t, present, func(st *store.Store) {
		topic, err := topics.Create(t.Context(), st.DB, "birds")
		must(t, err)
		birds = topic.ID
		newToken(t, st, "birds-gull", birds)
	})
	_, err = Check(t.Context(), file, present, at)
	must(t, err)
	change(t, present, func(st *store.Store) {
		tokens, err := token.All(t.Context(), st.DB)
		must(t, err)
		must(t, token.Revoke(t.Context(), st.DB, tokens[0].ID))
	})
	must(t, Confirm(t.Context(), present))
	_, err = Apply(present)
	must(t, err)
	if got := open(t, present); got != "birds-gull of Birds, browser-gull, dashboard.logins-of-gull, secret.smtp-of-gull" {
		t.Errorf("restored: %s", got)
	}
}

// TestRestoreOverDamaged: a backup can be put in place of a database that is damaged.
func TestRestoreOverDamaged(t *testing.T) {
	file, dir := backUp(t, folder(t, "New"), false), folder(t, "Old")
	must(t, os.WriteFile(filepath.Join(dir, Database), bytes.Repeat([]byte("damaged "), 4096), 0o600))
	_, err := Stage(t.Context(), file, dir, at)
	must(t, err)
	s, err := Apply(dir)
	must(t, err)
	if got := holds(t, dir); got != "New, archive of Old, host " {
		t.Errorf("restored: %s", got)
	}
	if text, err := os.ReadFile(filepath.Join(s.OldData, Database)); err != nil || !bytes.HasPrefix(text, []byte("damaged")) {
		t.Errorf("the damaged one is not in %s: %v", s.OldData, err)
	}
}

// TestConfirmNeedsTheKeys: a backup is not put in place when it cannot take over what belongs to this computer although the present
// database can be read.
func TestConfirmNeedsTheKeys(t *testing.T) {
	file, dir := backUp(t, folder(t, "New"), false), folder(t, "Old")
	_, err := Check(t.Context(), file, dir, at)
	must(t, err)
	storetest.Exec(t, filepath.Join(dir, leftovers.Checked, Database), "CREATE TRIGGER fails BEFORE INSERT ON settings BEGIN SELECT RAISE(ABORT, 'no'); END")
	if err := Confirm(t.Context(), dir); err == nil {
		t.Error("no error")
	}
	if s, err := Apply(dir); s != nil || err != nil {
		t.Errorf("applied: %+v, %v", s, err)
	}
	if got := holds(t, dir); got != "Old, archive of Old, host Old" {
		t.Error(got)
	}
}
