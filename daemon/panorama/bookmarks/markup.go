package bookmarks

import (
	"encoding/xml"
	"strings"

	"golang.org/x/net/html"
)

// readHTML reads the bookmarks that a browser exports (the Netscape Bookmark File Format), and the links of any other page. A
// heading before a list is a folder: <H3>Birds</H3><DL><DT><A HREF="…" TAGS="a,b">Owls</A></DL>.
func readHTML(l *List, text string) {
	in := html.NewTokenizer(strings.NewReader(text))
	netscape := strings.Contains(text[:min(len(text), 4<<10)], "NETSCAPE-Bookmark")
	var p location
	var heading, said strings.Builder
	var link html.Token // the open link
	words := &said      // where text goes
	finish := func() {
		if href := attribute(link, "href"); href != "" {
			l.add(href, said.String(), append(tags(attribute(link, "tags")), p.names...)...)
		}
		link = html.Token{}
		said.Reset()
	}
	for {
		switch in.Next() {
		case html.ErrorToken:
			finish()
			return
		case html.TextToken:
			if words.Len() < maxTitle {
				words.Write(in.Text())
			}
		case html.StartTagToken:
			switch t := in.Token(); t.Data {
			case "a":
				finish()
				link, words = t, &said
			case "h1", "h2", "h3", "h4", "h5", "h6":
				finish()
				heading.Reset()
				words = &heading
			case "dl", "ul", "ol":
				finish()
				p.enter(heading.String())
				heading.Reset()
			}
		case html.EndTagToken:
			switch t := in.Token(); t.Data {
			case "a":
				finish()
			case "h1":
				if netscape {
					heading.Reset() // it names the file
				}
				words = &said
			case "h2", "h3", "h4", "h5", "h6":
				words = &said
			case "dl", "ul", "ol":
				finish()
				p.leave()
			}
		}
	}
}

func attribute(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// readOPML reads outlines (http://opml.org/spec2.opml): those without an address are folders. Of a feed, the page counts.
func readOPML(l *List, text string) {
	in := xml.NewDecoder(strings.NewReader(text))
	in.Strict, in.Entity = false, xml.HTMLEntity
	var p location
	for {
		token, err := in.RawToken()
		if err != nil {
			return // what was read until here is kept
		}
		switch t := token.(type) {
		case xml.StartElement:
			if t.Name.Local != "outline" {
				continue
			}
			has := map[string]string{}
			for _, a := range t.Attr {
				has[strings.ToLower(a.Name.Local)] = a.Value
			}
			title := first(has, "title", "text")
			address := first(has, "htmlurl", "url", "xmlurl")
			if address != "" {
				l.add(address, title, append(tags(has["category"]), p.names...)...)
				title = ""
			}
			p.enter(title)
		case xml.EndElement:
			if t.Name.Local == "outline" {
				p.leave()
			}
		}
	}
}

// first returns the first value that is there, of some names.
func first(has map[string]string, names ...string) string {
	for _, name := range names {
		if has[name] != "" {
			return has[name]
		}
	}
	return ""
}
