package app

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/base/command"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/socket"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/keep/backup"
	"nightjar/daemon/keep/doctor"
	"nightjar/daemon/keep/safekeeping"
	"nightjar/daemon/keep/trouble"
	"nightjar/daemon/store"
)

// mustBackUp makes a data folder with a topic and an automatic backup of it, and returns the bytes of its database.
func mustBackUp(t *testing.T) (dir string, db []byte) {
	t.Helper()
	dir = t.TempDir()
	if err := os.Mkdir(safekeeping.Folder(dir), 0o700); err != nil {
		t.Fatal(err)
	}
	st, err := openStore(t.Context(), dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = topics.Create(t.Context(), st.DB, "Curling")
	var out bytes.Buffer
	err = errors.Join(err, backup.Write(t.Context(), &out, st, backup.Options{Program: "test", Now: time.Now()}), st.Close(),
		os.WriteFile(filepath.Join(safekeeping.Folder(dir), "nightjar-2026-11-20-030000"+backup.Suffix), out.Bytes(), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	if db, err = os.ReadFile(database(dir)); err != nil {
		t.Fatal(err)
	}
	return dir, db
}

// mustServeDamaged serves a data folder until the test ends. Each daemon is sent to daemons before it runs.
func mustServeDamaged(t *testing.T, dir string) (daemons chan *App) {
	t.Helper()
	daemons = make(chan *App, 4)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- Serve(ctx, Config{Data: dir, Listen: "127.0.0.1:0"}, slog.New(slog.DiscardHandler), func(a *App, _ bool) { daemons <- a })
	}()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("daemon: %v", err)
		}
	})
	return daemons
}

// person is a browser that is logged in to a daemon.
type person struct {
	t      *testing.T
	client http.Client
	base   string
}

func mustLogIn(t *testing.T, a *App) *person {
	t.Helper()
	p := &person{t: t}
	p.client.Transport = &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, a.Addr())
	}}
	p.client.Jar = &oneJar{}
	link := a.Web.LoginURL("")
	at, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	p.base = "http://" + at.Host
	if text, code := p.get(strings.TrimPrefix(link, p.base)); code != http.StatusOK {
		t.Fatalf("logging in: %d %s", code, text)
	}
	return p
}

// oneJar is a cookie jar for one host under a reserved name.
type oneJar struct{ all []*http.Cookie }

func (j *oneJar) SetCookies(_ *url.URL, c []*http.Cookie) { j.all = append(j.all, c...) }
func (j *oneJar) Cookies(*url.URL) []*http.Cookie         { return j.all }

func (p *person) get(path string) (string, int) { return p.send(http.MethodGet, path, nil) }

func (p *person) send(method, path string, form url.Values) (string, int) {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), method, p.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		p.t.Fatal(err)
	}
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Origin", p.base)
	}
	res, err := p.client.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text), res.StatusCode
}

// damagedFiles are databases that no daemon may write to.
func damagedFiles(db []byte) map[string][]byte {
	return map[string][]byte{
		"a text":          []byte(strings.Repeat("damaged ", 4096)),
		"a page of zeros": append(bytes.Clone(db[:4096*20]), append(make([]byte, 4096), db[4096*21:]...)...),
		"empty":           {},
	}
}

