package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"nightjar/daemon/morning/api"
)

var evil = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `</A></DL><SCRIPT>x</SCRIPT>`, `" onclick="x`, `=cmd|' /C calc'!A0`,
	`+1+1`, `-1+1`, `@SUM(1)`, ` =1+1`, "\t=1", "\r=1", `＝1+1`, `%0a=1`, `|calc`, `a,"b"` + "\r\n" + `=c`, `plain`, "",
}

// sequence yields finds whose texts are hostile, of two topics, and then an error, unless it is nil.
func sequence(err error) Finds {
	return func(yield func(api.Find, error) bool) {
		for i, text := range evil {
			f := api.Find{ID: int64(i + 1), Topic: "T" + strconv.Itoa(i*2/len(evil)), TopicID: int64(1 + i*2/len(evil)), Mark: "none", Similarity: -.25,
				FoundAt: time.Unix(1_763_800_000, 0), FromTheWeb: api.FromTheWeb{URL: "http://a.test/?q=" + strconv.Itoa(i) + `&"<`, Site: "a.test",
					Title: api.Plain(text), Snippet: text, Reason: text}}
			if !yield(f, nil) {
				return
			}
		}
		if err != nil {
			yield(api.Find{}, err)
		}
	}
}

func TestBookmarks(t *testing.T) {
	var out bytes.Buffer
	if err := Bookmarks(&out, sequence(nil)); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(out.String(), "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n") {
		t.Error("browsers know the format by its first line")
	}
	root, err := html.Parse(&out)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		count[n.Data]++
		if n.Data == "a" {
			attrs := map[string]string{}
			for _, a := range n.Attr {
				attrs[a.Key] = a.Val
			}
			if len(attrs) != 2 || !strings.HasPrefix(attrs["href"], "http://a.test/?q=") || attrs["add_date"] != "1763800000" || n.FirstChild == nil {
				t.Errorf("bookmark %v", n.Attr)
			}
		} else if len(n.Attr) > 0 && n.Data != "meta" {
			t.Errorf("<%s> has %v", n.Data, n.Attr)
		}
	}
	if count["a"] != len(evil) || count["h3"] != 2 || count["script"]+count["img"] > 0 {
		t.Errorf("elements %v", count)
	}
}

// TestBookmarksOfScripts: nothing that a browser would run becomes a bookmark.
func TestBookmarksOfScripts(t *testing.T) {
	var out bytes.Buffer
	err := Bookmarks(&out, func(yield func(api.Find, error) bool) {
		yield(api.Find{TopicID: 1, FromTheWeb: api.FromTheWeb{URL: "javascript:alert(1)", Title: "x"}}, nil)
	})
	if err != nil || strings.Contains(out.String(), "alert") {
		t.Errorf("%s, %v", &out, err)
	}
}

func TestCSV(t *testing.T) {
	var out bytes.Buffer
	if err := CSV(&out, sequence(nil)); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&out).ReadAll()
	if err != nil || len(lines) != len(evil)+1 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	for _, line := range lines[1:] {
		for i, cell := range line {
			start := strings.TrimLeft(cell, " \u3000")
			if i != 8 && start != "" && strings.ContainsAny(string([]rune(start)[:1]), "=+-@\t\r|%＝＋－＠") {
				t.Errorf("a formula in %s: %q", columns[i], cell)
			}
		}
		if line[8] != "-0.25" {
			t.Errorf("a number became %q", line[8])
		}
	}
	if Cell("plain = x") != "plain = x" || Cell("") != "" || Cell("=1") != "'=1" {
		t.Error("Cell")
	}
}

func TestJSON(t *testing.T) {
	var out bytes.Buffer
	if err := JSON(&out, time.Unix(1e9, 0), sequence(nil)); err != nil {
		t.Fatal(err)
	}
	var got struct {
		At    time.Time `json:"exported_at"`
		Finds []api.Find
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || len(got.Finds) != len(evil) || got.At.Unix() != 1e9 {
		t.Fatalf("%d finds, %v", len(got.Finds), err)
	}
	for i, f := range got.Finds {
		if want := evil[i]; f.FromTheWeb.Snippet != want {
			t.Errorf("%q, want %q", f.FromTheWeb.Snippet, want)
		}
	}
	out.Reset()
	if err := JSON(&out, time.Unix(0, 0), func(func(api.Find, error) bool) {}); err != nil || json.Unmarshal(out.Bytes(), &got) != nil {
		t.Errorf("without finds: %s", &out)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestErrors: an error of the finds or of the writer is passed on, so that nobody takes a part for the whole.
func TestErrors(t *testing.T) {
	failed := errors.New("disk")
	for name, write := range map[string]func(io.Writer, Finds) error{
		"bookmarks": Bookmarks, "csv": CSV, "json": func(w io.Writer, f Finds) error { return JSON(w, time.Time{}, f) },
	} {
		if err := write(io.Discard, sequence(failed)); !errors.Is(err, failed) {
			t.Errorf("%s: %v", name, err)
		}
		if err := write(broken{}, sequence(nil)); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("%s to a closed pipe: %v", name, err)
		}
	}
}
