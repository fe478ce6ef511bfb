package page

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// checkOutline fails when the outline of a document is not what Parse reads of it.
func checkOutline(t *testing.T, contentType string, body []byte) {
	t.Helper()
	p, err := Parse(testURL, contentType, body)
	if err != nil {
		t.Fatal(err)
	}
	want := &Outline{Title: p.Title, Canonical: p.Canonical, PasswordField: p.PasswordField}
	for _, l := range p.Links {
		want.Links = append(want.Links, l.URL)
	}
	if got, err := ReadOutline(testURL, contentType, body); err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%v\n%+v\nParse reads\n%+v", err, got, want)
	}
}

func TestOutlineIsWhatParseReads(t *testing.T) {
	files, err := filepath.Glob("testdata/content/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no documents", err)
	}
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		checkOutline(t, ContentUTF8, body)
	}
	for _, html := range hugePages(20) {
		checkOutline(t, ContentUTF8, []byte(html))
	}
	for _, html := range []string{
		`<base href="/sub/"><link rel="Canonical x" href="a"><a href=b>1</a><a href=b>2</a><a href=#c>3</a><a href="mailto:d">4</a><input type=PASSWORD>`,
		`<meta http-equiv=refresh content="0; url=next"><map><area href=/area alt=x></map><svg><title>no</title></svg><a href="http://[">bad</a>`,
	} {
		checkOutline(t, ContentUTF8, []byte(html))
	}
	if _, err := ReadOutline("mailto:x", ContentUTF8, nil); err == nil {
		t.Error("an outline of a page without an address")
	}
}
