package fetch

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestRobots holds what RFC 9309 says, section by section.
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
		if got := parseRobots([]byte(c.robots), "Nightjar").allows(upperEscapes(c.path)); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
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
		"User-agent: *\nCrawl-delay: 1e300":                                                maxSilence,
		"Crawl-delay: 9":                                                                   0,
	} {
		if got := parseRobots([]byte(robots), "Nightjar").delay; got != want {
			t.Errorf("%q: %v; want %v", robots, got, want)
		}
	}
}

// bytesOf undoes the Latin-1 decoding of the reference cases.
func bytesOf(s string) string {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		b = append(b, byte(r))
	}
	return string(b)
}

// TestReferenceRobots runs the cases of google/robotstxt. Those that go beyond RFC 9309 are counted only.
func TestReferenceRobots(t *testing.T) {
	root := os.Getenv("NIGHTJAR_REFERENCE")
	if root == "" {
		t.Skip("left out: NIGHTJAR_REFERENCE does not name the folder of reference suites")
	}
	raw, err := os.ReadFile(filepath.Join(root, "robots", "google_cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	var suite struct {
		Cases []struct {
			Test, Robots, UA, URL string
			Allowed               bool
			GoogleOnly            bool `json:"google_only"`
		}
	}
	if err := json.Unmarshal(raw, &suite); err != nil {
		t.Fatal(err)
	}
	good, all := 0, 0
	for _, c := range suite.Cases {
		url := bytesOf(c.URL)
		if !strings.Contains(url, "://") {
			url = "http://" + strings.TrimPrefix(url, "//")
		}
		got := parseRobots([]byte(bytesOf(c.Robots)), c.UA).allows(pathOf(url))
		switch all++; {
		case got == c.Allowed:
			good++
		case c.GoogleOnly:
			t.Logf("beyond the RFC: %s: %q, %q, %q", c.Test, c.Robots, c.UA, c.URL)
		default:
			t.Errorf("%s: %q, %q, %q: %v", c.Test, c.Robots, c.UA, c.URL, got)
		}
	}
	t.Logf("%d of %d", good, all)
	files, _ := filepath.Glob(filepath.Join(root, "robots", "crawler-commons", "*"))
	for _, name := range files {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r := parseRobots(body, "Nightjar")
		t.Logf("%s: %d allowed, %d disallowed, delay %v", filepath.Base(name), len(r.allow), len(r.disallow), r.delay)
	}
}

func FuzzRobots(f *testing.F) {
	f.Add([]byte("User-agent: nightjar\nDisallow: /a*b$\nAllow: /\nCrawl-delay: 1"), "/a%zzb")
	f.Add([]byte("\xff\xfeU\x00"), "/")
	f.Fuzz(func(t *testing.T, body []byte, path string) {
		r := parseRobots(body, "Nightjar")
		if r.delay < 0 || r.delay > maxSilence {
			t.Fatalf("delay %v", r.delay)
		}
		if !r.allows(path) && len(r.disallow) == 0 {
			t.Fatal("forbidden by no rule")
		}
		r.allow = append(r.allow, r.disallow...)
		if !r.allows(path) {
			t.Fatal("what is allowed as exactly as forbidden is allowed")
		}
	})
}
