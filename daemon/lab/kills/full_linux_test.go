package kills

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

const diskIsFull = "The disk is full"

// TestSickFullTraining fills the disk when a training comes to a place. The daemon says so; the first model stays as it is, and
// the second one is made when there is room, as if nothing had happened.
func TestSickFullTraining(t *testing.T) {
	needSick(t)
	before := learned(t, 2, 1)
	db := look(t, database(before))
	old := versions(t, db)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	calm := copyFolder(t, before)
	l := mustServe(t, calm)
	trained(t, calm)
	l.stop()
	want := versions(t, look(t, database(calm)))
	for _, place := range []string{"trainer.read", "trainer.has-learned", "trainer.before-save", "trainer.saved", "trainer.assessed"} {
		t.Run(place, func(t *testing.T) {
			d := newDisk(t, 64)
			data := d.put(before)
			l, goOn := stopsAt(t, place, data)
			l.ready()
			page := login(t, l)
			d.fill()
			goOn()
			l.says(data, page, diskIsFull)
			checkVersions(t, data, old)
			d.free()
			trained(t, data)
			l.well(data, page, diskIsFull)
			l.stop()
			whole(t, data)
			got := versions(t, look(t, database(data)))
			if len(got) != 2 || string(got[1].bundle) != string(want[1].bundle) {
				t.Errorf("%d versions; the newest is not what an undisturbed training makes", len(got))
			}
		})
	}
}

// TestSickFullMigrating fills the disk when the update of an older database comes to a place. The daemon waits and says so at its
// address; when there is room, the update is completed, and the copy of the old database is whole.
func TestSickFullMigrating(t *testing.T) {
	needSick(t)
	newest := len(steps(t))
	for _, place := range []string{"store.migrate.before-copy", "store.migrate.copy-written", "store.migrate.copied", "store.migrate.step-applied", "store.migrate.step-committed"} {
		t.Run(place, func(t *testing.T) {
			d := newDisk(t, 32)
			older := filepath.Join(t.TempDir(), "data")
			if err := os.Mkdir(older, 0o700); err != nil {
				t.Fatal(err)
			}
			olderDatabase(t, database(older), 5)
			before := dump(t, database(older))
			data, byHand := d.put(older), database(older)
			l, goOn := stopsAt(t, place, data)
			d.fill()
			goOn()
			wait(t, "it says that it waits", func() bool { return strings.Contains(l.out.String(), diskIsFull) || !l.alive() })
			if !l.alive() {
				t.Fatalf("the program ended by itself: %v\n%s", l.cmd.ProcessState, l.out)
			}
			sameAsByHand(t, database(copyFolder(t, data)), byHand, 5)
			d.free()
			if !l.ready() {
				t.Fatalf("the program ended by itself:\n%s", l.out)
			}
			page := login(t, l)
			l.well(data, page, diskIsFull)
			l.stop()
			if at := count(t, look(t, database(data)), "SELECT user_version FROM pragma_user_version"); at != newest {
				t.Errorf("the database has version %d in the end", at)
			}
			whole(t, data)
			same(t, "the copy", dump(t, database(data)+".before-0006"), before)
			if left, err := filepath.Glob(filepath.Join(data, "*.part*")); err != nil || len(left) > 0 {
				t.Errorf("left: %v, %v", left, err)
			}
		})
	}
}

// TestSickFullBackup fills the disk while a backup and an export are written, by the command line and from the dashboard. They
// end with the reason and leave nothing, the daemon lives, and there is a backup when there is room.
func TestSickFullBackup(t *testing.T) {
	needSick(t)
	template := fullFolder(t)
	for _, place := range []string{"store.backup.copied", "backup.copied", "backup.database-added"} {
		t.Run(place, func(t *testing.T) {
			d := newDisk(t, 96)
			data := d.put(template)
			l := mustServe(t, data)
			page := login(t, l)
			file, goOn := filepath.Join(d.dir, "one.nightjar.zip"), filepath.Join(t.TempDir(), "go on")
			b := run(t, plan{place: place, pass: 1, wait: goOn}, "backup", file, "--archive", "--data", data)
			b.comesTo(place)
			d.fill()
			mustWrite(t, goOn)
			b.end()
			d.fill() // it gave its part back
			if b.cmd.ProcessState.ExitCode() != 1 || !strings.Contains(b.out.String(), "full") && !strings.Contains(b.out.String(), "no space left") {
				t.Errorf("the backup ends with %v: %s", b.cmd.ProcessState, b.out)
			}
			for _, name := range []string{file, file + ".part"} {
				if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s is left: %v", name, err)
				}
			}
			if text, status := page.get(t, "/settings/backup"); status < 400 || !strings.Contains(text, diskIsFull) {
				t.Errorf("a backup from the dashboard: %d %.300s", status, text)
			}
			out := filepath.Join(d.dir, "one.jsonl")
			e := run(t, plan{}, "export", "--topic", topic, "--out", out, "--data", data)
			e.end()
			if e.cmd.ProcessState.ExitCode() != 1 || !strings.Contains(e.out.String(), "no space left") {
				t.Errorf("the export ends with %v: %s", e.cmd.ProcessState, e.out)
			}
			if info, err := os.Stat(out); err == nil {
				t.Errorf("an export of %d bytes is left", info.Size())
			}
			l.says(data, page, diskIsFull)
			d.free()
			l.well(data, page, diskIsFull)
			again := run(t, plan{}, "backup", file, "--archive", "--data", data)
			again.end()
			l.stop()
			elsewhere := filepath.Join(t.TempDir(), "data")
			restore(t, file, elsewhere)
			same(t, "the backup", withoutBackground(content(t, elsewhere)), withoutBackground(content(t, data)))
			whole(t, data)
			onlyOwnFiles(t, data)
		})
	}
}

