package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/app"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/learn/models"
)

// TestImportBookmarks: the folders and links of a file are listed without a request; a session of a folder is made, and its topic
// is trained, as after Submit.
func TestImportBookmarks(t *testing.T) {
	asked := 0
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		kind := strings.Trim(r.URL.Path, "/0123456789")
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<title>%[1]s</title><p>All about %[1]ss, and how %[1]ss live by the sea and what %[1]ss eat all day long.
<a href="/harbour%[2]d">Harbour</a> <a href="/ship%[2]d">Ship</a> <a href="/rope%[2]d">Rope</a>`, kind, len(r.URL.Path))
	}))
	t.Cleanup(web.Close)
	file := filepath.Join(t.TempDir(), "bookmarks.html")
	text := `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><H3>Birds</H3><DL><DT><A HREF="http://a.test/owl">Owl</A><DT><A HREF="http://b.test/gull1">Gull</A>
<DT><A HREF="http://192.168.1.1/">Router</A></DL><DT><H3>Food</H3><DL><DT><A HREF="http://c.test/soup">Soup</A></DL><DT><A HREF="javascript:x">X</A></DL>`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(want string, args ...string) string {
		t.Helper()
		code, out, errs := mustRun(t, append([]string{"import", file}, args...)...)
		if code != 0 || !strings.Contains(out, want) {
			t.Fatalf("import %v: code %d, %q, %q; want %q", args, code, out, errs, want)
		}
		return out
	}
	if out := run("      3  Birds\n", "--data", t.TempDir()); !strings.Contains(out, "Left out: 1 address") {
		t.Error(out)
	}
	daemon := serveApp(t, app.Config{Data: t.TempDir(), Resolve: []string{"*.test=" + web.Listener.Addr().String()}})
	if out := run("Owl\n    http://a.test/owl\n    new\n", "--folder", "Birds", "--data", daemon.Config.Data); !strings.Contains(out, "refused: the host is on your own network") || strings.Contains(out, "Soup") {
		t.Error(out)
	}
	if asked > 0 {
		t.Fatalf("%d requests before a topic was named", asked)
	}
	if code, _, errs := mustRun(t, "import", file, "--folder", "Cars", "--data", daemon.Config.Data); code != 1 || !strings.Contains(errs, `no folder or tag is named "Cars"`) {
		t.Errorf("code %d, %q", code, errs)
	}
	run("2 of them useful", "--folder", "Birds", "--topic", "Seabirds", "--data", daemon.Config.Data)
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if m, err := models.Latest(t.Context(), daemon.Store.DB, 1); err == nil && m.Facts.Targets == 2 {
			break
		} else if time.Now().After(deadline) {
			t.Fatal("the topic was not trained")
		}
	}
	all, err := sessions.List(t.Context(), daemon.Store.DB)
	if err != nil || len(all) != 1 || all[0].Topic != "Seabirds" || all[0].Useful != 2 || all[0].Status != "submitted" {
		t.Errorf("%+v, %v", all, err)
	}
	run("    useful\n", "--folder", "Birds", "--data", daemon.Config.Data)
}
