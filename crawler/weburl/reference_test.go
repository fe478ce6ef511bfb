package weburl

import (
	"bufio"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// reference is the folder of other projects' test suites, which are too large for the repository; tests that need it skip
// without it.
func reference(t *testing.T, parts ...string) string {
	t.Helper()
	root := os.Getenv("NIGHTJAR_REFERENCE")
	if root == "" {
		t.Skip("left out: NIGHTJAR_REFERENCE does not name the folder of reference suites")
	}
	return filepath.Join(append([]string{root}, parts...)...)
}

// referenceRows reads the cases of a suite, without the comments between them.
func referenceRows[T any](t *testing.T, name string) (all []T) {
	t.Helper()
	body, err := os.ReadFile(reference(t, "url", name))
	if err != nil {
		t.Fatal(err)
	}
	var rows []json.RawMessage
	if err := json.Unmarshal(body, &rows); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		var c T
		if json.Unmarshal(row, &c) == nil {
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		t.Fatalf("%s: no cases", name)
	}
	return all
}

// tally counts the correct cases, and the others by reason.
type tally map[string]int

func (n tally) log(t *testing.T, name string) {
	t.Helper()
	if n[""] == 0 {
		t.Errorf("%s: no case is right", name)
	}
	t.Logf("%s: %d right", name, n[""])
	for why, count := range n {
		if why != "" {
			t.Logf("%s: %d: %s", name, count, why)
		}
	}
}

// noPunycode is why a host is refused that the URL standard accepts: a label begins with xn-- and does not decode to a
// valid name. Nobody can register such a name.
const noPunycode = "a label that begins with xn-- and is no valid Punycode names no host"

// TestReferenceURL resolves the URL cases of web-platform-tests. Each with an http or https result is correct, or differs
// for a known reason. TestResolve and TestCanonical have vectors of our own.
func TestReferenceURL(t *testing.T) {
	count := tally{}
	for _, c := range referenceRows[struct{ Input, Base, Href, Hash string }](t, "urltestdata.json") {
		if c.Base == "null" {
			c.Base = ""
		}
		want := c.Href
		if s, _, _ := strings.Cut(want, ":"); s != "http" && s != "https" || strings.Trim(Host(want), ".") == "" {
			want = ""
		}
		want = strings.TrimSuffix(strings.TrimSuffix(want, c.Hash), "?")
		want = strings.TrimSuffix(strings.TrimSuffix(want, "#"), "?")
		got, _ := Resolve(c.Base, c.Input)
		switch {
		case got == want:
			count[""]++
		case got == "" && asciiPunycode(Host(want)):
			count[noPunycode]++
		default:
			t.Errorf("%q on %q: %q; want %q", c.Input, c.Base, got, want)
		}
	}
	count.log(t, "urltestdata.json")
}

func asciiPunycode(host string) bool {
	return strings.IndexFunc(host, func(r rune) bool { return r > 127 }) < 0 && strings.Contains("."+strings.ToLower(host), ".xn--")
}

// TestReferenceHost runs the IDNA cases of web-platform-tests: invalid hosts fail, valid ones give the right name or fail for
// a known reason. One letter gives another name, the capital sharp s: IDNA distinguishes it from ss since 2023, and the
// library's tables are older. TestHostNames has vectors of our own.
func TestReferenceHost(t *testing.T) {
	for _, name := range []string{"toascii.json", "IdnaTestV2.json"} {
		count := tally{}
		for _, c := range referenceRows[struct {
			Input  string
			Output *string
		}](t, name) {
			want := ""
			if c.Output != nil {
				want = *c.Output
			}
			u, err := Canonical("https://" + c.Input + "/")
			got := strings.TrimSuffix(strings.TrimPrefix(u, "https://"), "/")
			switch {
			case err != nil && c.Output == nil || err == nil && got == want && want != "":
				count[""]++
			case err != nil && strings.Trim(want, ".") == "":
				count["a host without a name is none"]++
			case err != nil && asciiPunycode(c.Input):
				count[noPunycode]++
			case err != nil && (len(want) >= 253 || slices.ContainsFunc(strings.Split(want, "."), func(l string) bool { return len(l) > 63 })):
				count["a label longer than 63 bytes or a name of 253 and more cannot be looked up (RFC 1035 section 2.3.4)"]++
			case err != nil && want != "" && strings.IndexFunc(c.Input, func(r rune) bool { return r > 127 }) >= 0:
				count["code points that the library's tables, of an older Unicode, do not allow yet: refused"]++
			case strings.ReplaceAll(want, "xn--zca", "ss") == got || want == "xn--fa-hia.de" && got == "fass.de":
				count["capital sharp s is ss in the library's tables"]++
			default:
				t.Errorf("%s: %q: %q, %v; want %q", name, c.Input, got, err, want)
			}
		}
		count.log(t, name)
	}
}

// TestReferencePercentEncoding: queries are encoded as UTF-8 whatever the document's encoding is. The companion with
// vectors of our own is called TestPercentEncoding.
func TestReferencePercentEncoding(t *testing.T) {
	count := tally{}
	for _, c := range referenceRows[struct {
		Input  string
		Output map[string]string
	}](t, "percent-encoding.json") {
		u, err := Canonical("http://example.com/?" + c.Input)
		if want := "http://example.com/?" + c.Output["utf-8"]; err != nil || u != want {
			t.Errorf("%q: %q, %v; want %q", c.Input, u, err, want)
		}
		count[""]++
		count["for documents that are not UTF-8: not done"] += len(c.Output) - 1
	}
	count.log(t, "percent-encoding.json")
}

// differently are what crawler-commons' normaliser does and Canonical does not, each as a function that both results go
// through when they differ.
var differently = []struct {
	why string
	do  func(string) string
}{
	{"escapes are never decoded or put right", func(s string) string {
		if u, err := url.PathUnescape(strayPercent.ReplaceAllString(s, "%25$1")); err == nil {
			return u
		}
		return s
	}},
	{"two slashes in a path are not one", func(s string) string {
		scheme, rest, ok := strings.Cut(s, "://")
		if !ok {
			return s
		}
		return scheme + "://" + slashes.ReplaceAllString(rest, "/")
	}},
	{"parameters keep their order, and empty ones stay", func(s string) string {
		path, query, _ := strings.Cut(s, "?")
		parts := strings.Split(query, "&")
		for i, p := range parts {
			parts[i] = strings.TrimSuffix(p, "=")
		}
		slices.Sort(parts)
		parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" || p[0] == '=' })
		return strings.TrimSuffix(path+"?"+strings.Join(parts, "&"), "?")
	}},
	{"a host with a dot at its end is another name", func(s string) string { return strings.Replace(s, "./", "/", 1) }},
}

var (
	strayPercent = regexp.MustCompile(`%([^0-9a-fA-F]|[0-9a-fA-F][^0-9a-fA-F]|.?$)`)
	slashes      = regexp.MustCompile(`/+`)
)

// TestReferenceNormalized compares Canonical with the normaliser of crawler-commons. Each difference is one of differently. TestCanonical has vectors of our own.
func TestReferenceNormalized(t *testing.T) {
	f, err := os.Open(reference(t, "url", "weirdToNormalizedUrls.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	count := tally{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		at := strings.LastIndexByte(line, ',')
		if at < 0 || line[0] == '#' {
			continue
		}
		in, want := line[:at], strings.TrimSpace(line[at+1:])
		if in[0] == '"' { // a quoted field
			in = strings.ReplaceAll(in[1:len(in)-1], `""`, `"`)
		}
		got, err := Canonical(in)
		switch {
		case err != nil && !strings.HasPrefix(want, "http://") && !strings.HasPrefix(want, "https://"):
			count["neither http nor https"]++
		case err != nil && !strings.Contains(in, "://"):
			count["an address without a scheme is none"]++
		case got == want:
			count[""]++
		default:
			why := ""
			for _, d := range differently {
				g, w := d.do(got), d.do(want)
				if (g != got || w != want) && got != want {
					why = d.why
				}
				got, want = g, w
			}
			if err != nil || got != want {
				t.Errorf("%q: %q, %v; want %q", in, got, err, want)
			}
			count[why]++
		}
	}
	count.log(t, "weirdToNormalizedUrls.csv")
}

// TestReferenceSite compares with the test rows of the public suffix list. TestHostAndSite has vectors of our own.
func TestReferenceSite(t *testing.T) {
	f, err := os.Open(reference(t, "url", "test_psl.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	count := tally{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		columns := strings.Split(lines.Text(), "\t")
		host, want := columns[0], columns[1]
		u, err := Canonical("http://" + host + "/")
		switch {
		case strings.HasPrefix(host, "#"), columns[2] == "c" && strings.EqualFold(want, "none"):
			continue // commented out there, too
		case err != nil:
			count["no host"]++
			continue
		case want == "None" && Site(u) == strings.TrimSuffix(Host(u), "."):
			count["a public suffix is its own site"]++
			continue
		}
		if w, err := Canonical("http://" + want + "/"); err == nil {
			want = Host(w)
		}
		if got := Site(u); got != want {
			t.Errorf("%s: %s; want %s", host, got, want)
		}
		count[""]++
	}
	count.log(t, "test_psl.tsv")
}
