package trainer

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler/feature"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/model/ways"
)

// linked is a web from lines like "a>b,c": page a links to b and c.
func linked(links string) map[string]string {
	web := map[string]string{"set": `<title>set</title><frameset><frame src="/menu"><frame src="/main"></frameset>`}
	for line := range strings.FieldsSeq(links) {
		name, to, _ := strings.Cut(line, ">")
		html := "<title>" + name + "</title><p>" + strings.Repeat("words of the page ", 5)
		for _, l := range strings.Split(to, ",") {
			html += fmt.Sprintf(` <a href="/%s">to %s</a>`, l, l)
		}
		web[name] = html
	}
	return web
}

// browsed makes a session from a script, day days after the first.
func browsed(t *testing.T, web map[string]string, day int, script string) *session.Session {
	t.Helper()
	events, err := sessiontest.Script(uint64(day), start.AddDate(0, 0, day), web, script)
	if err != nil {
		t.Fatal(err)
	}
	recs, err := session.Fold(events)
	if err != nil || len(recs) != 1 {
		t.Fatalf("%d sessions, %v", len(recs), err)
	}
	return recs[0]
}

// short writes a path in a line: sign, kind, the pages with the numbers of the links between them, and m above 1.
func short(p ways.Path) string {
	s := "-"
	if p.Positive {
		s = "+"
	}
	s += string(p.Kind)
	for i, step := range p.Steps {
		if i > 0 {
			link := "?"
			if step.Position >= 0 {
				link = fmt.Sprint(step.Position)
			}
			s += " " + link
		}
		s += " " + strings.TrimPrefix(step.URL, sessiontest.Host)
	}
	if p.Count != 1 {
		s += fmt.Sprintf(" x%v", p.Count)
	}
	return s
}

func shorts(paths []ways.Path) []string {
	var all []string
	for _, p := range paths {
		all = append(all, short(p))
	}
	return all
}

