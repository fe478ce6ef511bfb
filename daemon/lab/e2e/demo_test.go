package e2e

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"testing"

	"nightjar/daemon/keep/backup"
	"nightjar/daemon/keep/safekeeping"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/morning/search"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/store"
	"nightjar/daemon/thesus/explore"
	"nightjar/daemon/thesus/links"
	"nightjar/daemon/thesus/ontologies"
	"nightjar/daemon/workers/leases"
)

// demoData is a data folder as the demonstration leaves it: a session, a model, a crawl of the made-up web; and maps of
// communities. It is made once and never opened afterwards: each test gets a copy.
var demoData = sync.OnceValues(func() (string, error) {
	program, err := built()
	if err != nil {
		return "", err
	}
	folder, err := playDemo(program)
	if err != nil {
		return "", err
	}
	return folder, addMaps(program, folder)
})

// addMaps adds a map of the demonstration's crawl, maps of a document that wait for the person in several steps, an ontology, and
// groupings of pages.
func addMaps(program, folder string) error {
	cmd := exec.Command(filepath.Join(program, "nightjar"), "communities", "--crawl", "1", "--data", folder, "--out", filepath.Join(program, "report.html"))
	cmd.Env = append(os.Environ(), "HOME="+program, "TMPDIR="+program)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("make a map: %w\n%s", err, out)
	}
	ctx := context.Background()
	st, err := store.Open(ctx, filepath.Join(folder, "nightjar.db"))
	if err != nil {
		return err
	}
	titles := []string{"Tidal barrages of Europe: a survey", "Turbines & gates", "On the power of the moon"}
	doc, err := maps.AddDocument(ctx, st.DB, maps.Document{Key: "demo", Title: "Power from the tides", Source: "tides.bib"}, titles,
		maps.ReadDocument{Kind: "bibtex", Language: "en", Authors: []string{"A. Weir"}, Warnings: []maps.DocumentWarning{{What: "an entry has no title", Next: "add it by hand", Line: 7}}})
	var found []trainingdata.Positive
	for i, title := range titles {
		found = append(found, trainingdata.Positive{URL: fmt.Sprintf("http://tides-%d.test/", i), Title: title, LeftOut: i == 1,
			Reasons: []trainingdata.PositiveReason{{Title: title, Stage: search.TitlePhrase, Place: 1}}})
	}
	err = errors.Join(err, trainingdata.PutPositives(ctx, st.DB, doc.ID, found))
	one := maps.Map{Source: maps.FromDocument, Title: doc.Title, Document: doc.ID, State: maps.Waiting, Options: maps.Options{Hold: true}}
	for _, one.Step = range []maps.Step{maps.StepTitles, maps.StepPages, maps.StepCrawl} {
		if one.Step == maps.StepCrawl {
			one.Topic, one.Crawl = 1, 1
		}
		_, e := maps.Add(ctx, st.DB, one)
		err = errors.Join(err, e)
	}
	_, _, e := ontologies.New(st, nil).Import(ctx, "Tides", []byte(tides), "")
	if err := errors.Join(err, e, st.Close()); err != nil {
		return err
	}
	return addGroupings(program, folder)
}

// tides is an ontology whose terms are words of the made-up web.
const tides = `tides
  power | energy
    turbine
    barrage
    current
  sea | ocean
    gate
    sail
    mooring
  science | sciences
    earth
    biology
    engineering
  institution | university
    department
    museum
    people
`

// addGroupings groups the pages by the ontology, and adds a grouping that failed.
func addGroupings(program, folder string) error {
	cmd := exec.Command(filepath.Join(program, "nightjar"), "explore", "groups", "--ontology", "Tides", "--data", folder)
	cmd.Env = append(os.Environ(), "HOME="+program, "TMPDIR="+program)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("group pages: %w\n%s", err, out)
	}
	ctx := context.Background()
	st, err := store.Open(ctx, filepath.Join(folder, "nightjar.db"))
	if err != nil {
		return err
	}
	g, err := explore.PutGrouping(ctx, st.DB, explore.Grouping{Scope: links.PagesOfCrawl, ScopeID: 1})
	if err == nil {
		err = explore.FailGrouping(ctx, st.DB, g, "its pages were erased meanwhile: group other ones")
	}
	return errors.Join(err, st.Close())
}

