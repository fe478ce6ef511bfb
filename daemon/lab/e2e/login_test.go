package e2e

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/daemon/lab/effort"
)

// TestOpen opens the dashboard by "nightjar open" in real browsers: the page that it hands over logs in by itself, and what others
// can read of the program that opens the browser holds no code.
func TestOpen(t *testing.T) {
	t.Parallel()
	d := startDaemon(t, "127.0.0.1:1")
	for name, b := range map[string]func(*testing.T) browser{
		"chromium": startBoard, "firefox": func(t *testing.T) browser { return runFirefox(t, "127.0.0.1:1") },
	} {
		t.Run(name, func(t *testing.T) {
			if name == "firefox" {
				effort.AtNight(t)
			}
			tab, err := b(t).NewTab()
			if err != nil {
				t.Fatal(err)
			}
			opened := d.open(t) // after the browser started: the code in it counts for a minute
			if strings.Contains(opened, "code=") || strings.Contains(opened, "http") || filepath.Dir(opened) != d.data {
				t.Fatalf("opened %s", opened)
			}
			_ = tab.Address((&url.URL{Scheme: "file", Path: opened}).String()) // it may say that the page was left at once
			err = poll(patience, func() error {
				var at string
				err := tab.Eval(`location.host.split("-")[0] + location.pathname + " " + document.querySelector("nav [aria-current]")?.innerText`, &at)
				if err == nil && !strings.HasPrefix(at, "nightjar/ Finds") {
					err = fmt.Errorf("the dashboard is not open: the page is %s", at)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(opened); !os.IsNotExist(err) {
				t.Errorf("the page is still there: %v", err)
			}
		})
	}
}

// open runs "nightjar open" with a program in place of the one that opens a browser, and returns the only argument of it.
func (d *daemon) open(t *testing.T) (argument string) {
	t.Helper()
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	said := filepath.Join(dir, "said")
	for _, name := range []string{"xdg-open", "open"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\necho \"$*\" > "+said+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(filepath.Join(program, "nightjar"), "open", "--data", d.data)
	cmd.Env = append(os.Environ(), "HOME="+dir, "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("open: %v\n%s", err, out)
	}
	text, err := os.ReadFile(said)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}
