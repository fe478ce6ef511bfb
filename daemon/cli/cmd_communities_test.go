package cli

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/panorama/communities"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/panorama/trainingset"
)

// TestStoppedMapGoesOn: Ctrl-C prints how to resume; without a daemon with the command, with one by the
// daemon. The query that was on its way is not sent again.
func TestStoppedMapGoesOn(t *testing.T) {
	for _, daemon := range []bool{false, true} {
		t.Run(fmt.Sprintf("daemon=%v", daemon), func(t *testing.T) {
			data := t.TempDir()
			if daemon {
				serveApp(t, app.Config{Data: data})
			}
			ctx, stop := context.WithCancel(t.Context())
			asked := make(chan string, 10)
			instance := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked <- r.URL.Query().Get("q")
				stop()
				fmt.Fprint(w, `{"results": []}`)
			}))
			defer instance.Close()
			document := filepath.Join(t.TempDir(), "maps.bib") // a data folder holds nothing else
			if err := os.WriteFile(document, []byte("@misc{a, title = {Engraved cartouches of the north}}\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			call := func(ctx context.Context, args ...string) string {
				var errs bytes.Buffer
				args = append([]string{"communities", "--data", data, "--out", filepath.Join(data, "report.html")}, args...)
				if code := program().Run(ctx, &command.Env{Stdout: &bytes.Buffer{}, Stderr: &errs, Getenv: os.Getenv}, args); code != 1 {
					t.Errorf("%v: code %d", args, code)
				}
				return errs.String()
			}
			said := call(ctx, "--document", document, "--search", "searxng="+instance.URL)
			want := "stopped; map 1 is kept as far as it is"
			if daemon {
				want = "the running daemon continues map 1"
			}
			goOn := "nightjar communities --map 1 --data " + data
			if !strings.Contains(said, want) || !strings.Contains(said, goOn) {
				t.Errorf("after Ctrl-C: %s", said)
			}
			// Now it fails for lack of pages, and has asked once.
			if said = call(t.Context(), "--map", "1"); !strings.Contains(said, "fewer than 5 positive pages") || !strings.Contains(said, goOn) {
				t.Errorf("going on: %s", said)
			}
			if len(asked) != 1 {
				t.Errorf("asked %d times", len(asked))
			}
		})
	}
}

func TestTellPlan(t *testing.T) {
	for _, test := range []struct {
		plan trainingset.Plan
		list bool
		want string
	}{
		{trainingset.Plan{}, true, "No query is sent: the pages are those of the list.\n"},
		{trainingset.Plan{}, false, "No query is sent: the titles are looked for on this computer.\n"},
		{trainingset.Plan{To: "http://s.test/", Queries: []trainingset.Planned{{Query: "\"a\x1b[2J\"", Fate: trainingset.WillSend}}}, false,
			"This query goes to http://s.test/ and to nobody else, one in 2 seconds:\n  \"a [2J\"\n"},
		{trainingset.Plan{To: "http://s.test/", Queries: []trainingset.Planned{{Query: `"a"`, Fate: trainingset.WillSend}, {Query: `"b"`, Fate: trainingset.WillReuse},
			{Query: `"c"`, Fate: trainingset.WillSend}, {Query: `"d"`, Fate: trainingset.WillMiss}, {Query: `"e"`, Fate: trainingset.OverLimit}}}, false,
			"These 2 queries go to http://s.test/ and to nobody else, one in 2 seconds:\n  \"a\"\n  \"c\"\n1 more: answered before, and not sent again.\n" +
				"1 more: sent before, but the answer was lost; not sent again.\n1 more: not sent: at most 60 are sent for a document.\n"},
		{trainingset.Plan{To: "http://s.test/", Queries: []trainingset.Planned{{Query: `"b"`, Fate: trainingset.WillReuse}}}, false,
			"No query is sent to http://s.test/.\n1 more: answered before, and not sent again.\n"},
	} {
		var got strings.Builder
		if tellPlan(&got, test.plan, test.list); got.String() != test.want {
			t.Errorf("%+v:\n%s\nwant\n%s", test.plan, got.String(), test.want)
		}
	}
}

// TestMapProgress: steps are told in words, without the texts that change with each page, and why a crawl waits.
func TestMapProgress(t *testing.T) {
	var errs bytes.Buffer
	w := &mapWatch{env: &command.Env{Stderr: &errs}, steps: steps{out: &errs}}
	for _, p := range []communities.Progress{
		{Step: maps.StepPages}, {Step: maps.StepPages, Done: 1, Of: 2, Text: "looked for \u201ca\u201d"}, {Step: maps.StepPages, Done: 2, Of: 2},
		{Step: maps.StepTraining, Text: "reading"}, {Step: maps.StepTraining, Text: "reading"},
		{Step: maps.StepCrawl, Of: 9}, {Step: maps.StepCrawl, Of: 9, Done: 1}, {Step: maps.StepCrawl, Of: 9, Done: 1, Text: "on battery"},
		{Step: maps.StepCrawl, Of: 9, Done: 2, Text: "on battery"}, {Step: maps.StepCrawl, Of: 9, Done: 9},
	} {
		w.progress(p)
	}
	const want = "looking for pages: 2 of 2\ntraining the classifier: reading\ncrawling: up to 9 pages\ncrawling: on battery\n" +
		"crawling: up to 9 pages\ncrawling: 9 of 9\n"
	if errs.String() != want {
		t.Errorf("told\n%s\nwant\n%s", errs.String(), want)
	}
}

func TestTellMap(t *testing.T) {
	v := &communities.View{
		Map: maps.Map{ID: 3, Title: "Old \x1b[31mmaps"}, Earlier: &maps.Map{ID: 2},
		Result: communities.Result{Counts: communities.Counts{Kept: 45}, Communities: []communities.Community{
			{N: 1, Name: "portolan, chart", Size: 44, New: 2, Examples: []communities.Page{{Title: "A\nchart\u202e", URL: "http://a.test/"}, {Title: "B"}}},
			{N: 2, Name: "globe", Size: 1}}},
	}
	const want = "Map 3 of \"Old [31mmaps\": 2 communities in 45 pages\n  1. portolan, chart: 44 pages, 2 new\n     A chart\n     http://a.test/\n" +
		"  2. globe: 1 page, 0 new\nThe report is in r.html\n"
	var got strings.Builder
	if err := tellMap(&got, v, "r.html"); err != nil || got.String() != want {
		t.Errorf("%v:\n%s\nwant\n%s", err, got.String(), want)
	}
}

// TestListOfAddresses: lines that are no address are told, and the others are used as they are.
func TestListOfAddresses(t *testing.T) {
	name := filepath.Join(t.TempDir(), "list.txt")
	if err := os.WriteFile(name, []byte("# mine\nhttp://a.test/ A title\nnonsense\n\nhttps://b.test/\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	got, err := readAddresses(&command.Env{Stderr: &errs}, name)
	if want := "# mine|http://a.test/ A title||https://b.test/"; err != nil || strings.Join(got, "|") != want {
		t.Errorf("%q, %v", got, err)
	}
	if !strings.Contains(errs.String(), `list.txt, line 3: "nonsense" is not the address`) {
		t.Errorf("told %q", errs.String())
	}
}
