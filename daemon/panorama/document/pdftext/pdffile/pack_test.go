package pdffile

import (
	"bytes"
	"compress/zlib"
	"encoding/ascii85"
	"encoding/hex"
	"fmt"
	"strings"

	"nightjar/daemon/panorama/document/pdftext/pdftest"
)

// Filter encodes the streams of a PDF that pdftest wrote. filters are names as a file has them, the outermost first; parms is the
// DecodeParms of the streams, "" for none. "Predictor" names no filter: it writes rows of three bytes, each by another of the
// PNG predictors.
func Filter(body []byte, parms string, filters ...string) []byte {
	var all []string
	for _, m := range objects.FindAllSubmatch(body, -1) {
		_, data, stream := bytes.Cut(m[2], []byte("stream\n"))
		if !stream {
			all = append(all, string(m[2]))
			continue
		}
		data = bytes.TrimSuffix(data, []byte("\nendstream"))
		names := ""
		for i := len(filters) - 1; i >= 0; i-- {
			data = Encode(filters[i], data)
			if filters[i] != "Predictor" {
				names = "/" + filters[i] + " " + names
			}
		}
		if parms != "" {
			names += "] /DecodeParms [" + parms
		}
		all = append(all, fmt.Sprintf("<< /Filter [%s] /Length %d >>\nstream\n%s\nendstream", names, len(data), data))
	}
	return pdftest.Assemble(all, "")
}

// Encode encodes data for one filter.
func Encode(filter string, data []byte) []byte {
	var b bytes.Buffer
	switch filter {
	case "FlateDecode", "Fl":
		w := zlib.NewWriter(&b)
		_, _ = w.Write(data) // a buffer takes all
		_ = w.Close()
	case "ASCIIHexDecode", "AHx":
		for line := range bytes.Lines(data) {
			b.WriteString(strings.ToUpper(hex.EncodeToString(line)) + "\n ")
		}
		b.WriteByte('>')
	case "ASCII85Decode", "A85":
		w := ascii85.NewEncoder(&b)
		_, _ = w.Write(data)
		_ = w.Close()
		b.WriteString("~\n>")
	case "RunLengthDecode", "RL":
		for len(data) > 0 {
			n := min(len(data), 100)
			same := 1
			for same < min(len(data), 128) && data[same] == data[0] {
				same++
			}
			if same > 1 {
				n = same
				b.Write([]byte{byte(257 - n), data[0]})
			} else {
				b.WriteByte(byte(n - 1))
				b.Write(data[:n])
			}
			data = data[n:]
		}
		b.WriteByte(128)
	case "LZWDecode", "LZW":
		lzw(&b, data)
	case "Predictor":
		predict(&b, data)
	}
	return b.Bytes()
}

// lzw writes codes of 9 to 12 bits, and begins a new table when one is full (ISO 32000-2, 7.4.4).
func lzw(b *bytes.Buffer, data []byte) {
	var bits, have uint
	table := map[string]uint{}
	put := func(code, width uint) {
		for bits, have = bits<<width|code, have+width; have >= 8; have -= 8 {
			b.WriteByte(byte(bits >> (have - 8)))
		}
		bits &= 1<<have - 1
	}
	width := func(more int) uint {
		w := uint(9)
		for n := 258 + len(table) + more; n >= 1<<w && w < 12; {
			w++
		}
		return w
	}
	code := func(s string) uint {
		if len(s) == 1 {
			return uint(s[0])
		}
		return table[s]
	}
	put(256, 9)
	s := ""
	for _, c := range data {
		next := s + string([]byte{c})
		if _, known := table[next]; known || len(next) == 1 {
			s = next
			continue
		}
		put(code(s), width(0))
		table[next] = uint(258 + len(table))
		if s = next[len(next)-1:]; 258+len(table) == 4095 {
			put(256, 12)
			table = map[string]uint{}
		}
	}
	if s != "" {
		put(code(s), width(0))
	}
	put(257, width(1))
	put(0, 7)
}

// predict writes rows of three bytes, the last one filled up with line ends, by the PNG predictors in turn.
func predict(b *bytes.Buffer, data []byte) {
	const columns = 3
	above := make([]byte, columns)
	for n := 0; len(data) > 0; n++ {
		row := bytes.Repeat([]byte("\n"), columns)
		data = data[copy(row, data):]
		b.WriteByte(byte(n % 5))
		for i := range row {
			var left, corner byte
			if i > 0 {
				left, corner = row[i-1], above[i-1]
			}
			p := []byte{0, left, above[i], byte((int(left) + int(above[i])) / 2), paeth(left, above[i], corner)}[n%5]
			b.WriteByte(row[i] - p)
		}
		above = row
	}
}

// paeth is the neighbour that is nearest to left + above - corner (PNG specification, 9.4).
func paeth(left, above, corner byte) byte {
	p := int(left) + int(above) - int(corner)
	far := func(b byte) int { return max(p-int(b), int(b)-p) }
	switch {
	case far(left) <= far(above) && far(left) <= far(corner):
		return left
	case far(above) <= far(corner):
		return above
	}
	return corner
}
