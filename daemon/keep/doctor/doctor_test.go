package doctor_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/app"
	"nightjar/daemon/base/machine"
	"nightjar/daemon/browse/ingest"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/keep/doctor"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
	"nightjar/daemon/store/storetest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.Local)

// well returns options of a daemon that is well, with an empty database.
func well(t *testing.T) doctor.Options {
	t.Helper()
	name := storetest.Path(t)
	st, err := store.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	st.Now = func() time.Time { return noon }
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return doctor.Options{
		Data: dir, Database: name, Store: st, Listen: "127.0.0.1:4774", Running: &doctor.Running{PID: 7, Since: noon.Add(-time.Hour)},
		Machine:   machine.State{Battery: machine.No, Metered: machine.No, Free: 100 << 30, Size: 200 << 30},
		Extension: "/x", ExtensionCurrent: true, Archive: filepath.Join(dir, "archive"), Version: "1", Now: noon,
	}
}

// mustSet changes the settings.
func mustSet(t *testing.T, o doctor.Options, change func(*settings.Settings)) {
	t.Helper()
	all, err := o.Store.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	change(&all)
	if err := o.Store.SaveSettings(t.Context(), all); err != nil {
		t.Fatal(err)
	}
}

// check returns the check of an id.
func check(t *testing.T, o doctor.Options, id string) doctor.Check {
	t.Helper()
	r := doctor.Examine(t.Context(), o, app.Checks)
	i := slices.IndexFunc(r.Checks, func(c doctor.Check) bool { return c.ID == id })
	if i < 0 {
		t.Fatalf("no check %s in %+v", id, r)
	}
	return r.Checks[i]
}

// want fails unless a check is in a state and says words, in any of its texts.
func want(t *testing.T, o doctor.Options, id string, state doctor.State, words string) {
	t.Helper()
	c := check(t, o, id)
	if all := c.Says + " " + strings.Join(c.More, " ") + " " + c.Fix; c.State != state || !strings.Contains(all, words) {
		t.Errorf("%s is %s and says %q, want %s and %q", id, c.State, all, state, words)
	}
	if state == doctor.Broken && c.Fix == "" {
		t.Errorf("%s is broken and says no fix", id)
	}
}

// TestWell: a new daemon has notes, and nothing is broken.
func TestWell(t *testing.T) {
	o := well(t)
	r := doctor.Examine(t.Context(), o, app.Checks)
	for _, c := range r.Checks {
		if c.State == doctor.Broken || c.State == doctor.Unknown || c.Says == "" || c.Name == "" {
			t.Errorf("%+v", c)
		}
	}
	if r.Broken() || len(r.Checks) < 15 {
		t.Errorf("%d checks, broken: %t", len(r.Checks), r.Broken())
	}
	want(t, o, "daemon", doctor.Good, "process 7, since today at")
	want(t, o, "browsers", doctor.Note, "Load the extension")
	want(t, o, "last-event", doctor.Good, "Nothing has been recorded")
	want(t, o, "next-night", doctor.Note, "the night is off")
	want(t, o, "database", doctor.Good, "sound")
	cut := o
	cut.Recovered = "the last 2 changes are left out"
	want(t, cut, "database", doctor.Good, "The last 2 changes are left out.")
	want(t, o, "versions", doctor.Good, "schema")
}

// TestSizeWithTheLog: the size of a database counts the rows that are in its write-ahead log only.
func TestSizeWithTheLog(t *testing.T) {
	o := well(t)
	if err := o.Store.SetSetting(t.Context(), "test", strings.Repeat("x", 1<<20)); err != nil {
		t.Fatal(err)
	}
	file, err := os.Stat(o.Database)
	if err != nil || file.Size() > 1<<20 {
		t.Fatalf("the row is in the file: %v, %v", file.Size(), err)
	}
	var mb float64
	says := check(t, o, "database").Says
	if _, err := fmt.Sscanf(says[strings.LastIndex(says, ", ")+2:], "%f MB", &mb); err != nil || mb < 1.0 {
		t.Errorf("%q: %v", says, err)
	}
}

