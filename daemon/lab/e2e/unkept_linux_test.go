package e2e

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"nightjar/daemon/lab/effort"
)

// smallDisk is a file system of its own that can be full.
type smallDisk struct {
	t   *testing.T
	dir string
}

// newSmallDisk mounts a file system of some megabytes. Where that cannot be done, the test is left out.
func newSmallDisk(t *testing.T, megabytes int) smallDisk {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("!!! left out: only root can mount a disk")
	}
	d := smallDisk{t, profileDir(t)}
	if err := syscall.Mount("nightjar-test", d.dir, "tmpfs", 0, fmt.Sprintf("size=%dm,mode=700", megabytes)); err != nil {
		t.Skipf("!!! left out: no disk can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(d.dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return d
}

func (d smallDisk) filler() string { return filepath.Join(d.dir, "filler") }

// fill takes the room that is left.
func (d smallDisk) fill() error {
	f, err := os.OpenFile(d.filler(), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	for part := make([]byte, 1<<20); len(part) > 0 && err == nil; {
		if _, err = f.Write(part); errors.Is(err, syscall.ENOSPC) {
			part, err = part[:len(part)/2], nil
		}
	}
	return err
}

// free gives the room back.
func (d smallDisk) free() {
	d.t.Helper()
	if err := os.Remove(d.filler()); err != nil {
		d.t.Fatal(err)
	}
}

// TestUnkeptChromium browses while the disk with the browser's profile is full.
func TestUnkeptChromium(t *testing.T) {
	t.Parallel()
	needChromium(t)
	disk := newSmallDisk(t, 64)
	newJob(t, "unkept-chromium", func(t *testing.T, webAddr string) browser {
		allowPages(t, disk.dir, extensionDir(t))
		return startChromiumWith(t, disk.dir, webAddr)
	}, 2).browsesOnFull(disk)
}

// TestUnkeptFirefox is TestUnkeptChromium in Firefox.
func TestUnkeptFirefox(t *testing.T) {
	t.Parallel()
	effort.AtNight(t)
	needBrowser(t, "firefox-esr", "firefox")
	disk := newSmallDisk(t, 128)
	newJob(t, "unkept-firefox", func(t *testing.T, webAddr string) browser {
		writeProfile(t, disk.dir, webAddr)
		f, _ := runFirefoxOn(t, disk.dir)
		f.install(t)
		return f
	}, 2).browsesOnFull(disk)
}

// browsesOnFull fills the disk while a session is recorded. The button and the popup say that events are lost, and how many; when
// there is room again, recording goes on, and the popup says so. No page is missing that was not counted.
func (j *job) browsesOnFull(disk smallDisk) {
	j.t.Helper()
	j.connect()
	j.begin()
	pages := j.addresses(12)
	var visited []string
	visit := func() string {
		url := pages[1+len(visited)]
		visited = append(visited, url)
		j.reader.front().address(url)
		return url
	}
	for n := 0; n == 0 && len(visited) < 8; n = j.counted() {
		url := visit()
		j.reader.eventually("the page is counted or stored", func() error {
			if err := disk.fill(); err != nil { // the browser gives room back now and then
				return err
			}
			if j.counted() == 0 && j.visits(url) == 0 {
				return errors.New("it is neither")
			}
			return nil
		})
	}
	j.popup.front().sees("#unkept", "The browser could not store ")
	if text := j.button(); text != "!" {
		j.t.Errorf("the button says %q", text)
	}
	j.popup.sees("#unkept", "is full") // or, when the browser does not say why: "See whether the disk is full"
	j.popup.sees("#connection", "Connected")
	j.popup.allViews("full")

	disk.free()
	url := visit()
	j.visited(url, 1)
	j.recorded(visit()) // nothing of it is left waiting
	j.popup.front().sees("#queue", "Storing works again.")
	j.popup.allViews("free")
	if text := j.button(); text != "●" {
		j.t.Errorf("the button says %q", text)
	}
	j.countsMissing(visited)
}

// countsMissing compares what the popup says with the pages that the daemon lacks.
func (j *job) countsMissing(visited []string) {
	j.t.Helper()
	j.popup.eventually("see that nothing waits", func() error {
		if said := j.popup.read("#queue"); strings.Contains(said, "Sending") {
			return errors.New(said)
		}
		return nil
	})
	said := j.popup.read("#queue")
	missing := 0
	for _, url := range visited {
		if j.visits(url) == 0 {
			missing++
		}
	}
	if missing == 0 || j.counted() < missing {
		j.t.Errorf("%d of %d pages are missing; the popup says: %s", missing, len(visited), said)
	}
}

// counted is how many events the popup calls lost.
func (j *job) counted() (n int) {
	j.t.Helper()
	if m := regexp.MustCompile(`could not store (\d+) event`).FindStringSubmatch(j.popup.read("#unkept, #queue")); m != nil {
		n, _ = strconv.Atoi(m[1]) // they are digits
	}
	return n
}

// visits is how often the daemon knows that a page was visited.
func (j *job) visits(url string) int {
	j.t.Helper()
	return j.d.number("SELECT count(*) FROM visits v JOIN pages p ON p.id = v.page_id WHERE p.url = ?", url)
}

// button is what the extension's button in the toolbar says.
func (j *job) button() (text string) {
	j.t.Helper()
	j.popup.must(ask(j.popup.tab, "chrome.action.getBadgeText({})", &text), "read the button")
	return text
}