// TestDamagedDatabase: whatever is wrong with the file, the daemon runs, says so on its page, in the doctor and to browsers,
// does not change the file, and restores the backup from there. The damaged file is kept.
func TestDamagedDatabase(t *testing.T) {
	dir, db := mustBackUp(t)
	for name, bad := range damagedFiles(db) {
		t.Run(name, func(t *testing.T) {
			own := t.TempDir()
			data := filepath.Join(own, "data")
			if err := errors.Join(os.CopyFS(data, os.DirFS(dir)), os.Chmod(data, 0o700), os.WriteFile(database(data), bad, 0o600)); err != nil {
				t.Fatal(err)
			}
			daemons := mustServeDamaged(t, data)
			a := <-daemons
			if a.Damage == nil {
				t.Fatal("no damage was found")
			}
			p := mustLogIn(t, a)
			text, code := p.get("/sessions") // leads to the page
			if code != http.StatusOK || !strings.Contains(text, "The database is damaged") {
				t.Fatalf("%d %s", code, text)
			}
			if text, code := p.send(http.MethodPost, "/settings", url.Values{"pages": {"1"}}); code != http.StatusServiceUnavailable || !strings.Contains(text, "Nothing was changed") {
				t.Errorf("a form gets %d", code)
			}
			if text, code := p.get("/doctor"); code != http.StatusOK || !strings.Contains(text, "The file is damaged") {
				t.Errorf("the doctor says %d %s", code, text)
			}
			checkBrowser(t, a)
			checkCommands(t, data)
			if now, err := os.ReadFile(database(data)); err != nil || !bytes.Equal(now, bad) {
				t.Fatalf("the damaged file was changed, %v", err)
			}
			restore := regexp.MustCompile(`name="name" value="([^"]+)"`).FindStringSubmatch(text)
			if restore == nil {
				t.Fatal("the page offers no backup")
			}
			if text, code := p.send(http.MethodPost, "/damaged/restore", url.Values{"name": {restore[1]}}); code != http.StatusOK || !strings.Contains(text, "Restoring") {
				t.Fatalf("%d %s", code, text)
			}
			a = <-daemons
			if a.Damage != nil || a.Restored == nil {
				t.Fatalf("after the restore: %+v", a.Damage)
			}
			if topics, err := topics.List(t.Context(), a.Store.DB); err != nil || len(topics) != 1 {
				t.Errorf("%+v, %v", topics, err)
			}
			if text, code := p.get("/sessions"); code != http.StatusOK || strings.Contains(text, "damaged") {
				t.Errorf("still logged in? %d", code)
			}
			kept, err := os.ReadFile(filepath.Join(a.Restored.OldData, "nightjar.db"))
			if err != nil || !bytes.Equal(kept, bad) {
				t.Errorf("the damaged file was not kept as it was: %v", err)
			}
		})
	}
}

// checkBrowser: a browser is refused with words, and gets no ack.
func checkBrowser(t *testing.T, a *App) {
	t.Helper()
	ws, err := socket.Dial(t.Context(), nil, a.Addr(), "chrome-extension://"+strings.Repeat("a", 32))
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Drop()
	if err := ws.Send(t.Context(), protocol.Hello{Type: protocol.TypeHello, V: protocol.Version, Client: "x"}); err != nil {
		t.Fatal(err)
	}
	answer, err := ws.Read(t.Context())
	if err != nil || !strings.Contains(string(answer), `"damaged"`) || !strings.Contains(string(answer), "Nothing is lost") {
		t.Errorf("a browser is told %s, %v", answer, err)
	}
}

