package export

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"nightjar/daemon/morning/api"
	"nightjar/daemon/store"
)

// each calls write for finds whose address is of the web. Texts of pages are one line each after api.Plain.
func each(out *text, finds Finds, write func(api.Find, api.FromTheWeb)) error {
	for f, err := range finds {
		if err != nil {
			return err
		}
		page := f.FromTheWeb
		if !strings.HasPrefix(page.URL, "http://") && !strings.HasPrefix(page.URL, "https://") {
			continue
		}
		page.URL = inURL(page.URL)
		page.Title, page.Snippet, page.Reason = cmp.Or(api.Plain(page.Title), page.URL), api.Plain(page.Snippet), api.Plain(page.Reason)
		write(f, page)
		if out.err != nil {
			return out.err
		}
	}
	return out.err
}

// Markdown writes a list of links with a heading for each run of finds of one topic (CommonMark). Every sign in a text of a page is
// escaped, so that no text becomes a link, a tag of Obsidian, mathematics or HTML.
func Markdown(w io.Writer, at time.Time, finds Finds) error {
	out := &text{w: w}
	out.put("# Nightjar finds, %s\n", at.Format(time.DateOnly))
	topic := int64(0)
	return each(out, finds, func(f api.Find, page api.FromTheWeb) {
		if f.TopicID != topic {
			topic = f.TopicID
			out.put("\n## %s\n\n", inMarkdown(f.Topic))
		}
		out.put("- [%s](<%s>)", inMarkdown(page.Title), page.URL)
		if f.Mark == store.MarkUseful {
			out.put(" #useful")
		}
		out.put("\n")
		for _, line := range []string{page.Reason, page.Snippet} {
			if line != "" {
				out.put("  - %s\n", inMarkdown(line))
			}
		}
	})
}

// inMarkdown escapes each sign of ASCII, which CommonMark 0.31 allows (2.4).
func inMarkdown(t string) string {
	var b strings.Builder
	for _, r := range api.Plain(t) {
		if isSign(r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func isSign(r rune) bool {
	return '!' <= r && r <= '/' || ':' <= r && r <= '@' || '[' <= r && r <= '`' || '{' <= r && r <= '~'
}

// inURL encodes the bytes of an address that no address needs, and that end or mean something in a file.
func inURL(address string) string {
	var b strings.Builder
	for i := range len(address) {
		if c := address[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("<>\\{}\"`^|", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// RIS writes the format of Research Information Systems, which Zotero and other managers of references read: a tag a line.
func RIS(w io.Writer, finds Finds) error {
	out := &text{w: w}
	return each(out, finds, func(f api.Find, page api.FromTheWeb) {
		out.put("TY  - ELEC\r\n")
		for _, line := range [][2]string{{"TI", page.Title}, {"UR", page.URL}, {"T2", api.Plain(page.Site)}, {"AB", page.Snippet},
			{"N1", page.Reason}, {"KW", api.Plain(f.Topic)}, {"Y2", f.FoundAt.UTC().Format("2006/01/02")}} {
			if line[1] != "" {
				out.put("%s  - %s\r\n", line[0], line[1])
			}
		}
		out.put("ER  - \r\n\r\n")
	})
}

// BibTeX writes an entry for each find, for Zotero and biblatex.
func BibTeX(w io.Writer, finds Finds) error {
	out := &text{w: w}
	return each(out, finds, func(f api.Find, page api.FromTheWeb) {
		out.put("@online{nightjar%d", f.ID)
		for _, field := range [][2]string{{"title", inTeX.Replace(page.Title)}, {"url", page.URL}, {"urldate", f.FoundAt.UTC().Format(time.DateOnly)},
			{"organization", inTeX.Replace(api.Plain(page.Site))}, {"abstract", inTeX.Replace(page.Snippet)}, {"note", inTeX.Replace(page.Reason)},
			{"keywords", inTeX.Replace(api.Plain(f.Topic))}} {
			if field[1] != "" {
				out.put(",\n  %s = {%s}", field[0], field[1])
			}
		}
		out.put("\n}\n\n")
	})
}

// inTeX writes what TeX would obey as commands for the sign. Braces have names, since BibTeX counts them even after a backslash.
var inTeX = strings.NewReplacer(`\`, `\textbackslash{}`, `{`, `\textbraceleft{}`, `}`, `\textbraceright{}`, `~`, `\textasciitilde{}`, `^`, `\textasciicircum{}`,
	`#`, `\#`, `$`, `\$`, `%`, `\%`, `&`, `\&`, `_`, `\_`)

// Feed is the address of a feed on a host.
type Feed struct{ Host, URL string }

// OPML writes feeds as a list that feed readers import (OPML 2.0).
func OPML(w io.Writer, at time.Time, feeds []Feed) error {
	type outline struct {
		Text string `xml:"text,attr"`
		Type string `xml:"type,attr"`
		URL  string `xml:"xmlUrl,attr"`
	}
	type list struct {
		XMLName xml.Name  `xml:"opml"`
		Version string    `xml:"version,attr"`
		Title   string    `xml:"head>title"`
		Made    string    `xml:"head>dateCreated"`
		Feeds   []outline `xml:"body>outline"`
	}
	all := list{Version: "2.0", Title: "Feeds of the sites of Nightjar’s finds", Made: at.UTC().Format(time.RFC1123Z)}
	for _, f := range feeds {
		all.Feeds = append(all.Feeds, outline{api.Plain(f.Host), "rss", f.URL})
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err == nil {
		_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	}
	return err
}
