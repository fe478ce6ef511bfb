package webtest

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"html/template"
	"io"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Picture is a part of a template that draws something.
type Picture struct {
	Part string
	Data any
}

// GoldenPictures draws small pictures and compares them with those in testdata, which a person has looked at.
func GoldenPictures(t *testing.T, parts *template.Template, pictures map[string]Picture) {
	for name, p := range pictures {
		var out bytes.Buffer
		if err := parts.ExecuteTemplate(&out, p.Part, p.Data); err != nil {
			t.Fatal(err)
		}
		wellFormed(t, name, out.Bytes())
		file := filepath.Join("testdata", name+".svg.html")
		if *update {
			if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out.Bytes(), want) {
			t.Errorf("%s is drawn in another way; look at it, then run with -update", name)
		}
	}
}

// wellFormed checks that a picture could stand in an SVG file of its own.
func wellFormed(t *testing.T, name string, picture []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(picture))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
	}
}
