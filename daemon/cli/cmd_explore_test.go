package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/daemon/morning/api"
	"nightjar/daemon/store/storetest"
)

// exploreFolder makes a data folder with two pages that link to a third one.
func exploreFolder(t *testing.T) string {
	t.Helper()
	path := storetest.Path(t)
	for _, text := range []string{
		`INSERT INTO link_page (id, url, site) VALUES (1, 'https://a.test/', 'a.test'), (2, 'https://b.test/', 'b.test'), (3, 'https://c.test/', 'c.test')`,
		`INSERT INTO link (id, src, dst, pos) VALUES (1, 1, 3, 0), (2, 2, 3, 0)`,
		"INSERT INTO word (id, word) VALUES (1, 'guitar'), (2, 'wind\x1b[31m')",
		`INSERT INTO link_word (link, word, n) VALUES (1, 1, 12), (2, 1, 1), (2, 2, 1)`,
	} {
		storetest.Exec(t, path, text)
	}
	return filepath.Dir(path)
}

func TestExploreTable(t *testing.T) {
	dir := exploreFolder(t)
	for expression, want := range map[string]string{
		"weightedGroupKeywords([], [https://c.test/])": "occurrences  word\n         13  guitar\n          1  wind[31m\n2 words\n",
		"crawl([https://c.test/], -1)": "links away  page             title\n         0  https://c.test/\n         1  https://a.test/\n" +
			"         1  https://b.test/\n3 pages\n",
		"groupMatch([https://b])":                                            "page             title\nhttps://b.test/\n1 page\n",
		"groupKeywords([https://c.test/], [])":                               "0 words\n",
		"TAuthorities([], 1, {guitar}); linkKeywords([https://b.test/], $1)": "word\nguitar\nwind[31m\n2 words\n",
	} {
		code, out, errs := mustRun(t, "explore", expression, "--data", dir)
		if code != 0 || out != want || errs != "" {
			t.Errorf("%s: code %d, %q\n%s\nwant\n%s", expression, code, errs, out, want)
		}
	}
	if _, out, _ := mustRun(t, "explore", "[]", "--top", "1", "--data", dir); !strings.HasSuffix(out, "\nthe first 1 of 3 pages\n") {
		t.Errorf("--top 1: %s", out)
	}
}

func TestExploreJSON(t *testing.T) {
	code, out, errs := mustRun(t, "explore", "crawl([https://b.test/, https://x.test/], 5)", "--json", "--data", exploreFolder(t))
	var e api.Exploration
	if err := json.Unmarshal([]byte(out), &e); err != nil || code != 0 || errs != "" {
		t.Fatalf("code %d, %v, %q, %s", code, err, errs, out)
	}
	if e.Kind != "pages" || e.Total != 2 || len(e.Pages) != 2 || e.Pages[1].N != 1 || e.Pages[1].FromTheWeb.URL != "https://c.test/" || len(e.Notes) != 1 ||
		!strings.Contains(out, `"words":[]`) {
		t.Errorf("%s", out)
	}
}

func TestExplorePointsAtFaults(t *testing.T) {
	dir := exploreFolder(t)
	for expression, want := range map[string]string{
		"[]; crwal([], 1)":            "character 5: there is no operator \"crwal\"; did you mean crawl?\n  []; crwal([], 1)\n      ^\n",
		"[];\ngroupMatch([topic:Tö])": "character 17: there is no topic \"Tö\"\n  groupMatch([topic:Tö])\n              ^\n",
		"fetch(https://a.test/)":      "character 7: the text of this page is not stored",
	} {
		code, out, errs := mustRun(t, "explore", expression, "--data", dir)
		if code != 2 || out != "" || !strings.HasPrefix(errs, "nightjar: error: "+want) || !strings.Contains(errs, "nightjar: hint: ") {
			t.Errorf("%q: code %d, %q\n%s", expression, code, out, errs)
		}
	}
	long := strings.Repeat("[], ", 100)
	_, _, errs := mustRun(t, "explore", "["+long+"?]", "--data", dir)
	lines := strings.Split(errs, "\n")
	if len(lines) < 3 || len(lines[1]) > 120 || strings.Index(strings.ReplaceAll(lines[1], "…", "."), "?") != strings.Index(lines[2], "^") {
		t.Errorf("%s", errs)
	}
}

func TestExploreWrongUsage(t *testing.T) {
	dir := exploreFolder(t)
	for _, args := range [][]string{{}, {"[]", "[]"}, {"[]", "--top", "-1"}, {"[]", "--no-such"}} {
		code, out, errs := mustRun(t, append([]string{"explore", "--data", dir}, args...)...)
		if code != 2 || out != "" || !strings.Contains(errs, "nightjar: hint: ") {
			t.Errorf("%v: code %d, %q, %q", args, code, out, errs)
		}
	}
	if code, _, errs := mustRun(t, "explore", "[]", "--data", t.TempDir()); code != 1 || !strings.Contains(errs, "nightjar: hint: start one with") {
		t.Errorf("without a database: code %d, %q", code, errs)
	}
	for _, c := range exploreCommand.Below {
		name := strings.TrimPrefix(c.Name, "explore ")
		if code, out, _ := mustRun(t, "explore", name, "--help"); code != 0 || !strings.HasPrefix(out, "usage: nightjar "+c.Name+" ") {
			t.Errorf("%s --help: code %d, %s", c.Name, code, out)
		}
		if _, out, _ := mustRun(t, "explore", "--help"); !strings.Contains(out, c.Summary) {
			t.Errorf("the help of explore lacks %s", c.Name)
		}
	}
}
