package contentbench

import (
	"bytes"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/warc"
)

func TestScore(t *testing.T) {
	for _, tt := range []struct {
		got, want             string
		precision, recall, f1 float64
	}{
		{"moss on granite", "moss on granite", 1, 1, 1},
		{"Home | moss, moss on", "moss on granite, moss on slate", .75, .5, .6},
		{"山小屋", "山の小屋は", 1, .6, .75},
		{"- * |", "moss", 0, 0, 0},
		{"", "moss", 0, 0, 0},
	} {
		precision, recall, f1 := score(tt.got, tt.want)
		if math.Abs(precision-tt.precision)+math.Abs(recall-tt.recall)+math.Abs(f1-tt.f1) > 1e-9 {
			t.Errorf("%q for %q: precision %g, recall %g, F1 %g", tt.got, tt.want, precision, recall, f1)
		}
	}
}

const labelled = `<body class=page><nav>Home</nav><div role=main id=body><main id=m class=content><h1>Moss</h1>
<nav>Up</nav><table><tr><td>on<td>gran<b>ite</b></table><script>x()</script><p class=next>Next</p></main></div><p>Imprint</p>`

func TestLabel(t *testing.T) {
	for _, tt := range []struct {
		name, source, want string
		label              label
	}{
		{"main", labelled, "Moss on granite Next", byElement},
		{"without elements that are not content", labelled, "Moss on granite", label{content: []string{"#m"}, without: ".next"}},
		{"the only article before main", "<main><article>Moss</article><p>More", "Moss", byElement},
		{"main of two articles", "<main><article>Moss</article><article>Lichen</article></main>", "Moss Lichen", byElement},
		{"two main elements", "<main>Moss</main><main>Lichen</main>", "", byElement},
	} {
		if got := strings.Join(strings.Fields(tt.label.text([]byte(tt.source))), " "); got != tt.want {
			t.Errorf("%s: %q; want %q", tt.name, got, tt.want)
		}
	}
}

// TestHide checks that hiding keeps the text and leaves no mark of the content.
func TestHide(t *testing.T) {
	hidden, err := byElement.hide([]byte(labelled))
	if err != nil {
		t.Fatal(err)
	}
	for _, mark := range []string{"<main", "role=", `"m"`, `"content"`} {
		if bytes.Contains(hidden, []byte(mark)) {
			t.Errorf("%s is left in %s", mark, hidden)
		}
	}
	if got, want := textOf(string(hidden)), textOf(labelled); got != want {
		t.Errorf("text %q; want %q", got, want)
	}
}

// TestDraw checks that a seed draws the same pages again, only pages with enough labelled words, and few of one host.
func TestDraw(t *testing.T) {
	file := filepath.Join(t.TempDir(), "web.warc.gz")
	var archive bytes.Buffer
	w := warc.NewWriter(&archive)
	put := func(url string, status int, contentType, body string) {
		t.Helper()
		if err := w.Response(url, time.Unix(0, 0), status, http.Header{"Content-Type": {contentType}}, []byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	long := "<main>" + strings.Repeat("moss ", least) + "</main>"
	for i := range 40 {
		put(fmt.Sprintf("http://host%d.test/%d", i%4, i), 200, "text/html", long)
	}
	put("http://few.test/", 200, "text/html", "<main>moss</main>")
	put("http://none.test/", 200, "text/html", strings.Repeat("moss ", least))
	put("http://gone.test/", 404, "text/html", long)
	put("http://plain.test/", 200, "text/plain", long)
	if err := os.WriteFile(file, archive.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	urls := func(seed uint64) (all []string) {
		t.Helper()
		pages, err := draw(file, seed, byElement, 8, 2)
		if err != nil {
			t.Fatal(err)
		}
		hosts := map[string]int{}
		for _, p := range pages {
			host, _, _ := strings.Cut(strings.TrimPrefix(p.url, "http://"), "/")
			if hosts[host]++; hosts[host] > 2 || !strings.HasPrefix(host, "host") {
				t.Errorf("seed %d draws %s", seed, p.url)
			}
			all = append(all, p.url)
		}
		return all
	}
	one, again, two := urls(1), urls(1), urls(2)
	if len(one) != 8 || !slices.Equal(one, again) || slices.Equal(one, two) {
		t.Errorf("seed 1 draws %v, then %v; seed 2 draws %v", one, again, two)
	}
	if _, err := draw(file, 1, byElement, 9, 2); err == nil {
		t.Error("drew nine pages from four hosts with at most two each")
	}
}

// TestGolden measures Nightjar alone on the golden pages; crawler/page tests each of them.
func TestGolden(t *testing.T) {
	sets, err := readSets("", 1)
	if err != nil || len(sets[0].pages) < 20 {
		t.Fatalf("%v, %v", sets, err)
	}
	var m means
	for _, p := range sets[0].pages {
		head, err := headText(p.url, p.served)
		if err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse(p.url)
		if err != nil {
			t.Fatal(err)
		}
		found, took := fastest(1, func() (string, error) { return extractors[0].extract(u, p.served) })
		m.add(strings.TrimPrefix(found, head), p.want, took, len(sets[0].pages))
	}
	if m.precision < .96 || m.recall < .99 || m.f1 < .96 || m.lost > 0 || m.took <= 0 {
		t.Errorf("%+v", m)
	}
}
