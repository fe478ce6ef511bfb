package pdffile

// maxRow is the length in bytes of the longest row of a predictor.
const maxRow = 1 << 20

// unpredict undoes the predictor of a filter (ISO 32000-2, 7.4.4.4), which keeps the differences to the neighbours of each byte.
func (f *File) unpredict(parms dict, data []byte) (plain []byte, ok bool) {
	entry := func(key name, otherwise int) int {
		if parms[key] == nil {
			return otherwise
		}
		return f.integer(parms[key])
	}
	predictor, colors, depth, columns := entry("Predictor", 1), entry("Colors", 1), entry("BitsPerComponent", 8), entry("Columns", 1)
	if predictor < 2 {
		return data, true
	}
	if colors < 1 || colors > 64 || depth < 1 || depth > 16 || columns < 1 || columns > maxRow {
		return nil, false
	}
	pixel, row := max(1, colors*depth/8), (colors*depth*columns+7)/8
	if row > maxRow {
		return nil, false
	}
	if predictor == 2 {
		return unTIFF(data, pixel, row, depth)
	}
	return unPNG(data, pixel, row), true
}

// unTIFF adds the pixel to the left; for text only whole bytes matter.
func unTIFF(data []byte, pixel, row, depth int) (plain []byte, ok bool) {
	if depth != 8 {
		return nil, false
	}
	plain = append(plain, data...)
	for i := range plain {
		if i%row >= pixel {
			plain[i] += plain[i-pixel]
		}
	}
	return plain, true
}

// unPNG undoes the predictor that each row names in its first byte (PNG specification, section 9).
func unPNG(data []byte, pixel, row int) (plain []byte) {
	above := make([]byte, row)
	for len(data) > 1 {
		kind, n := data[0], min(row, len(data)-1)
		from := len(plain)
		plain = append(plain, data[1:1+n]...)
		data = data[1+n:]
		now := plain[from:]
		for i := range now {
			var left, corner byte
			if i >= pixel {
				left, corner = now[i-pixel], above[i-pixel]
			}
			switch kind {
			case 1:
				now[i] += left
			case 2:
				now[i] += above[i]
			case 3:
				now[i] += byte((int(left) + int(above[i])) / 2)
			case 4:
				now[i] += nearest(left, above[i], corner)
			}
		}
		above = now[:len(now):len(now)]
		if n < row {
			break
		}
	}
	return plain
}

// nearest is the neighbour that is nearest to left + above - corner.
func nearest(left, above, corner byte) byte {
	toLeft, toAbove := distance(above, corner), distance(left, corner)
	toCorner := int(left) + int(above) - 2*int(corner)
	toCorner = max(toCorner, -toCorner)
	switch {
	case toLeft <= toAbove && toLeft <= toCorner:
		return left
	case toAbove <= toCorner:
		return above
	}
	return corner
}

func distance(a, b byte) int { return max(int(a)-int(b), int(b)-int(a)) }
