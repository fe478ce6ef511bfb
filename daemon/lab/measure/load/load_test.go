package load

import (
	"bytes"
	"database/sql"
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/lab/verb"
	"nightjar/daemon/store"
)

func TestTimesOf(t *testing.T) {
	var all []time.Duration
	for i := 200; i > 0; i-- { // 1 to 200 ms, in no order that helps
		all = append(all, time.Duration(i)*time.Millisecond)
	}
	if got, want := timesOf("x", all), (ackTimes{"x", 200, 100, 190, 198, 200}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := timesOf("none", nil); got != (ackTimes{What: "none"}) {
		t.Errorf("%+v of nothing", got)
	}
}

func TestSlopesOf(t *testing.T) {
	var all []sample
	for i := range 30 {
		noise := float64(i%2) - .5
		all = append(all, sample{Second: float64(i * 10), RSS: 100 + 3*float64(i)/6 + noise, Live: 50 - float64(i)/6, Goroutines: 7, Descriptors: 90 - i, WAL: noise})
	}
	s := slopesOf(all)
	for name, c := range map[string][2]float64{"RSS": {s.RSS, 3}, "live": {s.Live, -1}, "goroutines": {s.Goroutines, 0}, "descriptors": {s.Descriptors, -6}, "WAL": {s.WAL, 0}} {
		if math.Abs(c[0]-c[1]) > .1 {
			t.Errorf("%s: %g a minute, want %g", name, c[0], c[1])
		}
	}
	if s := slopesOf(all[:1]); s != (slopes{}) {
		t.Errorf("%+v of one sample", s)
	}
}

// What was stored before is a database that the program opens, with sound references and with sessions that it can read.
func TestFill(t *testing.T) {
	name := filepath.Join(t.TempDir(), "nightjar.db")
	const long, events = 120, eventsOfPage*(120+150) + 3
	if err := fill(t.Context(), name, events, long, io.Discard); err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if err := st.Check(t.Context()); err != nil {
		t.Error(err)
	}
	one, err := sessions.ByUUID(t.Context(), st.DB, uuid(1, 1))
	if err != nil || one.Pages != pagesOfSession {
		t.Fatalf("%+v, %v", one, err)
	}
	all, err := sessions.Events(t.Context(), st.DB, one.ID)
	if err != nil || len(all) != 1+eventsOfPage*pagesOfSession {
		t.Fatalf("%d events: %v", len(all), err)
	}
	if html, err := all[2].Open(); err != nil || !bytes.Contains(html, []byte("<h1>Page 120</h1>")) || len(html) < 2500 {
		t.Errorf("a snapshot of %d bytes: %v", len(html), err)
	}
	db, err := sql.Open("sqlite", store.FileURL(name)+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for text, want := range map[string]int{
		"SELECT count(*) >= 813 AND count(*) < 820 FROM events":                                          1,
		"SELECT count(*) FROM visits WHERE session_id = 1":                                               long,
		"SELECT count(*) FROM search_queue":                                                              0,
		"SELECT count(*) > 30 FROM sqlite_schema WHERE type = 'trigger'":                                 1,
		"SELECT count(*) > 50 FROM sqlite_schema WHERE name LIKE '%\\_%' ESCAPE '\\' AND type = 'index'": 1,
	} {
		var got int
		if err := db.QueryRow(text).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %d, %v; want %d", text, got, err, want)
		}
	}
}

func TestWrongFlags(t *testing.T) {
	for _, args := range [][]string{{"--minutes", "0"}, {"--rate", "-1"}, {"more"}, {"--stored", "-3"}} {
		if code, _, said := verb.Call(t.Context(), Command, nil, args...); code != 2 {
			t.Errorf("%v: exit code %d, %s", args, code, said)
		}
	}
}

// The table says what was lost and how the process went.
func TestPrint(t *testing.T) {
	r := result{Stored: 5, Rate: 200, Sent: 9, Acked: 8, Lost: 1, Acks: []ackTimes{timesOf("steady", []time.Duration{time.Second})},
		Samples: []sample{{Second: 0, RSS: 12}, {Second: 2, RSS: 13}, {Second: 61, RSS: 14, Goroutines: 77}}}
	var out strings.Builder
	if err := devtool.WriteText(&out, r.heading(), r.tables()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Sent 9 events, acknowledged 8, refused 0, lost 1; 0 connections", "steady  1  1000.0", "77"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	if strings.Contains(out.String(), " 13 ") {
		t.Error("more than a sample of each minute")
	}
}