// checkCommands: the doctor's report says it, and other commands are refused with a hint.
func checkCommands(t *testing.T, data string) {
	t.Helper()
	deadline, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	report, err := Examine(deadline, Config{Data: data}, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	said := ""
	for _, c := range report.Checks {
		if c.ID == "database" && c.State == doctor.Broken {
			said = c.Says
		}
		if c.ID == "storing" && c.State != doctor.Broken {
			t.Errorf("beside a damaged database, the doctor says %q", c.Says)
		}
	}
	if !strings.Contains(said, "only reads it") {
		t.Errorf("nightjar doctor says %+v", report.Checks)
	}
	err = Call(t.Context(), data, "/control/import", strings.NewReader("x"), new(any))
	if err == nil || !strings.Contains(command.Hint(err), "nightjar restore") {
		t.Errorf("import: %v; hint %q", err, command.Hint(err))
	}
}

// TestDamageWhileRunning: a daemon that finds damage while it runs opens again and only reads.
func TestDamageWhileRunning(t *testing.T) {
	dir, _ := mustBackUp(t)
	daemons := mustServeDamaged(t, dir)
	a := <-daemons
	if a.Damage != nil {
		t.Fatalf("%+v", a.Damage)
	}
	a.hurt([]string{"database disk image is malformed"})
	select {
	case a = <-daemons:
	case <-time.After(time.Minute):
		t.Fatal("the daemon did not go over to reading")
	}
	if a.Damage == nil || !strings.Contains(a.Damage.Faults[0], "malformed") {
		t.Fatalf("%+v", a.Damage)
	}
	if text, code := mustLogIn(t, a).get("/"); code != http.StatusOK || !strings.Contains(text, "Curling") && !strings.Contains(text, "Topics: 1") {
		t.Errorf("%d %s", code, text)
	}
}

// mustDamage damages a database that may be in use: two tables share their pages.
func mustDamage(t *testing.T, dir string) {
	t.Helper()
	db, err := sql.Open("sqlite", store.FileURL(database(dir))+"?mode=rw&_pragma=busy_timeout(10000)&_pragma=writable_schema(1)")
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.ExecContext(t.Context(), `UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'topics') WHERE name = 'title_queries';
		PRAGMA schema_version = 1000000`) // the number has all connections read it
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

// lines is a log that can be waited for.
type lines chan string

func (l lines) Write(line []byte) (int, error) {
	l <- string(line)
	return len(line), nil
}

// TestSuspicion: an error that says that the database is damaged has it checked. A sound one is used on; of a damaged one, the
// daemon only reads.
func TestSuspicion(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "nightjar.db")
	if err := os.WriteFile(broken, bytes.Repeat([]byte("a text "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	_, cause := store.Open(t.Context(), broken)
	for name, want := range map[string]string{"sound": "a check found no damage", "damaged": "nothing more is written to it"} {
		t.Run(name, func(t *testing.T) {
			dir, _ := mustBackUp(t)
			st, err := openStore(t.Context(), dir, store.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer st.Close()
			if name == "damaged" {
				mustDamage(t, dir)
			}
			log := make(lines, 10)
			a := &App{Store: st, Log: slog.New(slog.NewTextHandler(log, nil)), restart: make(chan struct{}), suspects: make(chan error, 1)}
			a.Troubles = trouble.New(dir, time.Now, nil, a.suspect)
			for range 3 {
				a.Troubles.Saw(fmt.Errorf("store events: %w", cause))
			}
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error)
			go func() { ended <- a.checkSuspects(ctx) }()
			if line := <-log; !strings.Contains(line, want) {
				t.Error(line)
			}
			stop()
			if err := <-ended; err != nil || len(a.faults) > 0 != (name == "damaged") {
				t.Errorf("faults %q, %v", a.faults, err)
			}
		})
	}
}

// TestDoctorFindsDamage: when the doctor is the first to find that the database is damaged, it says that nothing is stored, and
// the daemon goes over to reading.
func TestDoctorFindsDamage(t *testing.T) {
	dir, _ := mustBackUp(t)
	daemons := mustServeDamaged(t, dir)
	a := <-daemons
	mustDamage(t, dir)
	report := a.Examine(t.Context(), time.Minute)
	for _, c := range report.Checks {
		if (c.ID == "storing" || c.ID == "database") && c.State != doctor.Broken {
			t.Errorf("%s: %s", c.ID, c.Says)
		}
	}
	select {
	case a = <-daemons:
	case <-time.After(time.Minute):
		t.Fatal("the daemon did not go over to reading")
	}
	if a.Damage == nil {
		t.Error("the daemon writes to a damaged database")
	}
}

// TestSaveFromPage: what can be read is saved from the page, and then offered.
func TestSaveFromPage(t *testing.T) {
	dir, db := mustBackUp(t)
	bad := append(bytes.Clone(db), make([]byte, 4096)...) // a page that no table has
	bad[31]++                                             // the number of pages in the header
	if err := os.WriteFile(database(dir), bad, 0o600); err != nil {
		t.Fatal(err)
	}
	a := <-mustServeDamaged(t, dir)
	if a.Damage == nil {
		t.Fatal("no damage was found")
	}
	p := mustLogIn(t, a)
	text, code := p.send(http.MethodPost, "/damaged/save", url.Values{})
	if code != http.StatusOK || !strings.Contains(text, "what could be read of the damaged database") {
		t.Fatalf("%d %s", code, text)
	}
	copies, err := safekeeping.List(dir)
	if err != nil || len(copies) != 2 || copies[0].Kind != safekeeping.Saved {
		t.Fatalf("%+v, %v", copies, err)
	}
	if in, err := backup.Inspect(t.Context(), copies[0].Path); err != nil || in.Topics != 1 {
		t.Errorf("%+v, %v", in, err)
	}
}