func mustPaths(t *testing.T, recs []*session.Session, marked []trainingdata.MarkedFind, names map[string]string) []ways.Path {
	t.Helper()
	paths, err := Paths(t.Context(), recs, marked, names, feature.DefaultSets(), 4)
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func TestPaths(t *testing.T) {
	web := linked("a>b,c,d b>c,d c>d d>e,a e>a menu>b,main main>e f>g g>h")
	for name, c := range map[string]struct{ script, want string }{
		"useful leaf":                   {"typed=a link=b link=d useful submit", "+marked a 0 b 1 d; +graph a 2 d"},
		"useful on the way":             {"typed=a link=b useful link=d typed=f submit", "+marked a 0 b"},
		"useful on the way and the end": {"typed=a link=b useful link=d useful submit", "+marked a 0 b 1 d; +marked a 0 b; +graph a 2 d"},
		"useful then unmarked":          {"typed=a link=b useful not-useful back link=c useful submit", "+marked a 1 c; -left a 0 b"},
		"left by Back":                  {"typed=a link=b back link=c useful submit", "+marked a 1 c; -left a 0 b"},
		"left by Back, two pages":       {"typed=a link=b link=c back back link=d useful submit", "+marked a 2 d; -left a 0 b 0 c"},
		"left for another page":         {"typed=a link=b typed=f link=g useful submit", "+marked f 0 g; -left a 0 b"},
		"left in another tab":           {"typed=a tab=b to=a tab=c useful submit", "+marked a 1 c; -left a 0 b"},
		"submit page":                   {"typed=a link=b useful typed=f link=g submit", "+marked a 0 b"},
		"gone back from the last page":  {"typed=a link=b useful typed=f link=g back submit", "-left f 0 g; +marked a 0 b"},
		"below a useful page":           {"typed=a link=b useful link=c link=d back back typed=f submit", "+marked a 0 b"},
		"marked Not useful below it":    {"typed=a link=b useful link=c useful not-useful back link=d back typed=f submit", "-left a 0 b 0 c; +marked a 0 b"},
		"Not useful on the way":         {"typed=a link=b not-useful link=d useful submit", "+marked a 0 b 1 d; +graph a 2 d"},
		"useful root":                   {"typed=a useful link=b back typed=f submit", "+marked a"},
		"form starts a tree":            {"typed=a form=b link=d useful typed=f submit", "+marked b 1 d; +graph a 2 d"},
		"useful reloaded":               {"typed=a link=b useful reload=b typed=f submit", "+marked b; +marked a 0 b"},
		"equal paths":                   {"typed=a link=b useful back link=b back link=c back link=c typed=a link=b typed=f submit", "+marked a 0 b x3; -left a 1 c x2"},
		"one page, two links":           {"typed=a link=d useful typed=b link=d useful typed=f submit", "+marked b 1 d; +marked a 2 d"},
		"a link of a script":            {"typed=a link=g useful submit", "+marked a ? g"},
		"not recorded between":          {"typed=f link=g lost link=h useful submit", "+marked h; -left f"},

		"frameset on the way": {"typed=e link=a typed=e link=set frame=menu frame=main to=menu link=b useful submit",
			"+marked e ? menu 0 b; -left e 0 a; +graph e 0 a 0 b"},
		"frame of a frameset marked": {"typed=a link=set frame=menu frame=main to=main useful to=set link=b back typed=f submit", "+marked a ? main"},
		"opened in a frame":          {"typed=set frame=menu frame=main frame=b to=b useful typed=f submit", "+marked menu 0 b"},
		"iframe":                     {"typed=a iframe=c to=c useful to=a link=b typed=f submit", "+marked a ? c; +graph a 1 c"},
	} {
		t.Run(name, func(t *testing.T) {
			got := strings.Join(shorts(mustPaths(t, []*session.Session{browsed(t, web, 1, c.script)}, nil, nil)), "; ")
			if got != c.want {
				t.Errorf("%s\ngot  %s\nwant %s", c.script, got, c.want)
			}
		})
	}
}

// TestPathSteps checks what is said of each page and link, and that a long way keeps its last pages.
func TestPathSteps(t *testing.T) {
	links, script := "", "typed=p0"
	for i := range 30 {
		links += fmt.Sprintf("p%d>x,p%d ", i, i+1)
		script += fmt.Sprintf(" link=p%d", i+1)
	}
	r := browsed(t, linked(links+"p30>p0"), 1, script+" label=last useful back label=north label=south submit")
	paths := mustPaths(t, []*session.Session{r}, nil, nil)
	if len(paths) != 1 || len(paths[0].Steps) != ways.MaxSteps || paths[0].Tree != sessiontest.Host+"p0" {
		t.Fatalf("paths %v", shorts(paths))
	}
	for i, s := range paths[0].Steps {
		n := 30 - ways.MaxSteps + 1 + i
		want := ways.Step{URL: fmt.Sprintf("%sp%d", sessiontest.Host, n), Title: fmt.Sprintf("p%d", n), Anchor: fmt.Sprintf("to p%d", n),
			Position: 1, Hop: min(3, 30-n)}
		if i == 0 {
			want.Anchor, want.Position = "", -1
		}
		want.Name = map[int]string{29: "south", 30: "last"}[n]
		got := s
		got.Page, got.Link = nil, nil
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("step %d: %+v\nwant %+v", i, got, want)
		}
		if !slices.Contains(s.Page, "u="+s.Title) || (s.Link == nil) != (i == 0) || i > 0 && !slices.Contains(s.Link, "u="+s.Title) {
			t.Errorf("step %d: page %v, link %v", i, s.Page, s.Link)
		}
	}
	named := mustPaths(t, []*session.Session{r}, nil, map[string]string{sessiontest.Host + "p28": "west"})
	if steps := named[0].Steps; steps[17].Name != "west" || steps[18].Name != "" {
		t.Errorf("the given names are not used: %+v", steps[17:])
	}
}

