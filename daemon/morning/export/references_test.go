package export

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/lab/hostile"
	"nightjar/daemon/morning/api"
)

// hostileFind has a text in each field that strangers write.
func hostileFind(text string) Finds {
	return func(yield func(api.Find, error) bool) {
		page := api.FromTheWeb{URL: "http://a.test/?" + text, Site: text, Title: text, Snippet: text, Reason: text}
		if yield(api.Find{ID: 7, Topic: text, TopicID: 1, FoundAt: time.Unix(1_763_800_000, 0), FromTheWeb: page}, nil) {
			yield(api.Find{ID: 8, Topic: "T", TopicID: 2, FromTheWeb: api.FromTheWeb{URL: "javascript:alert(1)", Title: "no"}}, nil)
		}
	}
}

// checkReferences writes a find with a hostile text in each format, reads it again, and finds the text as it was and nothing else.
func checkReferences(t *testing.T, hostileText string) {
	plain := api.Plain(hostileText)
	title := cmp.Or(plain, inURL("http://a.test/?"+hostileText))
	for name, one := range map[string]struct {
		write func(*bytes.Buffer) error
		read  func(string) (map[string]string, error)
	}{
		"Markdown": {func(b *bytes.Buffer) error { return Markdown(b, time.Unix(0, 0), hostileFind(hostileText)) }, readMarkdown},
		"RIS":      {func(b *bytes.Buffer) error { return RIS(b, hostileFind(hostileText)) }, readRIS},
		"BibTeX":   {func(b *bytes.Buffer) error { return BibTeX(b, hostileFind(hostileText)) }, readBibTeX},
	} {
		var out bytes.Buffer
		if err := one.write(&out); err != nil {
			t.Fatal(err)
		}
		got, err := one.read(out.String())
		if err != nil {
			t.Errorf("%s of %.80q: %v in\n%s", name, hostileText, err, &out)
			continue
		}
		for field, want := range map[string]string{"title": title, "topic": plain, "reason": plain, "snippet": plain, "url": inURL("http://a.test/?" + hostileText)} {
			if got[field] != want {
				t.Errorf("%s of %.80q: %s became %q", name, hostileText, field, got[field])
			}
		}
		if strings.ContainsAny(strings.TrimPrefix(got["url"], "http://a.test/?"), "<>\\{} \"\n\r\t") {
			t.Errorf("%s: %q", name, got["url"])
		}
	}
}

// readMarkdown reads a line at a time what Markdown writes: text in which each sign follows a backslash, between signs that do not.
func readMarkdown(file string) (map[string]string, error) {
	lines := strings.Split(strings.TrimSuffix(file, "\n"), "\n")
	got := map[string]string{}
	text := func(field, escaped string) error {
		var b strings.Builder
		signs := false
		for _, r := range escaped {
			if !signs && r == '\\' {
				signs = true
				continue
			}
			if signs != (r < 128 && isSign(r)) {
				return fmt.Errorf("%q is not escaped well", escaped)
			}
			signs = false
			b.WriteRune(r)
		}
		if got[field] = b.String(); signs {
			return fmt.Errorf("%q ends with a backslash", escaped)
		}
		return nil
	}
	if len(lines) < 5 || len(lines) > 7 || lines[0] != "# Nightjar finds, 1970-01-01" || lines[1]+lines[3] != "" || !strings.HasPrefix(lines[2], "## ") {
		return nil, fmt.Errorf("%d lines", len(lines))
	}
	name, address, ok := strings.Cut(strings.TrimPrefix(lines[4], "- ["), "](<")
	if !ok || !strings.HasSuffix(address, ">)") {
		return nil, fmt.Errorf("no link: %q", lines[4])
	}
	got["url"] = strings.TrimSuffix(address, ">)")
	err := text("topic", lines[2][3:])
	if err == nil {
		err = text("title", name)
	}
	for i, field := range []string{"reason", "snippet"} {
		if err == nil && 5+i < len(lines) {
			line, ok := strings.CutPrefix(lines[5+i], "  - ")
			if err = text(field, line); !ok {
				err = fmt.Errorf("%q", lines[5+i])
			}
		}
	}
	return got, err
}

