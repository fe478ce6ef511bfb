package pdffile

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"nightjar/daemon/panorama/document/pdftext/pdftest"
)

// TestHash: the hash of revision 6 is that of the tests of pdf.js (test/unit/crypto_spec.js, PDF20Algorithm).
func TestHash(t *testing.T) {
	got := hardHash("user", text([]byte{83, 245, 146, 101, 198, 247, 34, 198}))
	want := []byte{94, 230, 205, 75, 166, 99, 250, 76, 219, 128, 17, 85, 57, 17, 33, 164, 150, 46, 103, 176, 160, 156, 187, 233, 166, 223, 163,
		253, 147, 235, 95, 184}
	if !bytes.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestValue(t *testing.T) {
	for in, want := range map[string]any{
		"null": nil, "true": raw("true"), "-1.5": raw("-1.5"), "12 0 R": ref{12}, "12 0 obj": raw("12"), "/A#20b": name("A#20b"),
		`(a\(b\)\n\101(c)\
d)`: text("a(b)\nA(c)d"), "<48 4>": text("H@"), "[1 2 0 R(x)/N]": array{raw("1"), ref{2}, text("x"), name("N")},
		"<</A 1/B<</C[]>>>>": dict{"A": raw("1"), "B": dict{"C": array{}}}, "<</A 1 endobj": dict{"A": raw("1")}, "<</A/B 7 /C 1>>": dict{"A": name("B"), "C": raw("1")},
		"% note\n 5": raw("5"), "1.2.3": raw("0"),
	} {
		p := parser{b: []byte(in)}
		if got, ok := p.value(); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %#v, %v; want %#v", in, got, ok, want)
		}
	}
	for _, in := range []string{"", ">>", "]", "(open", "<12", "endobj", strings.Repeat("[", 1000)} {
		p := parser{b: []byte(in)}
		if v, ok := p.value(); ok && !strings.HasPrefix(in, "[") {
			t.Errorf("%q: %#v", in, v)
		}
	}
}

// TestStrings: strings are decrypted, those in arrays and dictionaries too.
func TestStrings(t *testing.T) {
	c := &decrypter{key: []byte("12345"), strings: rc4Object, own: 9}
	secret := text(c.bytes(rc4Object, []byte("open"), &object{number: 3}))
	o := object{number: 3, value: dict{"A": array{secret, dict{"B": secret}}}}
	if c.decrypt(&o); !reflect.DeepEqual(o.value, dict{"A": array{text("open"), dict{"B": text("open")}}}) {
		t.Errorf("%#v", o.value)
	}
	own := object{number: 9, value: dict{"U": secret}}
	if c.decrypt(&own); own.value.(dict)["U"] != secret {
		t.Error("what describes the encryption was decrypted")
	}
}

// TestObjectStream: objects in a compressed object stream are found without a table, and the last object of a number counts.
func TestObjectStream(t *testing.T) {
	inside := "1 0 2 33 <</Type/Catalog/Pages 2 0 R    >> <</Type/Pages/Kids[3 0 R]/Count 1>>"
	body := "%PDF-1.5\n3 0 obj<</Type/Page/Old true>>endobj 7 0 obj<</Type/ObjStm/N 2/First 9/Length 5>>stream\n" + inside +
		"\nendstream endobj 3 0 obj<</Type/Page/New true>>endobj"
	f, err := Read([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(f.Bytes()); !strings.Contains(got, "/New true") || strings.Contains(got, "/Old") || !strings.Contains(got, "/Root 3 0 R") {
		t.Errorf("%s", got)
	}
}

// TestCutStream: of a compressed stream whose end is missing, the beginning is kept.
func TestCutStream(t *testing.T) {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	for i := range 2000 {
		fmt.Fprintf(w, "(line %d) Tj\n", i)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	body := fmt.Appendf(nil, "1 0 obj<</Type/Page/Contents 2 0 R>>endobj 2 0 obj<</Filter/FlateDecode/Length %d>>stream\n%s", b.Len(), b.Bytes()[:b.Len()/2])
	f, err := Read(body)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(f.Bytes()); !strings.Contains(got, "(line 500) Tj") || strings.Contains(got, "FlateDecode") {
		t.Errorf("%.300s", got)
	}
}

// FuzzRead: whatever the bytes are, there is a file or an error of this package, and what is written can be read again.
func FuzzRead(f *testing.F) {
	pages := [][]pdftest.Line{{{X: 9, Y: 9, Size: 9, Text: "Bats"}}}
	f.Add(pdftest.Write(pages, ""))
	for r := 3; r <= 6; r++ {
		f.Add(Encrypt(pdftest.Write(pages, ""), Encryption{Revision: r, Bits: 128, AES: r == 4}))
	}
	f.Add(Filter(pdftest.Write(pages, ""), "null << /Predictor 15 /Columns 3 >>", "A85", "LZW", "Predictor"))
	f.Add(Filter(pdftest.Write(pages, ""), "", "AHx", "RL"))
	f.Add([]byte("1 0 obj<</Type/Page/Parent 1 0 R/Kids[1 0 R 2 0 R]>>stream\n(\\8<4endobj trailer<</Root 1 0 R"))
	f.Fuzz(func(t *testing.T, body []byte) {
		file, err := Read(body)
		if err != nil {
			if !errors.Is(err, ErrBroken) && !errors.Is(err, ErrPassword) {
				t.Fatal(err)
			}
			return
		}
		once := file.Bytes()
		again, err := Read(once)
		if err != nil || len(again.objects) < len(file.objects) {
			t.Fatalf("%v, %d objects of %d\n%s", err, len(again.objects), len(file.objects), once)
		}
	})
}
