package communities

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/panorama/maps"
)

// instance is a double of a SearXNG instance that notes what it was asked.
type instance struct {
	*httptest.Server
	mu      sync.Mutex
	queries []string
}

func newInstance(t *testing.T, answer http.HandlerFunc) *instance {
	t.Helper()
	in := &instance{}
	in.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in.mu.Lock()
		in.queries = append(in.queries, r.URL.Query().Get("q"))
		in.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(in.Close)
	return in
}

func (in *instance) asked() []string {
	in.mu.Lock()
	defer in.mu.Unlock()
	return slices.Clone(in.queries)
}

// An instance is asked for what the plan says and nothing else; no query is sent twice, also when the program is killed.
func TestInstanceIsAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 12)
	d := w.open(t)
	in := newInstance(t, func(out http.ResponseWriter, r *http.Request) {
		var hits []string
		for _, url := range w.visited[:6] {
			hits = append(hits, fmt.Sprintf(`{"url": %q, "title": "T", "content": "C"}`, url))
		}
		fmt.Fprintf(out, `{"results": [%s]}`, strings.Join(hits, ","))
	})
	src := Source{Body: []byte("First words of ice\nSecond words of snow\n"), TitlePerLine: true}
	one := must(d.NewDocument(t.Context(), src, maps.Options{Search: "searxng=" + in.URL, Hold: true}))(t)
	if err := d.SetTitles(t.Context(), one.ID, "First words of ice", []string{"First words of ice", "Second words of snow"}); err != nil {
		t.Fatal(err)
	}
	plan := must(d.Plan(t.Context(), one.ID))(t)
	want := []string{`"first words of ice"`, `"second words of snow"`}
	if !slices.Equal(plan.Sends(), want) || !strings.HasPrefix(plan.To, in.URL) || len(in.asked()) > 0 {
		t.Errorf("%+v, asked %q", plan, in.asked())
	}
	if err := d.Go(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	for len(in.asked()) == 0 {
		time.Sleep(time.Millisecond)
	}
	d.stop()
	d = w.open(t)
	if one = d.finish(t, one.ID); one.State != maps.Waiting || one.Problem != "" {
		t.Fatalf("%+v", one)
	}
	if got := in.asked(); !slices.Equal(got, want) {
		t.Errorf("asked %q, want %q", got, want)
	}
	if pages := must(d.Positives(t.Context(), one.ID))(t); len(pages) != 6 {
		t.Errorf("%d pages", len(pages))
	}
}

// An instance that refuses ends the asking; the person is told what helps.
func TestInstanceRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 6)
	d := w.open(t)
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"403":      {func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(http.StatusForbidden) }, `add "json" to`},
		"429":      {func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(http.StatusTooManyRequests) }, "is not asked further"},
		"500":      {func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(http.StatusBadGateway) }, "is not asked further"},
		"HTML":     {func(out http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(out, "<html>") }, "web page in place of JSON"},
		"nonsense": {func(out http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(out, `{"results": 7}`) }, "something else"},
	} {
		t.Run(name, func(t *testing.T) {
			in := newInstance(t, c.answer)
			src := Source{Body: []byte(name + " words of ice\n" + name + " words of snow\n"), TitlePerLine: true}
			one := must(d.NewDocument(t.Context(), src, maps.Options{Search: "searxng=" + in.URL}))(t)
			one = d.finish(t, one.ID)
			if one.State != maps.Failed || !strings.Contains(one.Problem, c.want) || !strings.Contains(one.Problem, trainingdata.ErrFewPositives.Error()) {
				t.Errorf("%+v", one)
			}
			if n := len(in.asked()); n != 1 {
				t.Errorf("asked %d times", n)
			}
			// The person takes another way.
			if err := d.SetOptions(t.Context(), one.ID, func(o *maps.Options) { o.Search, o.List, o.Hold = "list", w.visited, true }); err != nil {
				t.Fatal(err)
			}
			if err := d.Go(t.Context(), one.ID); err != nil {
				t.Fatal(err)
			}
			if one = d.finish(t, one.ID); one.State != maps.Waiting || one.Step != maps.StepPages {
				t.Errorf("%+v", one)
			}
		})
	}
}