// TestSickFullRestore fills the disk while a backup is put in place. The data is the old one or the new one, whole, and the next
// try succeeds when there is room.
func TestSickFullRestore(t *testing.T) {
	needSick(t)
	template := fullFolder(t)
	file := backUp(t, template)
	want := rowsOf(t, template)
	older := learned(t, 1, 1)
	had := rowsOf(t, older)
	for _, place := range []string{"begin", "restore.unpacked", "restore.prepared", "restore.plan-written", "restore.before-adopt", "restore.adopted", "restore.confirmed", "restore.apply-step"} {
		t.Run(place, func(t *testing.T) {
			d := newDisk(t, 96)
			data := d.put(older)
			goOn := filepath.Join(t.TempDir(), "go on")
			if place == "begin" {
				d.crowd()
			}
			r := run(t, plan{place: place, pass: 1, wait: goOn}, "restore", file, "--data", data)
			if place != "begin" {
				r.comesTo(place)
				d.crowd()
			}
			mustWrite(t, goOn)
			r.end()
			t.Logf("%v: %s", r.cmd.ProcessState, r.out)
			restored := r.cmd.ProcessState.ExitCode() == 0
			if !restored && !strings.Contains(r.out.String(), "full") && !strings.Contains(r.out.String(), "no space left") && !strings.Contains(r.out.String(), "not enough free disk space") {
				t.Errorf("the reason is not said: %s", r.out)
			}
			l := serve(t, plan{}, data)
			wait(t, "it is ready, or waits", func() bool {
				return whereItIs.MatchString(l.out.String()) || strings.Contains(l.out.String(), diskIsFull) || !l.alive()
			})
			if !l.alive() {
				t.Fatalf("the program ended by itself: %v\n%s", l.cmd.ProcessState, l.out)
			}
			d.free()
			if !l.ready() {
				t.Fatal("the program ended by itself")
			}
			l.stop()
			whole(t, data)
			got := rowsOf(t, data)
			if restored || !slices.Equal(got, had) {
				same(t, "the data", got, want)
			}
			restore(t, file, data)
			same(t, "the data after another restore", rowsOf(t, data), want)
		})
	}
}

// TestSickFullForms sends the forms of the dashboard of the whole program on a full disk. None is answered with an error that
// does not name the cause, and nothing of what was stored before is lost.
func TestSickFullForms(t *testing.T) {
	d := newDisk(t, 96)
	data := d.put(fullFolder(t))
	before := rowsOf(t, data)
	l := mustServe(t, data)
	page := login(t, l)
	d.fill()
	answers, seen := map[int]int{}, map[string]bool{}
	for _, from := range []string{"/", "/?state=all", "/sessions", "/tonight", "/crawls", "/settings", "/start", "/explore", "/explore/ontologies", "/explore/wordnet", "/communities"} {
		text, status := page.get(t, from)
		if status != 200 {
			t.Errorf("%s: %d", from, status)
		}
		tree, err := goquery.NewDocumentFromReader(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		tree.Find("form[method=post]").Each(func(_ int, f *goquery.Selection) {
			to := f.AttrOr("action", from)
			if seen[to] || to == "/logout" || strings.Contains(to, "erase-all") {
				return
			}
			seen[to] = true
			form := url.Values{}
			f.Find("[name]").Each(func(_ int, e *goquery.Selection) {
				value := e.AttrOr("value", "")
				if goquery.NodeName(e) == "textarea" {
					value = e.Text()
				}
				if value == "" && e.AttrOr("type", "text") == "text" {
					value = "http://other.test/"
				}
				if kind := e.AttrOr("type", ""); kind != "file" && !form.Has(e.AttrOr("name", "")) {
					form.Set(e.AttrOr("name", ""), value)
				}
			})
			text, status, err := page.send(t, to, form)
			if err != nil {
				t.Fatal(err)
			}
			answers[status]++
			if status >= 500 && (status != 507 || !strings.Contains(text, diskIsFull)) {
				t.Errorf("%s: %d %.2000s", to, status, text)
			}
		})
	}
	t.Logf("%d forms, by answer: %v", len(seen), answers)
	if answers[507] < 5 {
		t.Errorf("only %d forms needed room", answers[507])
	}
	l.says(data, page, diskIsFull)
	d.free()
	l.well(data, page, diskIsFull)
	l.stop()
	whole(t, data)
	after := rowsOf(t, data)
	for _, row := range before {
		if !slices.Contains(after, row) && !strings.HasPrefix(row, "finds") && !strings.HasPrefix(row, "crawls") {
			t.Errorf("lost: %.200s", row)
		}
	}
}
