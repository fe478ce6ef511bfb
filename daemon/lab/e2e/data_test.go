package e2e

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestData renames, splits and merges the demonstration's session, looks at what deleting its topic would delete, and
// restores a backup of it into a daemon that has nothing.
func TestData(t *testing.T) {
	t.Parallel()
	d := startDemo(t)
	b := startBoard(t)
	first := &user{t: t, pictures: newPictures("data")}
	u := first.open(b)
	u.address(d.login)
	u.sees("nav", "Topics")
	u.click("nav a", "Topics")
	u.click("nav a", "Sessions")
	u.click("#sessions th a", "")
	u.click("summary", "Rename, move or split")
	u.write(".naming input[name=name]", "My first session")
	u.click(".naming button", "Rename")
	u.sees("h1", "My first session")
	u.sees(".banner", "renamed")

	u.click("summary", "Rename, move or split")
	u.click("a", "Split it, or delete visits")
	u.write("#split input[name=name]", "The second half")
	u.look("data-split")
	u.click("tr:nth-child(30) button", "Split here")
	u.sees("h1", "The second half")
	d.holds("there are two sessions", "2", "SELECT count(*) FROM sessions")

	u.click("nav a", "Topics")
	u.click("nav a", "Sessions")
	u.click("#sessions tr:nth-child(1) input[type=checkbox]", "")
	u.click("#sessions tr:nth-child(2) input[type=checkbox]", "")
	u.renamedElsewhere("The first half") // what is ticked stays so
	u.look("data-merge")
	u.click("button", "Merge into one session")
	u.sees(".banner", "were merged")
	d.holds("there is one session", "1", "SELECT count(*) FROM sessions")
	u.click(".banner button", "Undo")
	u.sees(".banner", "Undone")
	d.holds("there are two sessions again", "2", "SELECT count(*) FROM sessions")

	u.click("#topics + ul a", "Delete…")
	u.sees("h1", "Delete the topic")
	u.look("data-topic")
	u.click("a", "Keep the topic")

	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "demo.nightjar.zip")
	if out, err := exec.Command(filepath.Join(program, "nightjar"), "backup", file, "--data", d.data).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	fresh := startDaemon(t, "127.0.0.1:1")
	u = u.open(b)
	u.address(fresh.login)
	u.sees("nav", "Settings")
	u.click("nav a", "Settings")
	u.click("summary", "Restore a backup")
	u.choose("input[type=file]", file)
	u.click("button", "Check this backup…")
	u.sees("main", "2 sessions of 1 topic")
	u.look("data-restore")
	u.click("button", "Replace my data")
	u.sees(".banner", "The backup was restored")
	u.click("nav a", "Topics")
	u.click("nav a", "Sessions")
	u.sees("#sessions", "My first session")
}

// choose does what choosing a file in the browser's dialog does.
func (u *user) choose(selector, file string) {
	u.t.Helper()
	u.eventually("choose a file", func() error { return u.tab.Choose(selector, file) }) // fails while the page is being replaced
	u.work.click()
}

// renamedElsewhere gives the first session of the list another name, as in another window, and waits until the list shows it.
func (u *user) renamedElsewhere(name string) {
	u.t.Helper()
	script := fmt.Sprintf(`fetch(document.querySelector("#sessions th a").href + "/name", {method: "POST", body: new URLSearchParams({name: %q})}).then((r) => r.ok)`, name)
	var done bool
	if err := u.tab.(*chromiumTab).Run(script, &done); err != nil || !done {
		u.t.Fatalf("rename the session: %t, %v", done, err)
	}
	u.sees("#sessions", name)
}
