package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"nightjar/daemon/lab/hostile"
	"nightjar/daemon/morning/api"
)

// TestHostileFiles writes a find for each hostile text, with the text in every field, in each form.
func TestHostileFiles(t *testing.T) {
	texts := hostile.Texts(t)
	finds := func(yield func(api.Find, error) bool) {
		for i, text := range texts {
			page := api.FromTheWeb{URL: "http://a.test/?" + text, Site: text, Title: text, Snippet: text, Reason: text, Words: []string{text}, Anchor: text}
			if !yield(api.Find{ID: int64(i + 1), Topic: text, TopicID: int64(i + 1), Mark: "none", FromTheWeb: page}, nil) {
				return
			}
		}
	}
	write := map[string]func(*bytes.Buffer) error{
		"bookmarks": func(b *bytes.Buffer) error { return Bookmarks(b, finds) },
		"csv":       func(b *bytes.Buffer) error { return CSV(b, finds) },
		"json":      func(b *bytes.Buffer) error { return JSON(b, time.Unix(1, 0), finds) },
	}
	read := map[string]func(*testing.T, []string, *bytes.Buffer){"bookmarks": readBookmarks, "csv": readCSV, "json": readJSON}
	for name, w := range write {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := w(&out); err != nil {
				t.Fatal(err)
			}
			read[name](t, texts, &out)
		})
	}
}

// readBookmarks: each text is a bookmark and a folder, and no text brought an element or an attribute.
func readBookmarks(t *testing.T, texts []string, file *bytes.Buffer) {
	root, err := html.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		name := []string{}
		for _, a := range n.Attr {
			name = append(name, a.Key)
		}
		slices.Sort(name)
		count[strings.Join(append([]string{n.Data}, name...), " ")]++
	}
	for name, n := range count {
		switch name {
		case "html", "head", "title", "body", "h1", "meta content http-equiv":
		case "a add_date href", "h3":
			if n != len(texts) {
				t.Errorf("%d %s of %d texts", n, name, len(texts))
			}
		case "dt", "dd", "dl", "p":
		default:
			t.Errorf("a text brought <%s>, %d times", name, n)
		}
	}
}

// readCSV: no cell is a formula, and each text is there, but for the line ends that CSV readers change.
func readCSV(t *testing.T, texts []string, file *bytes.Buffer) {
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil || len(lines) != len(texts)+1 {
		t.Fatalf("%d lines of %d texts: %v", len(lines), len(texts), err)
	}
	for i, line := range lines[1:] {
		for n, cell := range line {
			if start := strings.TrimLeft(cell, " \u00a0\u3000"); start != "" && strings.ContainsAny(start[:1], "=+-@\t\r|%") && !negative.MatchString(cell) {
				t.Errorf("a formula in %s: %q", columns[n], cell)
			}
		}
		if got, want := strings.TrimPrefix(line[11], "'"), strings.TrimPrefix(texts[i], "'"); got != strings.ReplaceAll(want, "\r\n", "\n") {
			t.Errorf("%q became %q", want, got)
		}
	}
}

// negative is a negative number, which a spreadsheet may read as one.
var negative = regexp.MustCompile(`^-[0-9]*\.?[0-9]+([eE][+-]?[0-9]+)?$`)

// readJSON: each text is there as it was.
func readJSON(t *testing.T, texts []string, file *bytes.Buffer) {
	var got struct{ Finds []api.Find }
	if err := json.Unmarshal(file.Bytes(), &got); err != nil || len(got.Finds) != len(texts) {
		t.Fatalf("%d finds of %d texts: %v", len(got.Finds), len(texts), err)
	}
	for i, f := range got.Finds {
		want := strings.ToValidUTF8(texts[i], "\ufffd")
		if f.FromTheWeb.Title != want && strings.ToValidUTF8(texts[i], "") != strings.ReplaceAll(f.FromTheWeb.Title, "\ufffd", "") || f.Topic != f.FromTheWeb.Reason {
			t.Errorf("%q became %q", want, f.FromTheWeb.Title)
		}
	}
}
