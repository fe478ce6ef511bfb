package app

import (
	"os"
	"path/filepath"
	"testing"
)

func TestLoginFolder(t *testing.T) {
	home, data := t.TempDir(), "/data"
	own := filepath.Join(home, "snap", "firefox", "common")
	open := filepath.Join(home, "snap", "chromium", "common")
	for name, mode := range map[string]os.FileMode{own: 0o755, open: 0o777} {
		if err := os.MkdirAll(name, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
	}
	for desktop, want := range map[string]string{
		"": data, "firefox.desktop": data, "org.mozilla.firefox.desktop": data, "google-chrome.desktop": data,
		"firefox_firefox.desktop":   own,
		"chromium_chromium.desktop": data, // others may write there
		"brave_brave.desktop":       data, // it is not there
		"../x_x.desktop":            data, "firefox_firefox.desktop\nx": data,
	} {
		if got := LoginFolder(data, home, desktop); got != want {
			t.Errorf("%q: %s, want %s", desktop, got, want)
		}
	}
}

// TestLoginPage: only a page to log in, in the folder that was asked for, is ever returned to be opened.
func TestLoginPage(t *testing.T) {
	a := mustServe(t)
	folder := t.TempDir()
	name, err := LoginPage(t.Context(), a.Config.Data, folder)
	if err != nil || filepath.Dir(name) != folder {
		t.Fatalf("%q, %v", name, err)
	}
	if _, err := LoginPage(t.Context(), a.Config.Data, "relative"); err == nil {
		t.Error("a page in a folder that depends on where the daemon was started")
	}
	if _, err := LoginPage(t.Context(), a.Config.Data, filepath.Join(folder, "none")); err == nil {
		t.Error("a page in a folder that is not there")
	}
}
