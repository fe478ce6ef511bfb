package source

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// term is a row of the glossary.
type term struct{ section, name, meaning, where, source string }

func readGlossary(t *testing.T) (all []term) {
	t.Helper()
	text, err := os.ReadFile(root + "/docs/GLOSSARY.md")
	if err != nil {
		t.Fatal(err)
	}
	section := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "## "); ok {
			section = name
		}
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "| term |") || strings.HasPrefix(line, "|---") {
			continue
		}
		cells := strings.Split(strings.ReplaceAll(strings.Trim(line, "|"), `\|`, "∣"), "|")
		if len(cells) != 4 {
			t.Errorf("a row has %d cells: %s", len(cells), line)
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		all = append(all, term{section, cells[0], cells[1], cells[2], cells[3]})
	}
	return all
}

var (
	quoted   = regexp.MustCompile("`([^`]+)`")
	symbol   = regexp.MustCompile(`^([a-z]+)\.([A-Za-z]+)(?:\.([A-Za-z]+))?$`)
	paperKey = regexp.MustCompile(`\[([A-Z]+)\]`)
)

// TestGlossary: each term has a meaning and a place in the code that exists, each paper is named in model/doc.go, and no
// section has a term twice.
func TestGlossary(t *testing.T) {
	doc, err := os.ReadFile(root + "/model/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	folders := map[string][]string{} // of a package name
	for _, p := range listPackages(t) {
		folders[p.Name] = append(folders[p.Name], filepath.Join(root, strings.TrimPrefix(p.ImportPath, "nightjar")))
	}
	seen := map[string]bool{}
	for _, one := range readGlossary(t) {
		if key := one.section + ": " + one.name; one.meaning == "" || seen[key] {
			t.Errorf("%s has no meaning, or is there twice", key)
		} else {
			seen[key] = true
		}
		places := quoted.FindAllStringSubmatch(one.where, -1)
		if len(places) == 0 {
			t.Errorf("%s: %q names no place in the code", one.name, one.where)
		}
		for _, p := range places {
			if !isThere(t, p[1], folders) {
				t.Errorf("%s: there is no %s", one.name, p[1])
			}
		}
		for _, key := range paperKey.FindAllStringSubmatch(one.source, -1) {
			if !strings.Contains(string(doc), "//\t"+key[0]+" ") {
				t.Errorf("%s: model/doc.go does not say what %s is", one.name, key[0])
			}
		}
	}
}

// isThere reports whether a folder, or a declaration of a package, exists.
func isThere(t *testing.T, place string, folders map[string][]string) bool {
	t.Helper()
	if m := symbol.FindStringSubmatch(place); m != nil {
		for _, folder := range folders[m[1]] {
			if declares(t, folder, m[2]) {
				return true
			}
		}
		return false
	}
	info, err := os.Stat(filepath.Join(root, place))
	return err == nil && info.IsDir()
}

// declares reports whether a package declares a name at its top level, or as a method.
func declares(t *testing.T, folder, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	declaration := regexp.MustCompile(`(?m)^(?:(?:type|func|var|const) (?:\([^)]*\) )?|\t)` + name + `\b`)
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if declaration.Match(text) {
			return true
		}
	}
	return false
}

// TestGlossaryOfCommunities: the words that the pages about maps of communities go by are in the glossary, and the glossary
// has no other ones in their section: each stands on such a page, in its document, or in the code that it names.
func TestGlossaryOfCommunities(t *testing.T) {
	var used strings.Builder
	for _, pattern := range []string{
		"panorama/pages/templates/*.html", "cli/cmd_communities*.go",
		"panorama/communities/*.go", "night/scheduler/plan.go", "night/scheduler/borrow.go", "night/crawls/pause.go", "learn/trainer/examples.go", "../docs/COMMUNITIES.md",
	} {
		files, err := filepath.Glob(filepath.Join(root, "daemon", pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no file, %v", pattern, err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			used.Write(text)
		}
	}
	text := strings.ToLower(strings.Join(strings.Fields(used.String()), " "))
	terms := map[string]bool{}
	for _, one := range readGlossary(t) {
		if one.section != "Communities" {
			continue
		}
		name, _, _ := strings.Cut(one.name, " (")
		for word := range strings.SplitSeq(name, ", ") {
			terms[word] = true
			if !strings.Contains(text, word) {
				t.Errorf("nothing that is about maps uses %q", word)
			}
		}
	}
	for _, word := range []string{
		"document", "title", "query", "positive page", "negative page", "classifier", "harvest", "map", "step", "community", "example",
		"hub", "authority", "label",
	} {
		if !terms[word] {
			t.Errorf("the glossary lacks %q", word)
		}
	}
}
