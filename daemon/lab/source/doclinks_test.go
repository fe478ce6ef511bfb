package source

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	fenced  = regexp.MustCompile("(?ms)^ *```.*?^ *```")
	inCode  = regexp.MustCompile("`[^`\n]*`")
	docLink = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ +(.*)$`)
)

// TestDocumentLinks: every relative link in a document leads to a file, and to a heading if it names one. Every picture beside the
// documents is shown in one.
func TestDocumentLinks(t *testing.T) {
	var documents, pictures []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "node_modules", "testdata", "out"}, d.Name()):
			return fs.SkipDir
		case filepath.Ext(path) == ".md":
			documents = append(documents, path)
		case slices.Contains([]string{".svg", ".png", ".webp"}, filepath.Ext(path)) && inDocs(path):
			pictures = append(pictures, path)
		}
		return nil
	})
	if err != nil || len(documents) < 20 || len(pictures) == 0 {
		t.Fatalf("%d documents, %d pictures, %v", len(documents), len(pictures), err)
	}
	linked := map[string]bool{}
	for _, document := range documents {
		for _, m := range docLink.FindAllStringSubmatch(inCode.ReplaceAllString(fenced.ReplaceAllString(readDoc(t, document), ""), ""), -1) {
			if strings.Contains(m[1], ":") {
				continue // elsewhere
			}
			file, part, _ := strings.Cut(m[1], "#")
			if file == "" {
				file = document
			} else {
				file = filepath.Join(filepath.Dir(document), filepath.FromSlash(file))
			}
			linked[file] = true
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s links to %s: %v", document, m[1], err)
			} else if part != "" && !slices.Contains(anchors(readDoc(t, file)), part) {
				t.Errorf("%s links to %s, which has no such heading", document, m[1])
			}
		}
	}
	for _, picture := range pictures {
		if !linked[picture] {
			t.Errorf("no document shows %s", picture)
		}
	}
}

// inDocs reports whether a file is in a folder of documents.
func inDocs(path string) bool {
	path = filepath.ToSlash(path)
	return strings.HasPrefix(path, root+"/docs/") || strings.HasPrefix(path, root+"/daemon/lab/reports/")
}

// anchors are the names by which links reach the headings of a document: lower case, hyphens for spaces, no punctuation.
func anchors(document string) (all []string) {
	for _, m := range heading.FindAllStringSubmatch(document, -1) {
		all = append(all, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
				return r
			}
			return -1
		}, strings.ToLower(m[1])))
	}
	return all
}

func readDoc(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
