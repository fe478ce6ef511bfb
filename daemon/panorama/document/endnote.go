package document

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
)

var looksXML = regexp.MustCompile(`(?s)^\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<xml>\s*<records>`)

// endNoteFields are elements of EndNote's XML by the elements that they stand in.
var endNoteFields = map[string]field{
	"titles/title": titleField, "authors/author": authorField, "dates/year": yearField, "record/electronic-resource-num": doiField,
	"related-urls/url": urlField, "web-urls/url": urlField,
}

// readEndNoteXML reads the XML that EndNote exports. Words may stand in elements of style.
func readEndNoteXML(d *Document, s string) error {
	in := xml.NewDecoder(strings.NewReader(s))
	in.Strict = false
	in.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // s is UTF-8
	t := tagged{d: d}
	var path []string
	var text strings.Builder
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) || d.full() {
			return nil
		}
		if err != nil || len(path) > maxDeep {
			line, _ := in.InputPos()
			d.warn(line, "this XML is broken here, and what follows was not read", "export it again")
			return nil
		}
		switch one := token.(type) {
		case xml.StartElement:
			if path = append(path, one.Name.Local); one.Name.Local == "record" {
				line, _ := in.InputPos()
				t.r, t.open, t.begun = Reference{}, true, line
			}
			if one.Name.Local != "style" {
				text.Reset()
			}
		case xml.CharData:
			if text.Len() < maxValue {
				text.Write(one)
			}
		case xml.EndElement:
			if n := len(path); n >= 2 && t.open {
				t.put(endNoteFields[path[n-2]+"/"+path[n-1]], strings.TrimSpace(text.String()))
			}
			if one.Name.Local == "record" {
				t.close(true)
			}
			path = path[:max(0, len(path)-1)]
		}
	}
}
