package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// allowed says for each part of the tree which imports it may have besides the standard library: the longest matching
// prefix of the package decides. Imports run daemon -> crawler -> model.
var allowed = map[string][]string{
	"nightjar/model":                         {"nightjar/model", "gonum.org/v1/gonum", "github.com/fxamacker/cbor/v2"},
	"nightjar/model/text":                    {"nightjar/model", "gonum.org/v1/gonum", "github.com/blevesearch/snowballstem", "golang.org/x/text"},
	"nightjar/crawler":                       {"nightjar/crawler", "nightjar/model"},
	"nightjar/crawler/page":                  {"nightjar/crawler", "golang.org/x/net", "golang.org/x/text"},
	"nightjar/crawler/linktext":              {"nightjar/crawler", "nightjar/model", "golang.org/x/net/html", "golang.org/x/text"},
	"nightjar/crawler/unlink":                {"nightjar/crawler", "golang.org/x/net"},
	"nightjar/crawler/scrub":                 {"nightjar/crawler/texts", "nightjar/crawler/weburl", "golang.org/x/net/html"},
	"nightjar/crawler/weburl":                {"nightjar/crawler/texts", "github.com/nlnwa/whatwg-url", "golang.org/x/net"},
	"nightjar/crawler/charset":               {"golang.org/x/net", "golang.org/x/text", "github.com/wlynxg/chardet"},
	"nightjar/crawler/fetch":                 {"nightjar/crawler", "github.com/hashicorp/golang-lru/v2", "github.com/klauspost/compress", "github.com/andybalholm/brotli", "golang.org/x/net"},
	"nightjar/crawler/render":                {"nightjar/crawler", "github.com/chromedp"},
	"nightjar/crawler/work":                  {"nightjar/crawler", "github.com/klauspost/compress"},
	"nightjar/crawler/warc":                  {"nightjar/crawler", "github.com/google/uuid", "github.com/klauspost/compress"},
	"nightjar/migrations":                    {},
	"nightjar/extension":                     {},
	"nightjar/daemon":                        {"nightjar/", "golang.org/x/", "github.com/google/uuid", "github.com/gofrs/flock", "github.com/hashicorp/golang-lru/v2", "github.com/schollz/progressbar"},
	"nightjar/daemon/workers/broker":         {"nightjar/crawler/clock", "nightjar/crawler/durable", "nightjar/crawler/work", "nightjar/daemon/workers/broker", "nightjar/daemon/base/leftovers", "github.com/nats-io", "github.com/klauspost/compress", "golang.org/x/time"},
	"nightjar/daemon/morning/assistant":      {"nightjar/daemon/morning/api", "nightjar/daemon/morning/orders", "github.com/modelcontextprotocol/go-sdk"},
	"nightjar/daemon/panorama/document":      {"nightjar/crawler/charset", "nightjar/crawler/page", "nightjar/crawler/texts", "nightjar/daemon/panorama/document/pdftext", "github.com/PuerkitoBio/goquery", "github.com/ledongthuc/pdf", "golang.org/x/net/html", "golang.org/x/text"},
	"nightjar/daemon/morning/notice":         {"nightjar/crawler/texts", "nightjar/daemon/base/jobs", "nightjar/daemon/keep/doctor", "nightjar/daemon/morning/finds", "nightjar/daemon/night/crawls", "nightjar/daemon/store", "nightjar/daemon/base/terminal", "github.com/wneessen/go-mail"},
	"nightjar/daemon/base/machine":           {"golang.org/x/sys", "github.com/godbus/dbus/v5"},
	"nightjar/daemon/lab/script":             {"nightjar/", "github.com/rogpeppe/go-internal/testscript"},
	"nightjar/daemon/lab/linkfarm":           {"nightjar/", "modernc.org/sqlite"},
	"nightjar/daemon/lab/webtest":            {"nightjar/", "github.com/PuerkitoBio/goquery", "github.com/go-chi/chi/v5", "golang.org/x/net/html", "modernc.org/sqlite"},
	"nightjar/daemon/lab/traces":             {"nightjar/crawler/warc"},
	"nightjar/daemon/lab/cluster":            {"nightjar/", "github.com/nats-io"},
	"nightjar/daemon/keep/backup":            {"nightjar/crawler/durable", "nightjar/crawler/failpoint", "nightjar/daemon/base", "nightjar/daemon/db", "nightjar/daemon/store", "nightjar/migrations", "modernc.org/sqlite"},
	"nightjar/daemon/keep/erasing":           {"nightjar/crawler", "nightjar/daemon/base", "nightjar/daemon/browse/sessions", "nightjar/daemon/db", "nightjar/daemon/store", "golang.org/x/sync"},
	"nightjar/daemon/browse/linkstates":      {"nightjar/crawler/weburl", "nightjar/daemon/browse/protocol", "nightjar/daemon/db"},
	"nightjar/daemon/browse/reached":         {"nightjar/daemon/browse", "nightjar/daemon/db"},
	"nightjar/daemon/night/progress":         {"nightjar/crawler/fetch", "nightjar/daemon/db"},
	"nightjar/daemon/learn/models":           {"nightjar/crawler/weburl", "nightjar/daemon/browse/sessions", "nightjar/daemon/db", "nightjar/daemon/keep/safekeeping", "nightjar/daemon/store", "nightjar/model"},
	"nightjar/daemon/learn/questions":        {"nightjar/daemon/db", "nightjar/daemon/store"},
	"nightjar/daemon/learn/trainingdata":     {"nightjar/crawler", "nightjar/daemon/browse/topics", "nightjar/daemon/db", "nightjar/daemon/store"},
	"nightjar/daemon/panorama/maps":          {"nightjar/crawler", "nightjar/daemon/browse/protocol", "nightjar/daemon/browse/topics", "nightjar/daemon/db", "nightjar/daemon/learn/startpages", "nightjar/daemon/learn/trainingdata", "nightjar/daemon/morning/finds", "nightjar/daemon/store", "nightjar/daemon/panorama/maps"},
	"nightjar/daemon/panorama/maps/mapstest": {"nightjar/crawler", "nightjar/daemon/browse/protocol", "nightjar/daemon/learn/trainingdata", "nightjar/daemon/night/crawls", "nightjar/daemon/panorama/maps", "nightjar/daemon/store"},
	"nightjar/daemon/keep/rescue":            {"nightjar/daemon/db", "nightjar/daemon/keep/backup", "nightjar/daemon/store", "nightjar/migrations"},
	"nightjar/daemon/keep/service":           {"github.com/kardianos/service"},
	"nightjar/daemon/db/dbtest":              {"nightjar/daemon/db", "nightjar/migrations"},
	"nightjar/daemon/db/plans":               {"nightjar/daemon/db", "modernc.org/sqlite"},
	"nightjar/daemon/chart":                  {"nightjar/", "gonum.org/v1/gonum"},
	"nightjar/daemon/db/kept":                {},
	"nightjar/daemon/db/turns":               {},
	"nightjar/daemon/db":                     {"nightjar/crawler", "nightjar/migrations", "nightjar/daemon/base/leftovers", "nightjar/daemon/db/kept", "nightjar/daemon/db/turns", "modernc.org/sqlite"},
	"nightjar/daemon/store":                  {"nightjar/crawler", "nightjar/daemon/db", "nightjar/daemon/store/settings", "nightjar/daemon/store", "github.com/klauspost/compress"},
	"nightjar/daemon/panorama/trainingset":   {"nightjar/crawler/page", "nightjar/crawler/weburl", "nightjar/daemon/db", "nightjar/daemon/learn/trainingdata", "nightjar/daemon/morning/search", "nightjar/daemon/store"},
	"nightjar/daemon/thesus/ontology":        {"nightjar/crawler/charset", "nightjar/model/ontology", "gonum.org/v1/gonum/graph/formats/rdf"},
	"nightjar/daemon/thesus/ontologies":      {"nightjar/crawler/texts", "nightjar/model", "nightjar/daemon/browse/topics", "nightjar/daemon/db", "nightjar/daemon/thesus/links", "nightjar/daemon/thesus/ontology", "nightjar/daemon/store", "nightjar/daemon/base/terminal", "github.com/hashicorp/golang-lru/v2"},
	"nightjar/daemon/thesus/themes":          {"nightjar/crawler/linktext", "nightjar/crawler/strategy", "nightjar/model", "nightjar/daemon/thesus/ontologies", "nightjar/daemon/store", "nightjar/daemon/base/terminal", "nightjar/daemon/web/frame"},
	"nightjar/daemon/store/settings":         {"nightjar/crawler/strategy", "nightjar/model/arms"},
	"nightjar/daemon/browse/socket":          {"nightjar/daemon/browse/protocol", "nhooyr.io/websocket"},
	"nightjar/daemon/web":                    {"nightjar/", "github.com/go-chi/chi/v5", "gonum.org/v1/gonum"},
	"nightjar/daemon/web/frame":              {"nightjar/crawler/weburl", "nightjar/daemon/base/terminal", "nightjar/daemon/chart", "nightjar/daemon/store", "github.com/PuerkitoBio/goquery", "github.com/go-chi/chi/v5", "golang.org/x/net/html"},
	"nightjar/daemon/thesus/wordnet":         {"nightjar/crawler/durable", "nightjar/model/wordnet", "github.com/gofrs/flock"},
	"nightjar/crawler/archive":               {"nightjar/crawler", "github.com/gofrs/flock", "github.com/google/uuid"},

	"nightjar/daemon/lab/papers":            {"nightjar/", "golang.org/x/sync/errgroup", "gonum.org/v1/gonum/stat/distuv"},
	"nightjar/daemon/lab/measure/dashboard": {"nightjar/", "github.com/klauspost/compress"},

	"nightjar/crawler/work/worktest": {"nightjar/crawler", "github.com/google/go-cmp", "go.uber.org/goleak"},
}

