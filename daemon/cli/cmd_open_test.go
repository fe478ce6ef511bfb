package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/app"
)

// TestOpenHidesTheCode: what other users of the machine can read of the program that opens the browser tells them nothing; the page
// that it opens logs in once, and is gone then.
func TestOpenHidesTheCode(t *testing.T) {
	opened := fakeOpener(t)
	t.Setenv("HOME", t.TempDir())
	dir := t.TempDir()
	serveApp(t, app.Config{Data: dir})
	code, out, errs := mustRun(t, "open", "--data", dir)
	if code != 0 || strings.Contains(out+errs, "code=") || !strings.Contains(out, "nightjar open --print") {
		t.Fatalf("code %d, %q, %q", code, out, errs)
	}
	said := opened()
	if len(said) != 1 {
		t.Fatalf("opened %q", said)
	}
	name, _, _ := strings.Cut(said[0], " ")
	if filepath.Dir(name) != dir {
		t.Errorf("opened %s", name)
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the page: %v, %v", info.Mode(), err)
	}
	page, err := goquery.NewDocumentFromReader(file)
	if err != nil {
		t.Fatal(err)
	}
	secret := page.Find("input[name=code]").AttrOr("value", "")
	if len(secret) != 43 || strings.Contains(said[0], secret) || regexp.MustCompile(`https?:`).MatchString(said[0]) {
		t.Errorf("others read %q, the code is %q", said[0], secret)
	}
	link := page.Find("form").AttrOr("action", "") + "?code=" + secret
	if !login(t, link) || login(t, link) {
		t.Error("the page does not log in exactly once")
	}
	if _, err := os.Stat(name); !os.IsNotExist(err) {
		t.Errorf("the page is still there: %v", err)
	}
}

// TestOpenWithoutABrowser: where no browser can be opened, the link is printed.
func TestOpenWithoutABrowser(t *testing.T) {
	dir := t.TempDir()
	serveApp(t, app.Config{Data: dir})
	for name, script := range map[string]string{"none": "", "one that fails": "#!/bin/sh\nexit 3\n"} {
		programs := t.TempDir()
		if script != "" {
			for _, opener := range []string{"xdg-open", "open"} {
				if err := os.WriteFile(filepath.Join(programs, opener), []byte(script), 0o700); err != nil {
					t.Fatal(err)
				}
			}
		}
		t.Setenv("PATH", programs)
		code, out, errs := mustRun(t, "open", "--data", dir)
		if code != 0 || !loginLink.MatchString(strings.TrimSpace(out)) || !strings.Contains(errs, "copy this link") {
			t.Errorf("%s: code %d, %q, %q", name, code, out, errs)
		}
	}
}

// TestOpenInASnap: a browser that was installed as a snap reads the page in its own folder, since it reads no hidden one.
func TestOpenInASnap(t *testing.T) {
	opened := fakeOpener(t)
	home := t.TempDir()
	t.Setenv("HOME", home)
	own := filepath.Join(home, "snap", "firefox", "common")
	if err := os.MkdirAll(own, 0o700); err != nil {
		t.Fatal(err)
	}
	programs := t.TempDir()
	for name, says := range map[string]string{"xdg-settings": "firefox_firefox.desktop"} {
		if err := os.WriteFile(filepath.Join(programs, name), []byte("#!/bin/sh\necho "+says+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", programs+string(os.PathListSeparator)+os.Getenv("PATH"))
	dir := t.TempDir()
	serveApp(t, app.Config{Data: dir})
	if code, out, errs := mustRun(t, "open", "--data", dir); code != 0 {
		t.Fatalf("%q, %q", out, errs)
	}
	if said := opened(); len(said) != 1 || filepath.Dir(strings.Fields(said[0])[0]) != own {
		t.Errorf("opened %q", said)
	}
}
