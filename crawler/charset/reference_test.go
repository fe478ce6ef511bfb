package charset

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	xunicode "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// reference is the folder of other projects' test suites, which are too large for the repository; tests that need it skip
// without it.
func reference(t *testing.T, parts ...string) string {
	t.Helper()
	root := os.Getenv("NIGHTJAR_REFERENCE")
	if root == "" {
		t.Skip("left out: NIGHTJAR_REFERENCE does not name the folder of reference suites")
	}
	return filepath.Join(append([]string{root}, parts...)...)
}

// TestReferenceCharset decodes chardet's test files without a header, and compares the text with that of the encoding in
// the folder's name, which may have another name in the Encoding standard (windows-1252 for iso-8859-1). The three
// encodings that no browser knows are left out. TestDetectLatin and TestUTF8 have vectors of our own.
func TestReferenceCharset(t *testing.T) {
	root := reference(t, "charset", "chardet")
	good, all := 0, 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Dir(path) == root {
			return err
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		got := UTF8("", body)
		for cut := 0; cut < len(body); cut += max(97, len(body)/20) {
			if !utf8.Valid(UTF8("", body[:cut])) {
				t.Errorf("%s cut at %d: not UTF-8", path, cut)
			}
		}
		switch filepath.Base(filepath.Dir(path)) {
		case "EUC-TW", "Johab", "iso-2022-kr":
			return nil
		}
		all++
		if isCharset(t, filepath.Base(filepath.Dir(path)), body, got) {
			good++
		} else {
			t.Logf("%s: not as its folder says: %.60q", strings.TrimPrefix(path, root), got)
		}
		return nil
	})
	t.Logf("%d of %d as their folder says", good, all)
	if err != nil || all == 0 || good*100 < all*99 {
		t.Errorf("%d of %d, %v", good, all, err)
	}
}

// isCharset reports whether got is body decoded by the encoding in the name of a folder of chardet.
func isCharset(t *testing.T, folder string, body, got []byte) bool {
	t.Helper()
	for _, language := range strings.Fields("croatian czech hungarian polish slovak slovene bulgarian russian arabic greek turkish romanian hebrew") {
		folder = strings.TrimSuffix(folder, "-"+language)
	}
	var enc encoding.Encoding
	switch folder {
	case "IBM855":
		enc = charmap.CodePage855
	case "UTF-32LE":
		enc = utf32.UTF32(utf32.LittleEndian, utf32.UseBOM)
	case "UTF-32", "UTF-32BE":
		enc = utf32.UTF32(utf32.BigEndian, utf32.UseBOM)
	case "UTF-16": // with a mark
		enc = xunicode.UTF16(xunicode.BigEndian, xunicode.UseBOM)
	default:
		alias := map[string]string{"CP949": "euc-kr", "CP932": "shift_jis", "TIS-620": "windows-874", "MacCyrillic": "x-mac-cyrillic", "utf-8-sig": "utf-8", "MacRoman": "macintosh"}
		if a, ok := alias[folder]; ok {
			folder = a
		}
		enc, _ = charset.Lookup(folder)
	}
	if enc == nil {
		t.Fatalf("no encoding for the folder %s", folder)
	}
	want, err := enc.NewDecoder().Bytes(body)
	return err == nil && bytes.Equal(bytes.TrimPrefix(stripControls(want), []byte("\ufeff")), got)
}

// TestReferencePrescan compares with the encodings that html5lib's tests expect of documents without a header. TestPrescan
// has vectors of our own.
func TestReferencePrescan(t *testing.T) {
	good, all := 0, 0
	for _, name := range []string{"tests1.dat", "tests2.dat", "test-yahoo-jp.dat"} {
		body, err := os.ReadFile(reference(t, "charset", "html5lib-encoding", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range bytes.Split(body, []byte("#data\n"))[1:] {
			data, label, ok := bytes.Cut(c, []byte("\n#encoding\n"))
			enc, _ := charset.Lookup(strings.TrimSpace(string(label)))
			if !ok || enc == nil {
				t.Fatalf("%s: case %q", name, c)
			}
			want, err := enc.NewDecoder().Bytes(data)
			if err != nil {
				t.Fatal(err)
			}
			all++
			want = bytes.TrimPrefix(bytes.ToValidUTF8(want, []byte("\uFFFD")), []byte("\ufeff"))
			if got := UTF8("", data); bytes.Equal(got, stripControls(want)) {
				good++
			} else {
				t.Logf("%s: %.300q: %.100q; want %s", name, data, got, label)
			}
		}
	}
	t.Logf("%d of %d", good, all)
	if all == 0 || good*100 < all*95 {
		t.Errorf("%d of %d", good, all)
	}
}