// kept must never be imported by a part, whatever a prefix allows.
var kept = map[string][]string{
	"nightjar/model":      {"net", "net/http", "os", "io/fs", "database/sql", "log"},
	"nightjar/crawler":    {"nightjar/daemon", "database/sql"},
	"nightjar/migrations": {"nightjar/"},

	// What a session says is worked out in one package; others keep rows.
	"nightjar/daemon/browse/session": {"nightjar/daemon/store", "nightjar/daemon/browse/sessions", "nightjar/daemon/browse/topics", "database/sql"},

	// The dashboard does not know whose pages it shows.
	"nightjar/daemon/web": {"nightjar/daemon/night/pages", "nightjar/daemon/learn/pages", "nightjar/daemon/morning/pages", "nightjar/daemon/workers", "nightjar/daemon/keep/pages", "nightjar/daemon/browse/pages", "nightjar/daemon/thesus/pages", "nightjar/daemon/thesus/explore", "nightjar/daemon/thesus/operators", "nightjar/daemon/thesus/links",
		"nightjar/daemon/panorama/pages", "nightjar/daemon/panorama/maps", "nightjar/daemon/panorama/communities", "nightjar/daemon/panorama/document", "nightjar/daemon/panorama/trainingset", "nightjar/daemon/panorama/bookmarks"},
	"nightjar/daemon/store": {"nightjar/daemon/browse", "nightjar/crawler/page", "nightjar/crawler/pagekind", "nightjar/crawler/charset", "golang.org/x/net/html"},

	// What browsers send is stored as it was admitted.
	"nightjar/daemon/browse/sessions": {"nightjar/crawler/page", "nightjar/crawler/pagekind", "nightjar/crawler/charset", "golang.org/x/net/html"},
}

