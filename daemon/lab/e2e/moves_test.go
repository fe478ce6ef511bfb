package e2e

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/browse/session"
	"nightjar/daemon/lab/effort"
)

// TestMovesChromium moves through a small web in every way that a person can, and reads from the database what became of it.
func TestMovesChromium(t *testing.T) {
	t.Parallel()
	walkMoves(t, "chromium", startChromiumHands)
}

// TestMovesFirefox is TestMovesChromium in Firefox: the first moves in each change, all of them at night.
func TestMovesFirefox(t *testing.T) {
	t.Parallel()
	walkMoves(t, "firefox", startFirefoxHands)
}

// walk is a session in which a person moves.
type walk struct {
	*job
	hand hands
	name string
	u    *user   // the tab that the person uses
	past []*user // the tabs from which it was opened
	seen int     // facts so far
}

func walkMoves(t *testing.T, name string, start start) {
	t.Helper()
	addr := serveMoves(t)
	j := &job{t: t, b: start(t, addr), topic: "Moves"}
	j.d = startDaemon(t, addr)
	j.reader = (&user{t: t, pictures: newPictures("moves-" + name)}).open(j.b)
	w := &walk{job: j, hand: j.b.(hands), name: name, u: j.reader}
	j.connect()
	w.record("http://a.test/")
	todo := moves
	if name == "firefox" && !effort.Nightly() {
		todo = moves[:basicMoves]
	}
	for _, m := range todo {
		w.make(m)
	}
	w.checkGraph(len(todo) == len(moves))
}

// record starts a session at a page.
func (w *walk) record(url string) {
	w.t.Helper()
	w.u.front().address(url)
	w.popup = w.u.open(w.b)
	w.popup.address(w.b.ExtensionPage("popup/popup.html"))
	w.popup.sees("#connection", "Connected")
	w.popup.write("#topic", w.topic)
	w.popup.click("button", "Start recording")
	w.popup.sees("#session-facts", "Recording")
	w.u.front()
}

// make makes a move and waits until the database has what it leads to, and nothing else. Whatever a move records too much,
// the next one finds.
func (w *walk) make(m move) {
	w.t.Helper()
	want := m.want
	if m.firefox != "" && w.name == "firefox" {
		want = m.firefox
	}
	lines := strings.FieldsFunc(want, func(r rune) bool { return r == ';' })
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	slices.Sort(lines)
	if m.do != nil {
		m.do(w)
	}
	w.u.eventually("see in the database: "+m.way, func() error {
		got := w.facts()[w.seen:]
		slices.Sort(got)
		if !slices.Equal(got, lines) {
			return fmt.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(lines, "\n\t"))
		}
		return nil
	})
	w.seen += len(lines)
	w.t.Logf("%s: %s", m.way, strings.Join(lines, "; "))
}

// facts are all visits, frames and steps through the history in the database, in order. Visits count once their snapshot came.
func (w *walk) facts() (all []string) {
	w.t.Helper()
	rows, err := w.d.db.Query(`
		SELECT v.seq, CASE WHEN v.how IN ('frame', 'iframe') THEN v.how || ' ' || p.url || ' in ' || f.url ELSE
			p.url || ' ' || v.how || coalesce(' from ' || f.url, '') || iif(v.requested = '', '', ' for ' || v.requested) END ||
			iif(EXISTS (SELECT 1 FROM events e WHERE e.page = v.load AND e.type = 'snapshot'), '', ' without snapshot')
		FROM visits v JOIN pages p ON p.id = v.page_id LEFT JOIN visits fv ON fv.load = v.from_load LEFT JOIN pages f ON f.id = fv.page_id
		UNION ALL
		SELECT e.seq, e.type || ' to ' || p.url || coalesce(' from ' || f.url, '') FROM events e JOIN visits v ON v.load = e.page
		JOIN pages p ON p.id = v.page_id LEFT JOIN visits fv ON fv.load = e.body ->> '$.from' LEFT JOIN pages f ON f.id = fv.page_id
		WHERE e.type IN ('back', 'forward') ORDER BY 1`)
	if err != nil {
		w.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var seq int64
		var line string
		if err := rows.Scan(&seq, &line); err != nil {
			w.t.Fatal(err)
		}
		all = append(all, strings.ReplaceAll(line, "http://", ""))
	}
	if err := rows.Err(); err != nil {
		w.t.Fatal(err)
	}
	return all
}

// movesGraph is the golden list of the session's web graph: its pages, and its links as "from -> to". Both browsers make it.
//
//go:embed testdata/moves-graph.txt
var movesGraph string

// checkGraph compares the web graph of the session with the golden list. A session of all moves has the whole list.
func (w *walk) checkGraph(whole bool) {
	w.t.Helper()
	events, err := session.Read(bytes.NewReader(w.d.export(w.topic)))
	if err != nil {
		w.t.Fatal(err)
	}
	var got []string
	for _, line := range graphOf(w.t, events) {
		page, _, _ := strings.Cut(line, ", ") // without the size of its text
		got = append(got, strings.ReplaceAll(page, "http://", ""))
	}
	want := strings.Split(strings.TrimSpace(movesGraph), "\n")
	for _, line := range got {
		if !slices.Contains(want, line) {
			w.t.Errorf("in the graph, but not in the list: %s", line)
		}
	}
	for _, line := range want {
		if whole && !slices.Contains(got, line) {
			w.t.Errorf("in the list, but not in the graph: %s", line)
		}
	}
}