// playDemo runs the demonstration until its data are whole, and returns their folder.
func playDemo(program string) (string, error) {
	said := filepath.Join(program, "demo-said")
	out, err := os.Create(said)
	if err != nil {
		return "", err
	}
	defer out.Close() // the demonstration has its own descriptor
	cmd := exec.Command(filepath.Join(program, "nightjar"), "demo", "--listen", "127.0.0.1:0")
	cmd.Stdout, cmd.Stderr = out, out
	cmd.Env = append(os.Environ(), "HOME="+program, "TMPDIR="+program)
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return "", err
	}
	defer func() { // killed, it cannot delete its data
		killGroup(cmd)
		_ = cmd.Wait()
	}()
	return demoFolder(said)
}

// demoFolder waits until the demonstration has said where its data are, and until all of them can be searched.
func demoFolder(said string) (string, error) {
	ready := regexp.MustCompile(`(?s)http://\S+/login\S+.*?(/\S*nightjar-demo-\d+)`)
	var folder string
	err := poll(2*patience, func() error {
		text, err := os.ReadFile(said)
		if m := ready.FindStringSubmatch(string(text)); m != nil {
			folder = m[1]
		} else {
			err = fmt.Errorf("the demonstration did not say where it is, but %q (%w)", text, err)
		}
		return err
	})
	if err != nil {
		return "", err
	}
	db, err := openData(folder)
	if err != nil {
		return "", err
	}
	defer db.Close() // it was only read
	return folder, poll(patience, func() error {
		var waiting int
		err := db.QueryRow("SELECT (SELECT count(*) FROM search_queue) + (SELECT count(*) FROM link_queue)").Scan(&waiting)
		if err == nil && waiting > 0 {
			err = fmt.Errorf("%d texts cannot be searched, or their links were not read yet", waiting)
		}
		return err
	})
}

// openData opens the database of a data folder for reading.
func openData(folder string) (*sql.DB, error) {
	return sql.Open("sqlite", store.FileURL(filepath.Join(folder, "nightjar.db"))+"?mode=ro&_pragma=busy_timeout(5000)")
}

// startDemo runs a daemon on a copy of the demonstration's data, until the end of the test.
func startDemo(t *testing.T) *daemon {
	t.Helper()
	return serveDemo(t, copyDemo(t))
}

// startKept is startDemo with a backup, which a daemon makes by itself after some minutes.
func startKept(t *testing.T) *daemon {
	t.Helper()
	data := copyDemo(t)
	program, err := built()
	if err == nil {
		err = os.MkdirAll(safekeeping.Folder(data), 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(safekeeping.Folder(data), "nightjar-2026-01-02-030405"+backup.Suffix)
	if out, err := exec.Command(filepath.Join(program, "nightjar"), "backup", "--data", data, file).CombinedOutput(); err != nil {
		t.Fatalf("make a backup: %v\n%s", err, out)
	}
	return serveDemo(t, data)
}

// serveDemo adds a worker to a copy of the demonstration's data, and runs a daemon on it.
func serveDemo(t *testing.T, data string) *daemon {
	t.Helper()
	st, err := store.Open(t.Context(), filepath.Join(data, "nightjar.db"))
	if err != nil {
		t.Fatal(err)
	}
	err = leases.AddWorker(t.Context(), st.DB, "attic-pc", "a key that nobody has")
	if err = errors.Join(err, st.Close()); err != nil {
		t.Fatal(err)
	}
	return serveData(t, data, "127.0.0.1:1")
}

// copyDemo copies the demonstration's data folder.
func copyDemo(t *testing.T) (data string) {
	t.Helper()
	from, err := demoData()
	if err != nil {
		t.Fatal(err)
	}
	data = filepath.Join(t.TempDir(), "data")
	if err := os.CopyFS(data, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(data, 0o700); err != nil {
		t.Fatal(err)
	}
	return data
}