func TestImportsPointOneWay(t *testing.T) {
	for _, p := range listPackages(t) {
		rules, ok := longest(allowed, p.ImportPath)
		if !ok {
			t.Errorf("%s: no rule says what it may import", p.ImportPath)
			continue
		}
		never, _ := longest(kept, p.ImportPath)
		for _, imp := range p.Imports {
			if underLab(imp) && !underLab(p.ImportPath) {
				t.Errorf("%s imports %s: nothing that serves people imports what measures", p.ImportPath, imp)
			}
			if slices.Contains(never, imp) || strings.HasPrefix(imp, "nightjar/") && hasPrefix(never, imp) {
				t.Errorf("%s imports %s, which its part must not", p.ImportPath, imp)
			}
			if standard(imp) || hasPrefix(rules, imp) {
				continue
			}
			t.Errorf("%s imports %s; allowed: %v", p.ImportPath, imp, rules)
		}
	}
}

func underLab(path string) bool { return hasPrefix([]string{"nightjar/daemon/lab"}, path) }

type listed struct {
	ImportPath, Name string
	Doc              string // the first sentence
	Imports          []string
	Dir              string
}

func listPackages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Name,Doc,Imports,Dir", "nightjar/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if len(all) < 10 {
		t.Fatalf("go list found %d packages; the tree has more", len(all))
	}
	return all
}

func longest(table map[string][]string, path string) (rules []string, ok bool) {
	best := ""
	for prefix, r := range table {
		if (path == prefix || strings.HasPrefix(path, prefix+"/")) && len(prefix) > len(best) {
			best, rules, ok = prefix, r, true
		}
	}
	return rules, ok
}

func hasPrefix(prefixes []string, imp string) bool {
	for _, p := range prefixes {
		if imp == strings.TrimSuffix(p, "/") || strings.HasPrefix(imp, strings.TrimSuffix(p, "/")+"/") {
			return true
		}
	}
	return false
}

// standard reports whether a path is of the standard library: its first element has no dot and is not this module.
func standard(imp string) bool {
	first, _, _ := strings.Cut(imp, "/")
	return first != "nightjar" && !strings.Contains(first, ".")
}
