package pdffile

// The codes of LZW (ISO 32000-2, 7.4.4): bytes, then two that end a table and the data, then those of the table.
const (
	lzwClear = 256
	lzwEnd   = 257
	lzwFirst = 258
	lzwCodes = 1 << 12
)

// unLZW reads codes of 9 to 12 bits, whose width grows early by so many codes. most is the length of the longest result. The bits
// differ from those of compress/lzw, which knows no early change.
func unLZW(data []byte, early, most int) (out []byte) {
	var start, length [lzwCodes]int // of what a code stands for, in out
	next, width, last := lzwFirst, 9, -1
	bits, have := 0, 0
	for _, b := range data {
		bits, have = bits<<8|int(b), have+8
		if have < width {
			continue
		}
		have -= width
		code := bits >> have
		bits &= 1<<have - 1
		if code == lzwEnd || len(out) >= most {
			break
		}
		if code == lzwClear {
			next, width, last = lzwFirst, 9, -1
			continue
		}
		at := len(out)
		switch {
		case code < lzwClear:
			out = append(out, byte(code))
		case code < next:
			out = append(out, out[start[code]:start[code]+length[code]]...)
		case code == next && last >= 0: // what the last code stands for, and its first byte
			out = append(out, out[last:at]...)
			out = append(out, out[last])
		default:
			return out
		}
		if last >= 0 && next < lzwCodes {
			start[next], length[next] = last, at-last+1 // the last text, and the first byte of this one, which follows it
			next++
		}
		last = at
		for width < 12 && next+early >= 1<<width {
			width++
		}
	}
	return out[:min(len(out), most)]
}
