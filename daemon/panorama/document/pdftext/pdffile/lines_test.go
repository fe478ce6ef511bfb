package pdffile_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/panorama/document/pdftext"
	"nightjar/daemon/panorama/document/pdftext/pdffile"
	"nightjar/daemon/panorama/document/pdftext/pdftest"
)

var smallPages = [][]pdftest.Line{
	{{X: 90, Y: 700, Size: 20, Text: "Bats at Dusk"}, {X: 90, Y: 660, Size: 10, Text: "They hunt (and sleep) in old trees."}},
	{{X: 90, Y: 700, Size: 10, Text: "On the second page there is more."}},
}

func small() []byte { return pdftest.Write(smallPages, "") }

// holds fails the test unless a file is read as small is.
func holds(t *testing.T, body []byte) {
	t.Helper()
	want, err := pdftext.Lines(t.Context(), small())
	if err != nil || len(want.Lines) != 3 {
		t.Fatalf("%+v, %v", want, err)
	}
	if r, err := pdftext.Lines(t.Context(), body); err != nil || !reflect.DeepEqual(r, want) {
		t.Errorf("%+v, %v; want %+v", r, err, want)
	}
}

// TestEncrypted: a file that opens without a password is read, however it is encrypted; another one says that it is encrypted.
func TestEncrypted(t *testing.T) {
	for _, e := range []pdffile.Encryption{{Revision: 2, Bits: 40}, {Revision: 3, Bits: 40}, {Revision: 3, Bits: 64}, {Revision: 3, Bits: 128},
		{Revision: 4, Bits: 128}, {Revision: 4, Bits: 128, AES: true}, {Revision: 4, Bits: 128, AES: true, Plain: true}, {Revision: 5}, {Revision: 6}} {
		t.Run(fmt.Sprintf("%+v", e), func(t *testing.T) {
			holds(t, pdffile.Encrypt(small(), e))
			e.Password = "needed"
			if _, err := pdftext.Lines(t.Context(), pdffile.Encrypt(small(), e)); !errors.Is(err, pdftext.ErrEncrypted) {
				t.Errorf("with a password: %v", err)
			}
		})
	}
}

// TestPacked: streams are read in whatever way they are packed.
func TestPacked(t *testing.T) {
	for _, filters := range [][]string{nil, {"FlateDecode"}, {"LZWDecode"}, {"ASCIIHexDecode"}, {"ASCII85Decode"}, {"RunLengthDecode"},
		{"ASCII85Decode", "LZWDecode"}, {"ASCIIHexDecode", "FlateDecode"}, {"A85", "RL", "LZW", "Fl", "AHx"}} {
		t.Run(strings.Join(filters, " "), func(t *testing.T) {
			for _, body := range [][]byte{small(), pdftest.WriteCID([][]pdftest.Line{{{X: 72, Y: 700, Size: 12, Text: "Tides of the old harbour and their keepers"}}})} {
				want, err := pdftext.Lines(t.Context(), body)
				if err != nil {
					t.Fatal(err)
				}
				got, err := pdftext.Lines(t.Context(), pdffile.Filter(body, "", filters...))
				if err != nil || !slices.EqualFunc(got.Lines, want.Lines, func(a, b pdftext.Line) bool { return a.Text == b.Text }) {
					t.Errorf("%v: %v; want %v", err, got.Lines, want.Lines)
				}
			}
		})
	}
	for _, predictor := range []int{10, 11, 12, 13, 14, 15} {
		for _, filter := range []string{"FlateDecode", "LZWDecode"} {
			body := pdffile.Filter(small(), fmt.Sprintf("<< /Predictor %d /Columns 3 >>", predictor), filter, "Predictor")
			holds(t, body)
		}
	}
}

// TestHugeRows: a row of a predictor that needs more memory than there is ends a program whatever it recovers.
func TestHugeRows(t *testing.T) {
	_, err := pdftext.Lines(t.Context(), pdffile.Filter(small(), "<< /Predictor 12 /Columns 99999999999 >>", "FlateDecode"))
	if !errors.Is(err, pdftext.ErrTooMuch) && !errors.Is(err, pdftext.ErrBroken) {
		t.Errorf("%v", err)
	}
}
