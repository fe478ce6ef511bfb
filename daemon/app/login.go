package app

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"nightjar/daemon/web"
)

// loginPage is what the names of the files look like that LoginPage returns.
var loginPage = regexp.MustCompile(`^nightjar-open-[0-9]+\.html$`)

// LoginPage asks the daemon that serves the data folder dir to write a page into a folder, and returns the page's name. The page logs a
// browser in once, within a minute. The name is checked, since a program will open it.
func LoginPage(ctx context.Context, dir, folder string) (name string, err error) {
	var answer struct{ File string }
	if err := Call(ctx, dir, "/control/open?folder="+url.QueryEscape(folder), nil, &answer); err != nil {
		return "", err
	}
	info, err := os.Lstat(answer.File)
	if err != nil {
		return "", fmt.Errorf("find the page to log in: %w", err)
	}
	if filepath.Dir(answer.File) != filepath.Clean(folder) || !loginPage.MatchString(filepath.Base(answer.File)) || !info.Mode().IsRegular() {
		return "", fmt.Errorf("the daemon answered with something else than a page to log in: %q", answer.File)
	}
	return answer.File, nil
}

// answerOpen writes a page that logs a browser in into the folder that a command names.
func (a *App) answerOpen(folder string) (map[string]string, error) {
	if !filepath.IsAbs(folder) {
		return nil, fmt.Errorf("folder %q is not absolute", folder)
	}
	name, err := a.Web.LoginFile(filepath.Clean(folder))
	return map[string]string{"file": name}, err
}

// LoginFolder returns the folder where a page that logs a browser in has to be for the browser to read it: the data folder, except
// for a browser that was installed as a snap, which reads no hidden folder and has a folder for temporary files of its
// own. desktop is the name of the default browser's desktop file, "" if unknown.
func LoginFolder(dir, home, desktop string) string {
	if m := snapBrowser.FindStringSubmatch(desktop); m != nil && home != "" {
		own := filepath.Join(home, "snap", m[1], "common")
		if info, err := os.Lstat(own); err == nil && info.IsDir() && info.Mode().Perm()&0o022 == 0 {
			return own
		}
	}
	return dir
}

// snapBrowser matches the names of desktop files of snaps: SNAP_APP.desktop.
var snapBrowser = regexp.MustCompile(`^([a-z0-9][a-z0-9-]*)_[A-Za-z0-9-]+\.desktop$`)

// removeLoginPages removes login pages that a killed daemon left in folders of browsers. Package leftovers removes those in a data
// folder.
func removeLoginPages() {
	if home, err := os.UserHomeDir(); err == nil {
		web.RemoveLoginFiles(filepath.Join(home, "snap", "*", "common"), time.Now())
	}
}
