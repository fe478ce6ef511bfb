package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/store/settings"
)

// TestImportOutOfOrder: a file whose events are out of order, without a start or without an event is refused with the line
// and the reason, with and without a running daemon, and nothing of it is stored.
func TestImportOutOfOrder(t *testing.T) {
	text, err := os.ReadFile(harbours(t))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	for name, c := range map[string]struct{ file, want string }{
		"a number twice":   {lines[0] + strings.Replace(lines[1], `"seq":2`, `"seq":4`, 1) + strings.Join(lines[2:], ""), "line 4: number 4 is used by another event of the session, in line 2"},
		"before the start": {strings.Replace(lines[0], `"seq":1`, `"seq":3`, 1) + strings.Join(lines[1:3], ""), "line 2: number 2 comes before the start of the session"},
		"no start":         {strings.Join(lines[1:], ""), "line 1: session "},
		"after the submit": {lines[0] + lines[1] + strings.Replace(lines[2], `"seq":3`, `"seq":99`, 1) + strings.Join(lines[3:], ""), "line 3: the session was already submitted"},
		"empty":            {"\n", "the file holds no event"},
	} {
		file := filepath.Join(t.TempDir(), "wrong.session.jsonl")
		if err := os.WriteFile(file, []byte(c.file), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, running := range []bool{true, false} {
			dir := t.TempDir()
			if running {
				serveApp(t, app.Config{Data: dir})
			}
			code, out, errs := mustRun(t, "import", "--data", dir, file)
			if code != 1 || out != "" || !strings.Contains(errs, c.want) || !strings.Contains(errs, "nothing was imported") {
				t.Errorf("%s, running %v: code %d, %q, %q", name, running, code, out, errs)
			}
			mustHoldNothing(t, dir)
		}
	}
}

// mustHoldNothing checks that a data folder has no session and no scratch file.
func mustHoldNothing(t *testing.T, dir string) {
	t.Helper()
	st, err := app.ReadStore(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if all, err := sessions.List(t.Context(), st.DB); err != nil || len(all) > 0 {
		t.Errorf("sessions %v, %v", all, err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "import-*")); err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}

// TestImportSaysWhatIsLeftOut: pages that must not be recorded are counted with the reason; events that are there are, too.
// A file of which nothing may be stored is an error.
func TestImportSaysWhatIsLeftOut(t *testing.T) {
	file := harbours(t)
	dir := t.TempDir()
	daemon := serveApp(t, app.Config{Data: dir})
	for _, want := range []string{"13 events of 1 session\n", "13 events of 1 session, 13 of them there before\n"} {
		if code, out, errs := mustRun(t, "import", "--data", dir, file); code != 0 || !strings.HasSuffix(out, want) {
			t.Errorf("code %d, %q, %q; want %q", code, out, errs, want)
		}
	}
	other := serveApp(t, app.Config{Data: t.TempDir()})
	chosen := settings.Default()
	chosen.NeverRecord = []string{"walk.test"}
	if err := other.Store.SaveSettings(t.Context(), chosen); err != nil {
		t.Fatal(err)
	}
	code, out, errs := mustRun(t, "import", "--data", other.Config.Data, file)
	if code != 0 || !strings.Contains(out, "2 events of 1 session\nLeft out: 6 events, because the page must not be recorded\nLeft out: 5 events, because the host is on the never-record list\n") {
		t.Errorf("code %d, %q, %q", code, out, errs)
	}
	if daemon.Config.Data == other.Config.Data {
		t.Error("one daemon was asked twice")
	}
}

// slow gives a file and then waits until the test ends.
type slow struct {
	io.Reader
	reached chan struct{}
	ctx     context.Context
}

func (s *slow) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err == io.EOF {
		close(s.reached)
		<-s.ctx.Done()
		return 0, s.ctx.Err()
	}
	return n, err
}

// TestImportCalledOff: an import that the person calls off while the file is read leaves nothing, neither in the database nor
// beside it.
func TestImportCalledOff(t *testing.T) {
	text, err := os.ReadFile(harbours(t))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	serveApp(t, app.Config{Data: dir})
	ctx, cancel := context.WithCancel(t.Context())
	body := &slow{strings.NewReader(string(text)), make(chan struct{}), ctx}
	go func() {
		<-body.reached
		cancel()
	}()
	var done app.Imported
	if err := app.Call(ctx, dir, "/control/import", body, &done); err == nil || done.Events > 0 {
		t.Fatalf("%+v, %v", done, err)
	}
	if code, out, errs := mustRun(t, "import", "--data", dir, filepath.Join(dir, "lock")); code != 1 || out != "" {
		t.Errorf("another file: code %d, %q, %q", code, out, errs) // the daemon goes on
	}
	mustHoldNothing(t, dir)
}

// TestImportPipe: a pipe can be read once only, and is imported like a file.
func TestImportPipe(t *testing.T) {
	text, err := os.ReadFile(harbours(t))
	if err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	go func() {
		_, err := w.Write(text)
		if err := errors.Join(err, w.Close()); err != nil {
			t.Error(err)
		}
	}()
	done, err := importOpened(t, r)
	if err != nil || done.Events != 13 {
		t.Errorf("%+v, %v", done, err)
	}
}

// importOpened imports an open file into a new data folder.
func importOpened(t *testing.T, f *os.File) (*app.Imported, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	o := &importOptions{}
	o.Data = t.TempDir()
	return o.opened(ctx, &command.Env{Stdout: io.Discard, Stderr: io.Discard}, f.Name(), f)
}