// TestNextNight names each reason for which the next night will not run, or will wait.
func TestNextNight(t *testing.T) {
	o := well(t)
	mustSet(t, o, func(s *settings.Settings) { s.Night.Enabled = true })
	want(t, o, "next-night", doctor.Note, "there is no model yet")
	topic := mustTopic(t, o)
	want(t, o, "next-night", doctor.Note, "no start page is ticked")
	if _, err := startpages.Add(t.Context(), o.Store.DB, topic, "http://a.test/"); err != nil {
		t.Fatal(err)
	}
	want(t, o, "next-night", doctor.Good, "Opens tomorrow at 01:00")
	open := o
	open.Now = noon.Add(-10 * time.Hour)
	want(t, open, "next-night", doctor.Good, "The window is open until today at 06:00")
	battery, metered, full, clock := o, o, o, o
	battery.Machine.Battery, metered.Machine.Metered = machine.Yes, machine.Yes
	full.Machine.Free, clock.Now = 1<<20, time.Unix(0, 0)
	want(t, battery, "next-night", doctor.Note, "on battery power")
	want(t, metered, "next-night", doctor.Note, "the network is metered")
	want(t, full, "next-night", doctor.Note, "disk space")
	want(t, full, "disk", doctor.Broken, "Crawls wait")
	want(t, clock, "next-night", doctor.Broken, "Set the clock")
	want(t, clock, "clock", doctor.Broken, "not set")
	stopped := o
	stopped.Running = nil
	want(t, stopped, "next-night", doctor.Note, "start it")
	want(t, stopped, "daemon", doctor.Broken, "nightjar serve --data")
}

// mustTopic makes a topic with a model.
func mustTopic(t *testing.T, o doctor.Options) int64 {
	t.Helper()
	topic, err := topics.Create(t.Context(), o.Store.DB, "Hockey")
	if err != nil {
		t.Fatal(err)
	}
	storetest.Exec(t, o.Database, "INSERT INTO models (topic_id, version, bundle, facts, created_at) VALUES (?, 1, x'00', '{}', 1)", topic.ID)
	return topic.ID
}

