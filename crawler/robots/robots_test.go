package robots

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestRobots tests RFC 9309, section by section.
func TestRobots(t *testing.T) {
	for _, c := range []struct {
		name, robots, path string
		want               bool
	}{
		{"empty file", "", "/a", true},
		{"2.2.1 own group", "User-agent: nightjar\nDisallow: /a\n\nUser-agent: *\nDisallow: /", "/b", true},
		{"2.2.1 own group forbids", "User-agent: *\nAllow: /\n\nUser-agent: Nightjar\nDisallow: /a", "/a/b", false},
		{"2.2.1 star group", "User-agent: other\nDisallow: /b\nUser-agent: *\nDisallow: /a", "/a", false},
		{"2.2.1 other's group", "User-agent: other\nDisallow: /", "/a", true},
		{"2.2.1 name is no prefix", "User-agent: night\nDisallow: /", "/a", true},
		{"2.2.1 version in the file", "User-agent: NIGHTJAR/2.0\nDisallow: /", "/a", false},
		{"2.2.1 groups of one name are merged", "User-agent: nightjar\nDisallow: /a\nUser-agent: x\nDisallow: /c\nUser-agent: nightjar\nDisallow: /b", "/a", false},
		{"2.2.1 several names", "User-agent: x\nUser-agent: nightjar\nDisallow: /a", "/a", false},
		{"2.2.1 rules before any group", "Disallow: /\nUser-agent: x\nDisallow: /", "/a", true},
		{"2.2.2 longest match", "User-agent: *\nAllow: /a/b\nDisallow: /a", "/a/b/c", true},
		{"2.2.2 longest match forbids", "User-agent: *\nAllow: /a\nDisallow: /a/b", "/a/b/c", false},
		{"2.2.2 equal length allows", "User-agent: *\nDisallow: /a\nAllow: /a", "/a", true},
		{"2.2.2 case", "User-agent: *\nDisallow: /A", "/a", true},
		{"2.2.2 empty rule", "User-agent: *\nDisallow:", "/a", true},
		{"2.2.2 escapes in the rule", "User-agent: *\nDisallow: /caf%c3%a9", "/caf%C3%A9", false},
		{"2.2.2 letters in the rule", "User-agent: *\nDisallow: /café", "/caf%c3%a9", false},
		{"2.2.3 comment", "User-agent: * # all\nDisallow: /a # this\n#Disallow: /b", "/b", true},
		{"2.2.3 end", "User-agent: *\nDisallow: /*.gif$", "/x/y.gif", false},
		{"2.2.3 not at the end", "User-agent: *\nDisallow: /*.gif$", "/x.gif?y", true},
		{"2.2.3 wildcard", "User-agent: *\nDisallow: /a*c/d", "/abbc/d", false},
		{"query", "User-agent: *\nDisallow: /*?print=", "/a?print=1", false},
		{"byte order mark", "\xef\xbb\xbfUser-agent: *\nDisallow: /", "/a", false},
		{"line ends", "User-agent: *\r\nDisallow: /a\rDisallow: /b\n", "/b", false},
		{"HTML", "<!doctype html><title>Not found</title>", "/a", true},
		{"UTF-16", "\xff\xfeU\x00s\x00e\x00r\x00-\x00a\x00g\x00e\x00n\x00t\x00:\x00*\x00\n\x00D\x00i\x00s\x00a\x00l\x00l\x00o\x00w\x00:\x00/\x00", "/a", false},
		{"endless rule", "User-agent: *\nDisallow: /" + strings.Repeat("*a", 100000), "/a", true},
	} {
		if got := Parse([]byte(c.robots), "Nightjar").Allows(c.path); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestJoinedGroups: what stands between user-agent lines, other than rules, does not end a group (RFC 9309, 2.2.1). The reason says
// so where the owner of the site may not know that.
func TestJoinedGroups(t *testing.T) {
	for _, tt := range []struct{ name, robots, want string }{
		{"crawl-delay", "User-agent: *\nCrawl-delay: 10\n\nUser-agent: badbot\nDisallow: /", `in line 5. That line follows "User-agent: badbot" in line 4, but it also counts for "User-agent: *" in line 1`},
		{"sitemap", "# ours\r\nUser-agent: *\r\nSitemap: http://a.test/s.xml\r\nUser-agent: badbot\r\nDisallow: /\r\n", `in line 5. That line follows "User-agent: badbot" in line 4, but it also counts for "User-agent: *" in line 2`},
		{"comment", "User-agent: *\r# all are welcome\rUser-agent: badbot\rDisallow: /", `in line 4. That line follows "User-agent: badbot" in line 3, but it also counts for "User-agent: *" in line 1`},
		{"empty line", "User-agent: *\n\nUser-agent: a\nUser-agent: b\nDisallow: /", `in line 5. That line follows "User-agent: b" in line 4, but it also counts for "User-agent: *" in line 1`},
		{"unknown key", "User-agent: *\nHost: a.test\nUser-agent: badbot\nDisallow: /", "in line 4. "},
		{"for us by name", "User-agent: *\nAllow: /\nUser-agent: Nightjar\nCrawl-delay: 1\nUser-agent: badbot\nDisallow: /", `it also counts for "User-agent: Nightjar" in line 3`},
		{"long name", "User-agent: *\n\nUser-agent: " + strings.Repeat("x", 9000) + "\nDisallow: /", strings.Repeat("x", maxAgent) + "…"},
		{"twice for all", "User-agent: *\nCrawl-delay: 1\nUser-agent: *\nDisallow: /", ""},
		{"for us after all", "User-agent: *\n\nUser-agent: Nightjar/1.0\nDisallow: /", ""},
		{"in a row", "User-agent: badbot\nUser-agent: *\nDisallow: /", ""},
		{"star last", "User-agent: badbot\n\nUser-agent: *\nDisallow: /", ""},
		{"one name", "User-agent: *\n\nCrawl-delay: 1\nDisallow: /", ""},
		{"a rule between", "User-agent: *\nDisallow:\n\nUser-agent: badbot\nDisallow: /\n\nUser-agent: *\nDisallow: /", ""},
	} {
		by := Parse([]byte(tt.robots), "Nightjar").Forbids("/page")
		if by == nil {
			t.Errorf("%s: the page is allowed", tt.name)
			continue
		}
		got := by.Why("http://a.test/page")
		if plain := got == "the robots.txt of a.test forbids the page"; plain != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
	if !Parse([]byte("User-agent: *\nDisallow:\n\nUser-agent: badbot\nDisallow: /"), "Nightjar").Allows("/page") {
		t.Error("an empty rule does not end the group")
	}
}

func TestCrawlDelay(t *testing.T) {
	for robots, want := range map[string]time.Duration{
		"User-agent: *\nCrawl-delay: 5":                                                    5 * time.Second,
		"User-agent: *\ncrawl-delay:0.5\nDisallow: /a":                                     500 * time.Millisecond,
		"User-agent: nightjar\nDisallow: /a\nUser-agent: *\nCrawl-delay: 5":                0,
		"User-agent: nightjar\nCrawl-delay: 3\nUser-agent: x\nDisallow: /":                 3 * time.Second,
		"User-agent: x\nCrawl-delay: 3\nDisallow: /\nUser-agent: nightjar\nCrawl-delay: 2": 2 * time.Second,
		"User-agent: *\nCrawl-delay: -1":                                                   0,
		"User-agent: *\nCrawl-delay: NaN":                                                  0,
		"User-agent: *\nCrawl-delay: soon":                                                 0,
		"User-agent: *\nCrawl-delay: 1e300":                                                MaxDelay,
		"Crawl-delay: 9":                                                                   0,
	} {
		if got := Parse([]byte(robots), "Nightjar").Delay; got != want {
			t.Errorf("%q: %v; want %v", robots, got, want)
		}
	}
}

// bytesOf reverses the Latin-1 decoding of the reference cases.
func bytesOf(s string) string {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		b = append(b, byte(r))
	}
	return string(b)
}

// robotsCase is a case of google/robotstxt: whether a URL is allowed.
type robotsCase struct {
	Test, Robots, UA, URL string
	Allowed               bool
	GoogleOnly            bool `json:"google_only"`
}

func mustCases(tb testing.TB, path string) []robotsCase {
	tb.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	var suite struct{ Cases []robotsCase }
	if err := json.Unmarshal(raw, &suite); err != nil || len(suite.Cases) == 0 {
		tb.Fatalf("%d cases: %v", len(suite.Cases), err)
	}
	return suite.Cases
}

func (c *robotsCase) right() bool {
	url := bytesOf(c.URL)
	if !strings.Contains(url, "://") {
		url = "http://" + strings.TrimPrefix(url, "//")
	}
	return Parse([]byte(bytesOf(c.Robots)), c.UA).Allows(PathOf(url)) == c.Allowed
}

// TestRobotsRFC runs the cases of google/robotstxt that test RFC 9309.
func TestRobotsRFC(t *testing.T) {
	for _, c := range mustCases(t, "testdata/rfc.json") {
		if !c.right() {
			t.Errorf("%s: %q, %q, %q: not %v", c.Test, c.Robots, c.UA, c.URL, c.Allowed)
		}
	}
}

// TestReferenceRobots runs all cases of google/robotstxt. It only counts those that go beyond RFC 9309. TestRobots has
// cases of our own.
func TestReferenceRobots(t *testing.T) {
	root := os.Getenv("NIGHTJAR_REFERENCE")
	if root == "" {
		t.Skip("left out: NIGHTJAR_REFERENCE does not name the folder of reference suites")
	}
	var good, all [2]int
	for _, c := range mustCases(t, filepath.Join(root, "robots", "google_cases.json")) {
		kind := 0
		if c.GoogleOnly {
			kind = 1
		}
		all[kind]++
		switch {
		case c.right():
			good[kind]++
		case c.GoogleOnly:
			t.Logf("beyond the RFC: %s: %q, %q, %q", c.Test, c.Robots, c.UA, c.URL)
		default:
			t.Errorf("%s: %q, %q, %q: not %v", c.Test, c.Robots, c.UA, c.URL, c.Allowed)
		}
	}
	t.Logf("RFC 9309: %d of %d; beyond it: %d of %d", good[0], all[0], good[1], all[1])
}

// commonsCases are the verdicts of crawler-commons' files: paths that may be fetched and paths that may not.
// Product tokens have no digits (RFC 9309, 2.2.1), so bot1 and bot2 are both bot.
var commonsCases = []struct {
	file, agent string
	may, mayNot string
	delay       time.Duration
	sitemaps    int
}{
	{"astore.amazon.com-robots.txt", "nightjar", "/ /x", "", 5 * time.Second, 0},
	{"crawl-delay-group-merging.txt", "mybot", "/x /login/", "/private/x", 10 * time.Second, 0},
	{"crawl-delay-group-merging.txt", "yourbot", "/x", "/private/x /login/", 0, 0},
	{"crawl-delay-group-merging.txt", "nightjar", "/private/x", "", 30 * time.Second, 0},
	{"directive-typos-robots.txt", "bot", "/ /desallow/", "/dissalow/ /useragent/x /useg-agent/ /useragent-no-colon/", 0, 0},
	{"dos-line-endings.txt", "nightjar", "/", "", time.Second, 0},
	{"extended-standard-robots.txt", "bot", "/ /x", "", 0, 0},
	{"extension-robots.txt", "mybot", "/x", "/private/x", 0, 1},
	{"extension-robots.txt", "nightjar", "/private/x /admin/", "", 0, 1},
	{"extensions-group-merging.txt", "mybot", "/", "/private/ /login/", 0, 0},
	{"extensions-group-merging.txt", "yourbot", "/", "/private/ /login/", 0, 0},
	{"extensions-group-merging.txt", "nightjar", "/llms.txt", "/ /private/", 0, 0},
	{"format-errors-robots.txt", "bot", "/whitespace-before-colon", "/ /whitespace-before-colon/ /no-colon/ /no-colon-useragent/", 0, 1},
	{"malformed-path.txt", "nightjar", "/wiki/x", "/wiki/Wikipedia_talk:Mediation_Committee/ /wiki/Wikipedia_talk%3Mediation_Committee/", 0, 0},
	{"many-user-agents.txt", "wget", "", "/ /x", 0, 0},
	{"many-user-agents.txt", "nightjar", "/ /x", "/translate/ /lang/de/forum/x", 0, 0},
	{"merge-rules.txt", "testy", "", "/ /x", 0, 0},
	{"merge-rules.txt", "wget", "/ /foo/bar/x /ckh/bar/", "/tmp/bar", 0, 0},
	{"merge-rules.txt", "nightjar", "/ /ckh/bar/", "/foo/bar /tmp/bar", 0, 0},
	{"precedence-of-rules.txt", "testy", "/ /foo/bar/", "/foo /foo/x", 0, 0},
	{"precedence-of-rules.txt", "wget", "/foo /index.html", "/x", 0, 0},
	{"relative-sitemap-robots.txt", "nightjar", "/", "/cache/ /files/x", 0, 1},
	{"rfc9309-example-longest-match-robots.txt", "foobot", "/example/page/", "/example/page/disallowed.gif", 0, 0},
	{"rfc9309-example-rule-group-merging.txt", "examplebot", "/", "/foo /bar /baz", 0, 0},
	{"rfc9309-example-rule-group-merging.txt", "bazbot", "/foo", "/baz", 0, 0},
	{"rfc9309-example-simple-robots.txt", "foobot", "/example/page.html /example/allowed.gif", "/ /publications/", 0, 0},
	{"rfc9309-example-simple-robots.txt", "bazbot", "/example/allowed.gif", "/example/page.html", 0, 0},
	{"rfc9309-example-simple-robots.txt", "quxbot", "/ /example/page.html", "", 0, 0},
	{"rfc9309-example-simple-robots.txt", "nightjar", "/publications/x", "/example/x /a/b.gif", 0, 0},
	{"robots-with-utf16be-bom.txt", "nightjar", "/", "/profile /a/output/print", 0, 1},
	{"robots-with-utf16le-bom.txt", "nightjar", "/", "/profile /a/output/print", 0, 1},
	{"robots-with-utf8-bom.txt", "nightjar", "/", "/profile /a/output/print", 0, 1},
	{"sitemap-robots-dedup.txt", "nightjar", "/", "", 0, 1},
	{"sitemap-robots.txt", "nightjar", "/", "", 0, 2},
	{"twitter.com-robots.txt", "slurp", "/", "/x?y /a/with_friends", time.Second, 0},
	{"twitter.com-robots.txt", "nightjar", "/", "/x?y /a/with_friends", 0, 0},
	{"wildcards.txt", "nightjar", "/", "/gp/cart /gp/voting/", 0, 8},
	{"www.flot.com-robots.txt", "nightjar", "/", "/bitrix/ /img/x", 0, 1},
}

// TestReferenceRobotsFiles reads the files of crawler-commons, including malformed ones. TestRobots and TestCrawlDelay have
// files of our own.
func TestReferenceRobotsFiles(t *testing.T) {
	root := os.Getenv("NIGHTJAR_REFERENCE")
	if root == "" {
		t.Skip("left out: NIGHTJAR_REFERENCE does not name the folder of reference suites")
	}
	tried := map[string]bool{}
	for _, c := range commonsCases {
		tried[c.file] = true
		body, err := os.ReadFile(filepath.Join(root, "robots", "crawler-commons", c.file))
		if err != nil {
			t.Fatal(err)
		}
		r := Parse(body, c.agent)
		if r.Delay != c.delay || len(r.Sitemaps) != c.sitemaps {
			t.Errorf("%s for %s: delay %v, sitemaps %q", c.file, c.agent, r.Delay, r.Sitemaps)
		}
		for path := range strings.FieldsSeq(c.may) {
			if !r.Allows(path) {
				t.Errorf("%s for %s: %s is forbidden", c.file, c.agent, path)
			}
		}
		for path := range strings.FieldsSeq(c.mayNot) {
			if r.Allows(path) {
				t.Errorf("%s for %s: %s is allowed", c.file, c.agent, path)
			}
		}
	}
	files, _ := filepath.Glob(filepath.Join(root, "robots", "crawler-commons", "*"))
	if len(tried) != len(files) {
		t.Errorf("%d of %d files tried", len(tried), len(files))
	}
}

// TestRobotsBombs parses files made to cost time. A verdict takes time linear in the file's size; otherwise the test would
// not end.
func TestRobotsBombs(t *testing.T) {
	path := "/" + strings.Repeat("a", 2000)
	fill := func(line string) []byte {
		return []byte("User-agent: *\n" + strings.Repeat(line, MaxBytes/len(line)))
	}
	for name, body := range map[string][]byte{
		"stars":          fill("Disallow: /" + strings.Repeat("*a", 2000) + "b\n"),
		"short stars":    fill("Disallow: /*a*b\n"),
		"many rules":     fill("Disallow: /b\n"),
		"ends":           fill("Disallow: *a*a*a*a*a*a*a*a*a*a*b$\n"),
		"escapes":        fill("Disallow: /" + strings.Repeat("%61*", 1000) + "b\n"),
		"only stars":     fill("Disallow: /b" + strings.Repeat("*", 60000) + "\n"),
		"agents":         fill("User-agent: a\n"),
		"one line":       fill("a"),
		"keys":           fill("a:\n"),
		"sitemaps":       fill("Sitemap: /a\n"),
		"letters beyond": fill("Disallow: /é*é\n"),
	} {
		r := Parse(body, "Nightjar")
		for range 3 {
			if !r.Allows(path) {
				t.Errorf("%s: forbidden", name)
			}
		}
		if r.Size > 8*MaxBytes {
			t.Errorf("%s: %d bytes are held", name, r.Size)
		}
	}
	if Parse([]byte("User-agent: *\nDisallow: /"+strings.Repeat("*", 10000)), "Nightjar").Allows("/") {
		t.Error("repeated stars are not merged")
	}
}

// slowMatches is matches by definition: a star may stand for anything.
func slowMatches(path, pattern string) bool {
	switch {
	case pattern == "":
		return true
	case pattern == "$":
		return path == ""
	case pattern[0] == '*':
		return slowMatches(path, pattern[1:]) || path != "" && slowMatches(path[1:], pattern)
	}
	return path != "" && path[0] == pattern[0] && slowMatches(path[1:], pattern[1:])
}

// TestRobotsMatches compares matches with its definition on all short patterns and paths.
func TestRobotsMatches(t *testing.T) {
	all := func(letters string, length int) (list []string) {
		list = []string{""}
		for i := 0; i < len(list); i++ {
			if len(list[i]) < length {
				for _, c := range letters {
					list = append(list, list[i]+string(c))
				}
			}
		}
		return list
	}
	paths := all("ab$", 4)
	for _, pattern := range all("ab*$", 5) {
		for _, path := range paths {
			if got, want := matches(path, pattern), slowMatches(path, pattern); got != want {
				t.Fatalf("%q, %q: %v", path, pattern, got)
			}
		}
	}
}

func FuzzRobots(f *testing.F) {
	f.Add([]byte("User-agent: nightjar\nDisallow: /a*b$\nAllow: /\nCrawl-delay: 1"), "/a%zzb")
	f.Add([]byte("\xff\xfeU\x00"), "/")
	f.Add([]byte("user agent *\ndisallow /%61%\nsitemap:/x"), "/a%6")
	f.Fuzz(func(t *testing.T, body []byte, path string) {
		r := Parse(body, "Nightjar")
		if r.Delay < 0 || r.Delay > MaxDelay {
			t.Fatalf("delay %v", r.Delay)
		}
		allowed := r.Allows(path)
		if again := r.Allows(upperEscapes(path)); again != allowed {
			t.Fatalf("escaped: %v, else %v", again, allowed)
		}
		if commented := Parse(append([]byte("# \n"), body...), "Nightjar"); len(body) > 1 && body[0] < 0x80 && commented.Allows(path) != allowed {
			t.Fatal("a comment before the file changes the verdict")
		}
		for i := range r.list {
			r.list[i].allow = true
		}
		for i := range r.plain {
			r.plain[i].allow = true
		}
		if !r.Allows(path) {
			t.Fatal("forbidden by no rule")
		}
	})
}
