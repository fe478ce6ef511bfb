package pdffile

import (
	"bytes"
	"compress/zlib"
	"encoding/ascii85"
	"encoding/hex"
	"io"
	"slices"
	"strings"
)

// A stream names the filters that packed it, the outermost first, each with parameters (ISO 32000-2, 7.4). What could be unpacked of
// a damaged stream counts.

// shortNames are the short names of filters, which some programs write everywhere.
var shortNames = map[name]name{
	"Fl": "FlateDecode", "LZW": "LZWDecode", "AHx": "ASCIIHexDecode", "A85": "ASCII85Decode", "RL": "RunLengthDecode",
}

// maxFilters is the number of filters of one stream.
const maxFilters = 8

type packing struct {
	name  name
	parms dict
}

// filters returns the filters of a stream; ok is false when there are too many.
func (f *File) filters(head dict) (all []packing, ok bool) {
	names, parms := f.list(head["Filter"]), f.list(head["DecodeParms"])
	if len(names) > maxFilters {
		return nil, false
	}
	for i, v := range names {
		one := packing{}
		one.name, _ = f.follow(v).(name)
		if long, is := shortNames[one.name]; is {
			one.name = long
		}
		if i < len(parms) {
			one.parms, _ = f.follow(parms[i]).(dict)
		}
		all = append(all, one)
	}
	return all, true
}

// list returns the values of an array, or a single value as one.
func (f *File) list(v any) array {
	switch v := f.follow(v).(type) {
	case nil:
		return nil
	case array:
		return v
	default:
		return array{v}
	}
}

// plain returns the bytes of a stream without its filters, as far as they can be read; ok is false for filters of pictures.
func (f *File) plain(head dict, o object) (data []byte, ok bool) {
	all, ok := f.filters(head)
	if !ok {
		return nil, false
	}
	data = o.data
	for _, one := range all {
		if data, ok = f.apply(one, data); !ok {
			return nil, false
		}
		f.unpack -= int64(len(data))
	}
	return data, true
}

// apply undoes one filter.
func (f *File) apply(one packing, data []byte) (plain []byte, ok bool) {
	most := max(0, f.unpack)
	switch one.name {
	case "Crypt": // see plainStream
		return data, true
	case "FlateDecode":
		r, err := zlib.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, false
		}
		plain, _ = io.ReadAll(io.LimitReader(r, most))
		return f.unpredict(one.parms, plain)
	case "LZWDecode":
		early := 1
		if v := one.parms["EarlyChange"]; v != nil {
			early = min(1, max(0, f.integer(v)))
		}
		return f.unpredict(one.parms, unLZW(data, early, int(most)))
	case "ASCIIHexDecode":
		return unHex(data), true
	case "ASCII85Decode":
		return un85(data, int(most)), true
	case "RunLengthDecode":
		return unRuns(data, int(most)), true
	}
	return nil, false
}

// foreign reports whether a stream has filters that the library does not read, and is no picture and no table of objects.
func (f *File) foreign(head dict) bool {
	all, ok := f.filters(head)
	if !ok || f.follow(head["Subtype"]) == name("Image") || head["Type"] == name("XRef") {
		return false
	}
	return slices.ContainsFunc(all, func(one packing) bool { return one.name != "FlateDecode" || f.integer(one.parms["Predictor"]) > 1 })
}

// unHex reads pairs of hexadecimal digits up to ">".
func unHex(data []byte) []byte {
	data, _, _ = bytes.Cut(data, []byte(">"))
	digits := bytes.Map(func(r rune) rune {
		if strings.ContainsRune("0123456789abcdefABCDEF", r) {
			return r
		}
		return -1
	}, data)
	if len(digits)%2 == 1 {
		digits = append(digits, '0')
	}
	out := make([]byte, len(digits)/2)
	_, _ = hex.Decode(out, digits) // they are digits
	return out
}

// un85 reads groups of five characters up to "~>"; most is the longest result.
func un85(data []byte, most int) []byte {
	data = bytes.TrimPrefix(bytes.TrimSpace(data), []byte("<~"))
	if end := bytes.IndexByte(data, '~'); end >= 0 {
		data = data[:end]
	}
	out := make([]byte, len(data)+4*bytes.Count(data, []byte("z"))+4) // z stands for four
	n, _, _ := ascii85.Decode(out, data, true)
	return out[:min(n, most)]
}

// unRuns decodes run lengths: a length before that number of bytes, or before one byte to repeat; most is the maximum result.
func unRuns(data []byte, most int) (out []byte) {
	for len(data) > 1 && data[0] != 128 && len(out) < most {
		n := int(data[0])
		if data = data[1:]; n > 128 {
			out = append(out, bytes.Repeat(data[:1], 257-n)...)
			data = data[1:]
			continue
		}
		n = min(n+1, len(data))
		out = append(out, data[:n]...)
		data = data[n:]
	}
	return out[:min(len(out), most)]
}
