package pdffile

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

func unpacked(filter string, parms dict, data []byte, most int64) ([]byte, bool) {
	f := &File{unpack: most}
	return f.plain(dict{"Filter": array{name(filter)}, "DecodeParms": array{parms}}, object{data: data})
}

// TestFilters: what was packed is unpacked, of any length, also where the codes of LZW change their width and their table.
func TestFilters(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 3, 4, 5, 127, 128, 129, 253, 254, 255, 256, 765, 766, 767, 1789, 3836, 3837, 3838, 3839, 4096, 20000} {
		for _, alphabet := range []int{1, 2, 256} {
			data := make([]byte, n)
			for i := range data {
				data[i] = byte(r.IntN(alphabet))
			}
			for _, filter := range []string{"LZW", "A85", "RL", "AHx", "Fl"} {
				packed := Encode(filter, data)
				if got, ok := unpacked(filter, nil, packed, maxUnpack); !ok || !bytes.Equal(got, data) {
					t.Errorf("%s, %d bytes of %d: %v, %d bytes", filter, n, alphabet, ok, len(got))
				}
				if got, ok := unpacked(filter, nil, packed, 100); ok && filter != "AHx" && len(got) > 100 {
					t.Errorf("%s, %d bytes of %d: %d bytes where 100 are left", filter, n, alphabet, len(got))
				}
			}
		}
	}
}

// TestFilterForms: forms that other programs write, the example of ISO 32000-2, 7.4.4.2, and streams that end early.
func TestFilterForms(t *testing.T) {
	for _, tt := range []struct {
		filter string
		parms  dict
		packed string
		want   string
	}{
		{"LZWDecode", nil, "\x80\x0b\x60\x50\x22\x0c\x0c\x85\x01", "-----A---B"},
		{"LZWDecode", nil, "\x80\x0b\x60\x50\x22", "-----"},
		{"LZWDecode", nil, "\x80\xff\xff", ""}, // a code that is not in the table
		{"ASCIIHexDecode", nil, "48 65\r\n6C6c 6F7>zz", "Hellop"},
		{"ASCIIHexDecode", nil, "4x8", "H"},
		{"ASCII85Decode", nil, "<~87cUR\nD]~>", "Hello"},
		{"ASCII85Decode", nil, "87cURD]", "Hello"},
		{"ASCII85Decode", nil, "z87cUR~>", "\x00\x00\x00\x00Hell"},
		{"RunLengthDecode", nil, "\x01ab\xfec\x80d", "abccc"},
		{"RunLengthDecode", nil, "\x09ab", "ab"},
		{"Crypt", nil, "as it is", "as it is"},
		{"FlateDecode", dict{"Predictor": raw("2"), "Columns": raw("3")}, string(Encode("Fl", []byte("\x01\x01\x01\x05\x01\x01"))), "\x01\x02\x03\x05\x06\x07"},
		{"FlateDecode", dict{"Predictor": raw("15"), "Columns": raw("3")}, string(Encode("Fl", []byte("\x01\x01\x01\x01\x02\x01\x01"))), "\x01\x02\x03\x02\x03"},
	} {
		if got, ok := unpacked(tt.filter, tt.parms, []byte(tt.packed), maxUnpack); !ok || string(got) != tt.want {
			t.Errorf("%s %q: %q, %v; want %q", tt.filter, tt.packed, got, ok, tt.want)
		}
	}
	for _, parms := range []dict{{"Predictor": raw("12"), "Columns": raw("99999999")}, {"Predictor": raw("12"), "Colors": raw("-1")},
		{"Predictor": raw("2"), "BitsPerComponent": raw("1")}} {
		if _, ok := unpacked("FlateDecode", parms, Encode("Fl", []byte("abc")), maxUnpack); ok {
			t.Errorf("%v is read", parms)
		}
	}
	f := &File{unpack: maxUnpack}
	if _, ok := f.plain(dict{"Filter": array(make([]any, maxFilters+1))}, object{}); ok {
		t.Error("too many filters are read")
	}
	if f.foreign(dict{"Filter": name("DCTDecode"), "Subtype": name("Image")}) || !f.foreign(dict{"Filter": array{name("A85"), name("Fl")}}) {
		t.Error("a picture is unpacked, or text is not")
	}
}
