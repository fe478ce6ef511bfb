package sessions

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// dump writes out every row that events bring, in an order of its own, without the row numbers and the time of arrival,
// which depend on the order of arrival.
func dump(tb testing.TB, s *store.Store) string {
	tb.Helper()
	var out strings.Builder
	for _, q := range []string{
		"SELECT s.uuid, t.name, s.client, s.status, s.started_at, coalesce(s.ended_at, ''), coalesce(s.ended_seq, ''), s.problem FROM sessions s JOIN topics t ON t.id = s.topic_id",
		"SELECT hex(hash), hex(gzip) FROM contents",
		"SELECT e.id, s.uuid, e.client, e.seq, e.at, e.type, e.page, e.body, coalesce(hex(e.content_hash), ''), e.shown FROM events e JOIN sessions s ON s.id = e.session_id",
		"SELECT load, code FROM withheld",
		"SELECT url, title, coalesce(hex(content_hash), '') FROM pages",
		"SELECT v.load, s.uuid, p.url, v.requested, v.title, v.how, v.from_load, v.seq, v.real_text FROM visits v JOIN sessions s ON s.id = v.session_id JOIN pages p ON p.id = v.page_id",
		"SELECT s.uuid, p.url, m.useful FROM marks m JOIN sessions s ON s.id = m.session_id JOIN pages p ON p.id = m.page_id",
	} {
		rows := must(s.Readers.QueryContext(tb.Context(), q+" ORDER BY 1, 2"))(tb)
		columns := must(rows.Columns())(tb)
		for rows.Next() {
			values, into := make([]string, len(columns)), make([]any, len(columns))
			for i := range values {
				into[i] = &values[i]
			}
			ok(tb, rows.Scan(into...))
			fmt.Fprintln(&out, strings.Join(values, " | "))
		}
		ok(tb, rows.Close())
		out.WriteByte('\n')
	}
	return out.String()
}

// web makes a session with everything in it: snapshots that change, aliases, frames of the same site and of another,
// with and without real text and in one another, marks taken back, a page with a password field and frames in it, and
// loads of one page.
func web(m *sessiontest.Maker, rng *rand.Rand) []protocol.Event {
	events := []protocol.Event{m.Start("Hockey")}
	links := rand.New(rand.NewPCG(uint64(m.Event(protocol.Back).ID[9]), 17))
	var loads []string
	for i := range 6 {
		url := fmt.Sprintf("http://ice.test/%d", rng.IntN(4))
		from := ""
		if len(loads) > 0 {
			from = loads[rng.IntN(len(loads))]
		}
		v := m.Visit(url, fmt.Sprintf("visit %d", i), []string{protocol.HowLink, protocol.HowReload, protocol.HowTyped}[rng.IntN(3)], from)
		if rng.IntN(3) == 0 {
			v.Requested = fmt.Sprintf("http://old.test/%d", rng.IntN(4))
		}
		loads = append(loads, v.Page)
		events = append(events, v)
		for range rng.IntN(3) {
			title := ""
			if rng.IntN(2) == 0 {
				title = fmt.Sprintf("<title>shown %d</title>", rng.IntN(100))
			}
			html := fmt.Sprintf("%s<p>text %d<a href=/%d>anchor %d</a><a href=/x?access_token=abc>secret</a>", title, rng.IntN(3), rng.IntN(6), rng.IntN(4))
			if rng.IntN(12) == 0 {
				html += "<input type=password>"
			}
			of := v.Page
			if rng.IntN(3) == 0 {
				of = loads[rng.IntN(len(loads))] // left open in another tab
			}
			events = append(events, m.Snapshot(of, []byte(html)))
		}
		if rng.IntN(6) == 0 { // of the same load, numbered later, with another URL: the earlier one counts
			second := v
			second.ID, second.Seq, second.URL = m.UUID(), m.Event(protocol.Back).Seq, fmt.Sprintf("http://ice.test/%d", rng.IntN(4))
			events = append(events, second)
		}
		if rng.IntN(3) == 0 {
			host := []string{"ice.test", "ice.test", "ad.test"}[rng.IntN(3)]
			f := m.Frame(loads[rng.IntN(len(loads))], fmt.Sprintf("http://%s/frame/%d", host, rng.IntN(2)), []string{protocol.KindFrame, protocol.KindIframe}[rng.IntN(2)])
			loads = append(loads, f.Page)
			events = append(events, f, m.Snapshot(f.Page, []byte("<p>in a frame"+strings.Repeat(" that says something", rng.IntN(4)))))
		}
		if links.IntN(2) == 0 {
			link := m.Of([]protocol.Type{protocol.LinkUseful, protocol.LinkNotUseful}[links.IntN(2)], loads[links.IntN(len(loads))], "")
			link.URL = fmt.Sprintf("http://%s/%d", []string{"ice.test", "old.test"}[links.IntN(2)], links.IntN(12))
			events = append(events, link)
		}
		mark := loads[rng.IntN(len(loads))]
		switch rng.IntN(4) {
		case 0, 1:
			events = append(events, m.Of(protocol.Useful, mark, ""))
		case 2:
			events = append(events, m.Of(protocol.NotUseful, mark, ""))
		case 3:
			events = append(events, m.Of(protocol.Back, mark, v.Page), m.Event(protocol.SessionPause), m.Event(protocol.SessionResume))
		}
	}
	return events
}

func withoutWithheldEvents(dump string, s *store.Store, tb testing.TB) string {
	tb.Helper()
	loads := must(db.Query(tb.Context(), s.Readers, db.ScanText, "SELECT load FROM withheld"))(tb)
	lines := strings.Split(dump, "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool {
		return strings.Contains(line, " | snapshot | ") && slices.ContainsFunc(loads, func(l string) bool { return strings.Contains(line, l) })
	})
	return strings.Join(lines, "\n")
}

func TestRepeatedEventsChangeNothing(t *testing.T) {
	s := open(t)
	events := web(maker(1), rand.New(rand.NewPCG(3, 4)))
	must(ingest(t, s, events...))(t)
	before := dump(t, s)
	for range 3 {
		must(ingest(t, s, events...))(t)
		for _, e := range events {
			must(ingest(t, s, e, e))(t)
		}
	}
	if after := dump(t, s); after != before {
		t.Errorf("repeating changed\n%s\nto\n%s", before, after)
	}
}