// TestFramesetName checks that the name of a frameset is that of its frames.
func TestFramesetName(t *testing.T) {
	r := browsed(t, linked("menu>b main>c b>a"), 1, "typed=set label=hall frame=menu frame=main to=menu link=b useful submit")
	if steps := mustPaths(t, []*session.Session{r}, nil, nil)[0].Steps; steps[0].Name != "hall" || steps[1].Name != "" {
		t.Errorf("steps %+v", steps)
	}
}

// TestUsefulInAnotherSession checks that a page that is useful in one session is useful in all, and the order of sessions.
func TestUsefulInAnotherSession(t *testing.T) {
	web := linked("a>b,c b>d c>d d>a")
	first := browsed(t, web, 1, "typed=a link=b back link=c typed=a submit")
	second := browsed(t, web, 2, "typed=a link=c link=d back back link=b useful submit")
	want := []string{"+marked a 0 b x2", "-left a 1 c 0 d", "-left a 1 c"}
	for _, recs := range [][]*session.Session{{first, second}, {second, first}} {
		if got := shorts(mustPaths(t, recs, nil, nil)); !slices.Equal(got, want) {
			t.Errorf("got %v", got)
		}
	}
}

// found makes a marked find from the names of its trail's pages, "requested:final" for a redirect.
func found(web map[string]string, id int64, useful bool, trail ...string) trainingdata.MarkedFind {
	f := trainingdata.MarkedFind{ID: id, Useful: useful, At: start.AddDate(0, 1, int(id))}
	for _, name := range trail {
		requested, final, ok := strings.Cut(name, ":")
		if !ok {
			final = requested
		}
		f.Trail = append(f.Trail, trainingdata.MarkedStep{URL: sessiontest.Host + final, Requested: sessiontest.Host + requested, Anchor: "as it was", HTML: []byte(web[final])})
	}
	return f
}

func TestPathsOfFinds(t *testing.T) {
	web := linked("a>b,c,d,old b>c,d c>d d>e e>a f>a")
	r := browsed(t, web, 1, "typed=a link=b back link=c useful submit")
	gap := found(web, 4, true, "a", "b", "c", "d")
	gap.Trail[1].Gap = true
	deleted := found(web, 5, true, "a", "b", "e")
	deleted.Trail[2].Gap = true
	for name, c := range map[string]struct {
		marked []trainingdata.MarkedFind
		want   []string
	}{
		"useful":             {[]trainingdata.MarkedFind{found(web, 1, true, "a", "b", "d")}, []string{"+find a 0 b 1 d", "+marked a 1 c", "-left a 0 b", "+graph a 2 d"}},
		"walked, too":        {[]trainingdata.MarkedFind{found(web, 1, true, "a", "c")}, []string{"+find a 1 c", "+marked a 1 c", "-left a 0 b"}},
		"not useful":         {[]trainingdata.MarkedFind{found(web, 1, false, "a", "b", "d")}, []string{"-find a 0 b 1 d", "+marked a 1 c", "-left a 0 b"}},
		"useful elsewhere":   {[]trainingdata.MarkedFind{found(web, 1, false, "a", "c")}, []string{"+marked a 1 c", "-left a 0 b"}},
		"redirect":           {[]trainingdata.MarkedFind{found(web, 1, true, "a", "old:e")}, []string{"+find a 3 e", "+marked a 1 c", "-left a 0 b"}},
		"link that is gone":  {[]trainingdata.MarkedFind{found(web, 1, false, "e", "b")}, []string{"-find e ? b", "+marked a 1 c", "-left a 0 b"}},
		"deleted in between": {[]trainingdata.MarkedFind{gap}, []string{"+find c 0 d", "+marked a 1 c", "-left a 0 b", "+graph a 2 d"}},
		"deleted itself":     {[]trainingdata.MarkedFind{deleted}, []string{"+marked a 1 c", "-left a 0 b"}},
		"twice, newest first": {[]trainingdata.MarkedFind{found(web, 1, false, "f", "a"), found(web, 2, false, "b", "d"), found(web, 3, false, "f", "a")},
			[]string{"-find f 0 a x2", "-find b 1 d", "+marked a 1 c", "-left a 0 b"}},
	} {
		t.Run(name, func(t *testing.T) {
			paths := mustPaths(t, []*session.Session{r}, c.marked, nil)
			if got := shorts(paths); !slices.Equal(got, c.want) {
				t.Errorf("got %v\nwant %v", got, c.want)
			}
			if s := paths[0].Steps[len(paths[0].Steps)-1]; s.Position < 0 && s.Anchor != "as it was" {
				t.Errorf("the anchor %q is not the one that was followed", s.Anchor)
			}
		})
	}
}