// TestPast: browsers, events, nights and refusals of the past are told, with hostile names made harmless.
func TestPast(t *testing.T) {
	o := well(t)
	evil := "<b>\x1b[31m\nx\u202e" + strings.Repeat("y", 500)
	err := ingest.PairBrowser(t.Context(), o.Store.DB, ingest.Browser{Client: "c", Name: evil, Origin: "o", Key: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	o.Listen = "127.0.0.1:5000"
	want(t, o, "port", doctor.Note, "extension's options")
	if err := ingest.BrowserSeen(t.Context(), o.Store.DB, "c"); err != nil {
		t.Fatal(err)
	}
	want(t, o, "port", doctor.Good, "127.0.0.1:5000")
	want(t, o, "browsers", doctor.Good, "last heard today at")
	later := o
	later.Now = noon.AddDate(0, 0, 30)
	want(t, later, "browsers", doctor.Note, "not heard for two weeks")
	m := sessiontest.NewMaker(1, noon.AddDate(0, 0, -1))
	admitted, _ := session.AdmitAll([]protocol.Event{m.Start("Hockey")})
	if _, err := sessions.Ingest(t.Context(), o.Store, admitted); err != nil {
		t.Fatal(err)
	}
	want(t, o, "last-event", doctor.Good, "yesterday at")
	back := o
	back.Now = noon.AddDate(0, 0, -7)
	want(t, back, "clock", doctor.Note, "which is later")

	storetest.Exec(t, o.Database, "INSERT INTO models (id, topic_id, version, bundle, facts, created_at) VALUES (1, 1, 1, x'00', '{}', 1)")
	storetest.Exec(t, o.Database, `INSERT INTO crawls (id, topic_id, model_id, night, strategy, options, status, stop_reason, fetched, created_at)
		VALUES (1, 1, 1, '2026-11-20', 'hmm', '{}', 'ended', 'an error: ' || ?, 12, 1)`, evil)
	storetest.Exec(t, o.Database, `INSERT INTO fetches (crawl_id, n, url, final_url, host, outcome, at) VALUES (1, 1, 'u', 'u', ?, 'robots', ?)`,
		evil, noon.UnixMilli())
	for i, asked := range []int{0, 1} { // a page that was only asked about is no find
		storetest.Exec(t, o.Database, `INSERT INTO finds (topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at, asked)
			VALUES (1, 1, 1, 'u' || ?, 't', 's', 1, 1, ?)`, i, asked)
	}
	want(t, o, "last-night", doctor.Note, "2026-11-20: 1 crawl, 12 pages fetched, 1 find.")
	want(t, o, "robots", doctor.Good, "1 page, last today at")
	mustSet(t, o, func(s *settings.Settings) { s.AllowPrivate = []string{"10.0.0.0/8"} })
	want(t, o, "private", doctor.Note, "10.0.0.0/8")
	for _, c := range doctor.Examine(t.Context(), o, app.Checks).Checks {
		for _, line := range append([]string{c.Name, c.Says, c.Fix}, c.More...) {
			if strings.ContainsAny(line, "\x1b\n\u202e") || len(line) > 500 {
				t.Errorf("%s says %q", c.ID, line)
			}
		}
	}
}

// TestArchiveFull: an archive at its limit is told.
func TestArchiveFull(t *testing.T) {
	o := well(t)
	mustSet(t, o, func(s *settings.Settings) { s.Archive.Megabytes = 1 })
	want(t, o, "archive", doctor.Good, "0 B used")
	if err := os.Mkdir(o.Archive, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(o.Archive, "a.warc.gz"), make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	want(t, o, "archive", doctor.Note, "It is full")
}

// TestDamaged: a database with a broken page is told and left as it is, and so is one that is none.
func TestDamaged(t *testing.T) {
	o := well(t)
	for i := range 200 {
		if _, err := topics.Create(t.Context(), o.Store.DB, fmt.Sprintf("Topic %d %s", i, strings.Repeat("x", 150))); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.Store.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(o.Database)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(text) - 8192; i < len(text); i++ {
		text[i] = 0xAA
	}
	if err := os.WriteFile(o.Database, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if o.Store, err = store.Look(t.Context(), o.Database); err != nil {
		t.Fatal(err)
	}
	defer o.Store.Close()
	want(t, o, "database", doctor.Broken, "The file is damaged")
	if after, err := os.ReadFile(o.Database); err != nil || string(after) != string(text) {
		t.Errorf("the file was changed, %v", err)
	}
	if err := os.WriteFile(o.Database, bytes.Repeat([]byte("a text "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	o.Store, o.StoreErr = nil, openErr(t, o.Database)
	want(t, o, "database", doctor.Broken, "nightjar restore BACKUP --data")
	o.StoreErr = openErr(t, t.TempDir()) // that is no damage, and no backup helps
	want(t, o, "database", doctor.Broken, "Make ")
	if c := check(t, o, "database"); strings.Contains(c.Fix, "restore") {
		t.Errorf("a folder in place of a database: %q", c.Fix)
	}
	want(t, o, "versions", doctor.Good, "protocol")
}

// openErr returns the error of opening what is no database.
func openErr(t *testing.T, path string) error {
	t.Helper()
	st, err := store.Open(t.Context(), path)
	if err == nil {
		t.Fatal(st.Close())
	}
	return err
}

// TestLimit: a check that does not end in time says so.
func TestLimit(t *testing.T) {
	o := well(t)
	o.Limit = time.Nanosecond
	want(t, o, "database", doctor.Unknown, "nightjar doctor --full")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if r := doctor.Examine(ended, o, app.Checks); r.Count(doctor.Unknown) == 0 {
		t.Errorf("nobody waits: %+v", r)
	}
}

// TestFolder: a data folder that is missing, open to others or read-only.
func TestFolder(t *testing.T) {
	o := well(t)
	dir := o.Data
	o.Data = filepath.Join(dir, "none")
	want(t, o, "folder", doctor.Broken, "does not exist")
	o.Data = o.Database
	want(t, o, "folder", doctor.Broken, "is not a folder")
	if runtime.GOOS == "windows" {
		return
	}
	o.Data = dir
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	want(t, o, "folder", doctor.Broken, "chmod 700 "+dir)
}

// TestPortTaken: another program has the port; on Linux it is named.
func TestPortTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	o := well(t)
	o.Running, o.Listen = nil, l.Addr().String()
	who := "its name is not known"
	if runtime.GOOS == "linux" {
		who = fmt.Sprintf("(process %d)", os.Getpid())
	}
	want(t, o, "port", doctor.Broken, who)
	o.Running = &doctor.Running{}
	want(t, o, "port", doctor.Note, "extension's options")
}
