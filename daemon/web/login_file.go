package web

import (
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"nightjar/daemon/base/leftovers"
)

// loginFilePattern is what the names of the files look like that LoginFile writes, as for os.CreateTemp and filepath.Glob.
const loginFilePattern = leftovers.Login + "*.html"

// loginFile is a page that sends the code by itself. It has no style: it is seen for a moment, or where scripts are off.
var loginFile = template.Must(template.New("").Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<title>Nightjar</title>
<form method="post" action="http://{{.Host}}/login">
<input type="hidden" name="code" value="{{.Code}}">
<p>This page logs this browser in to Nightjar. It works once and for one minute.</p>
<p><button autofocus>Open the dashboard</button></p>
</form>
<script>document.forms[0].submit();</script>
</html>
`))

// LoginFile writes a page into a folder that logs a browser in, once and within a minute, as the link of LoginURL does. The arguments
// of a program, such as the one that opens a browser, can be read by every user of the machine; this file only by the
// person. It is deleted when it was used, after the minute, and by Close. The folder must be one that no other user
// can write to.
func (s *Server) LoginFile(dir string) (name string, err error) {
	f, err := os.CreateTemp(dir, loginFilePattern) // 0600, and never a file that is there
	if err != nil {
		return "", fmt.Errorf("make a page to log in: %w", err)
	}
	name = f.Name()
	remove := func() { _ = os.Remove(name) } // it may be gone already; the next start removes what is left
	code := s.logins.issue(remove)
	err = loginFile.Execute(f, struct{ Host, Code string }{s.host, code})
	if err = errors.Join(err, f.Close()); err != nil {
		remove()
		return "", fmt.Errorf("write a page to log in: %w", err)
	}
	time.AfterFunc(codeLife, remove)
	return name, nil
}

// RemoveLoginFiles removes the login files that a killed daemon left in a folder. Younger files may be another daemon's.
func RemoveLoginFiles(dir string, now time.Time) {
	all, _ := filepath.Glob(filepath.Join(dir, loginFilePattern)) // a folder whose name is a pattern finds nothing; the files are useless anyway
	for _, name := range all {
		if info, err := os.Lstat(name); err == nil && now.Sub(info.ModTime()) > codeLife {
			_ = os.Remove(name) // the next start tries again
		}
	}
}

// fromLoginFile reports whether r may come from the page of LoginFile. Browsers send "null" as the origin of a file, and of other
// pages that any site can make: only the code, which no site knows, tells that the person sent the form. Without it the
// answer is the same as for a link that was used.
func fromLoginFile(r *http.Request) bool {
	is := func(header string, values ...string) bool {
		for _, v := range values {
			if r.Header.Get(header) == v {
				return true
			}
		}
		return false
	}
	return r.Method == http.MethodPost && r.URL.Path == "/login" && is("Origin", "null") && is("Sec-Fetch-Site", "", "none", "cross-site") &&
		is("Sec-Fetch-Mode", "", "navigate") && is("Sec-Fetch-Dest", "", "document")
}