// readRIS reads lines of two signs, two blanks, a dash, a blank and a text.
func readRIS(file string) (map[string]string, error) {
	names := map[string]string{"TI": "title", "UR": "url", "AB": "snippet", "N1": "reason", "KW": "topic"}
	got, tags := map[string]string{}, ""
	for line := range strings.SplitSeq(strings.TrimSuffix(file, "\r\n\r\n"), "\r\n") {
		tag, value, ok := strings.Cut(line, "  - ")
		if !ok || len(tag) != 2 || strings.ContainsAny(value, "\r\n") {
			return nil, fmt.Errorf("line %q", line)
		}
		got[names[tag]], tags = value, tags+tag
	}
	if !strings.HasPrefix(tags, "TYTIUR") || strings.Count(tags, "TY") != 1 || !strings.HasSuffix(tags, "Y2ER") {
		return nil, fmt.Errorf("tags %s", tags)
	}
	return got, nil
}

// readBibTeX reads one entry, counting braces as BibTeX does, whatever stands before them.
func readBibTeX(file string) (map[string]string, error) {
	back := strings.NewReplacer(`\textbackslash{}`, `\`, `\textbraceleft{}`, `{`, `\textbraceright{}`, `}`, `\textasciitilde{}`, `~`, `\textasciicircum{}`, `^`,
		`\#`, `#`, `\$`, `$`, `\%`, `%`, `\&`, `&`, `\_`, `_`)
	names := map[string]string{"title": "title", "url": "url", "abstract": "snippet", "note": "reason", "keywords": "topic"}
	rest, ok := strings.CutPrefix(file, "@online{nightjar7")
	got := map[string]string{}
	for strings.HasPrefix(rest, ",\n  ") {
		name, after, found := strings.Cut(rest[4:], " = {")
		depth, end := 1, 0
		for ; found && end < len(after) && depth > 0; end++ {
			switch after[end] {
			case '{':
				depth++
			case '}':
				depth--
			}
		}
		if depth != 0 {
			return nil, fmt.Errorf("%s has no end", name)
		}
		value := after[:end-1]
		if name == "url" {
			got["url"] = value
		} else if got[names[name]] = back.Replace(value); names[name] == "" {
			delete(got, "")
		}
		rest = after[end:]
	}
	if !ok || rest != "\n}\n\n" {
		return nil, fmt.Errorf("what is left: %.80q", rest)
	}
	return got, nil
}

func TestReferences(t *testing.T) {
	for _, text := range append(hostile.Texts(t), evil...) {
		checkReferences(t, text)
	}
	for _, text := range []string{"ER  - \r\nTY  - ELEC", "}\n@comment{", `\}`, `{`, `](<http://evil.test>)`, "- x\n# y", "[[note]] #tag %%c%% $x$ ==y==", "\\"} {
		checkReferences(t, text)
	}
}

func FuzzReferences(f *testing.F) {
	for _, text := range evil {
		f.Add(text)
	}
	f.Fuzz(checkReferences)
}

// TestOPML: what a feed reader gets are the addresses as they are.
func TestOPML(t *testing.T) {
	for _, text := range hostile.Texts(t) {
		var out bytes.Buffer
		if err := OPML(&out, time.Unix(0, 0), []Feed{{"a.test " + text, "http://a.test/?" + text}, {"b.test", "http://b.test/feed"}}); err != nil {
			t.Fatal(err)
		}
		var got struct {
			Version string `xml:"version,attr"`
			Feeds   []struct {
				URL  string `xml:"xmlUrl,attr"`
				Text string `xml:"text,attr"`
			} `xml:"body>outline"`
		}
		if err := xml.Unmarshal(out.Bytes(), &got); err != nil || got.Version != "2.0" || len(got.Feeds) != 2 || got.Feeds[1].URL != "http://b.test/feed" ||
			!strings.HasPrefix(got.Feeds[0].URL, "http://a.test/?") || got.Feeds[0].Text != api.Plain("a.test "+text) {
			t.Errorf("%.80q: %v\n%s", text, err, &out)
		}
	}
}