// TestShortestWays checks that the supplement ends with ten positive ways, and that it follows links nobody clicked.
func TestShortestWays(t *testing.T) {
	web := map[string]string{}
	hub, script := "hub>far", "typed=hub"
	for i := range 10 {
		hub += fmt.Sprintf(",t%d", i)
	}
	web = linked(hub + " far>t0 t0>hub t1>hub")
	script += " link=far link=t0 useful back back"
	for i := 1; i < 9; i++ {
		script += fmt.Sprintf(" link=t%d useful back", i)
	}
	graph := func(script string) (n int) {
		for _, s := range shorts(mustPaths(t, []*session.Session{browsed(t, web, 1, script+" submit")}, nil, nil)) {
			if strings.HasPrefix(s, "+graph") {
				if n++; s != "+graph hub 1 t0" {
					t.Errorf("added %s", s)
				}
			}
		}
		return n
	}
	if n := graph(script); n != 1 {
		t.Errorf("with 9 positive ways %d were added", n)
	}
	if n := graph(script + " link=t9 useful back"); n != 0 {
		t.Errorf("with 10 positive ways %d were added", n)
	}
}

// TestMostPaths checks that the newest ways are kept, and that added ones are among them.
func TestMostPaths(t *testing.T) {
	links, script := "a>b,t b>t t>a", "typed=a link=b link=t useful typed=a"
	for i := range ways.MaxPaths + 5 {
		script += fmt.Sprintf(" typed=x%d", i)
	}
	paths := mustPaths(t, []*session.Session{browsed(t, linked(links), 1, script+" submit")}, nil, nil)
	got := shorts(paths)
	if len(got) != ways.MaxPaths || got[0] != fmt.Sprintf("-left x%d", ways.MaxPaths+3) || got[len(got)-1] != "+graph a 1 t" {
		t.Errorf("%d paths from %s to %s", len(got), got[0], got[len(got)-1])
	}
}

func TestPathsErrors(t *testing.T) {
	r := browsed(t, linked("a>b b>a"), 1, "typed=a link=b useful submit")
	if _, err := Paths(t.Context(), []*session.Session{r}, nil, nil, feature.DefaultSets(), 0); err == nil {
		t.Error("no layers: no error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Paths(ctx, []*session.Session{r}, nil, nil, feature.DefaultSets(), 4); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	if paths := mustPaths(t, nil, nil, nil); len(paths) != 0 {
		t.Errorf("nothing: %v", paths)
	}
}

// TestPathsOrder checks that the order of sessions and finds changes nothing.
func TestPathsOrder(t *testing.T) {
	web := linked("a>b,c,d b>c,d c>d d>e,a e>a")
	var recs []*session.Session
	var marked []trainingdata.MarkedFind
	for i, s := range []string{"typed=a link=b link=d useful submit", "typed=b link=c back link=d submit", "typed=a link=c typed=a link=b submit"} {
		recs = append(recs, browsed(t, web, i+1, s))
		marked = append(marked, found(web, int64(i), i != 1, "a", "c", "d", "e"), found(web, int64(10+i), i == 1, "b", "c"))
	}
	want := fmt.Sprintf("%+v", mustPaths(t, recs, marked, nil))
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		rng.Shuffle(len(recs), func(i, j int) { recs[i], recs[j] = recs[j], recs[i] })
		rng.Shuffle(len(marked), func(i, j int) { marked[i], marked[j] = marked[j], marked[i] })
		if got := fmt.Sprintf("%+v", mustPaths(t, recs, marked, nil)); got != want {
			t.Fatalf("got %s\nwant %s", got, want)
		}
	}
}
