package session

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/model/webgraph"
)

// graphOf writes out what a drawing shows of the web graph of page loads.
func graphOf(loads []webgraph.Load) string {
	g := webgraph.Build(loads)
	var out strings.Builder
	for i, p := range g.Pages {
		fmt.Fprintln(&out, i, p.URL, p.Title, p.Target, p.Loads)
	}
	for _, l := range loads {
		fmt.Fprintln(&out, l.ID, g.ByLoad[l.ID])
	}
	fmt.Fprintln(&out, g.Edges)
	return out.String()
}

// bothGraphs builds the web graph of events from all that snapshots say, and from their outlines, with the snapshots taken
// out of the events.
func bothGraphs(t *testing.T, events []protocol.Event) (whole, outlined string) {
	t.Helper()
	html := map[string][]byte{}
	bare := slices.Clone(events)
	for i, e := range bare {
		html[e.ID] = e.HTML
		bare[i].HTML = nil
	}
	sessions, err := Fold(events)
	if err != nil {
		t.Fatal(err)
	}
	var loads []webgraph.Load
	for _, s := range sessions {
		loads = append(loads, s.Loads()...)
	}
	if sessions, err = Fold(bare); err != nil {
		t.Fatal(err)
	}
	outlines, err := Outline(sessions, func(e protocol.Event) ([]byte, error) { return html[e.ID], nil })
	if err != nil {
		t.Fatal(err)
	}
	return graphOf(loads), graphOf(outlines)
}

// Sessions with frames, redirects, pages with a password field, variants by rel=canonical and several browsers have the same
// graph by their outlines as by all that their pages say.
func TestOutlineGivesTheSameGraph(t *testing.T) {
	web := site("a>b,c,d b>c,old c>d d>a e>a menu>b,c,main main>c b2>b two>d,old left>a right>b top>a")
	long := strings.Repeat("goalkeepers stop the pucks of the forwards. ", 5)
	web["print"] = `<link rel=canonical href="/article"><p>Print this. ` + long
	web["article"] = `<title>Article</title><link rel=canonical href="/article"><p>` + long + `<a href=/b>b</a>`
	web["advert"], web["story"] = `<p>buy`, `<p>`+long+`<a href=/c>c</a>`
	web["menu2"] = `<link rel=canonical href="/article"><p>another text about sails and boats`
	graphs := map[string]bool{}
	check := func(what string, events []protocol.Event) {
		whole, outlined := bothGraphs(t, events)
		if outlined != whole {
			t.Fatalf("%s: by outlines\n%s\nby pages\n%s", what, outlined, whole)
		}
		graphs[whole] = true
	}
	for i, script := range []string{
		"typed=set frame=menu frame=main link=b useful back link=old:c tab=d",
		"typed=outer frame=top frame=inner to=inner frame=left frame=right useful link=a",
		"typed=a link=login frame=b to=a link=d useful link=a",
		"typed=article iframe=advert iframe=story useful link=b to=print",
		"typed=article link=print useful link=menu2 link=article iframe=story",
		"typed=print link=b link=article typed=e link=q:a reload=a",
	} {
		script = strings.TrimSuffix(script, " to=print")
		events, err := sessiontest.Script(uint64(i), time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC), web, script)
		if err != nil {
			t.Fatal(script, err)
		}
		check(script, events)
	}
	rng := rand.New(rand.NewPCG(19, 1))
	for range 60 {
		check("two browsers", twoBrowsers(t, rng))
	}
	if len(graphs) < 40 {
		t.Errorf("only %d different graphs", len(graphs))
	}
}

// Snapshots are read one at a time, and what cannot be read ends the reading.
func TestOutlineOfUnreadableSnapshots(t *testing.T) {
	m := maker(1)
	a, b := m.Visit("http://ice.test/a", "A", protocol.HowTyped, ""), m.Visit("http://ice.test/b", "B", protocol.HowTyped, "")
	r := mustFold(t, m.Start("Hockey"), a, b, m.Snapshot(a.Page, []byte("<a href=/b>b</a>")), m.Snapshot(b.Page, []byte("<a href=/a>a</a>")))
	loads, err := Outline([]*Session{r}, func(e protocol.Event) ([]byte, error) {
		if e.Page == b.Page {
			return nil, nil // erased meanwhile
		}
		return []byte("not packed"), nil
	})
	if err != nil || len(loads) != 2 || len(loads[0].Links)+len(loads[1].Links) != 0 || loads[0].Title != "A" {
		t.Errorf("%+v, %v", loads, err)
	}
	broken, calls := errors.New("broken"), 0
	if _, err := Outline([]*Session{r}, func(protocol.Event) ([]byte, error) { calls++; return nil, broken }); !errors.Is(err, broken) || calls != 1 {
		t.Errorf("%v after %d snapshots", err, calls)
	}
}
