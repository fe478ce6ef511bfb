package model

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"
	"math"
)

// packed is a list of numbers that is stored as a byte string: each number takes 4 or 8 bytes, little-endian. CBOR's own
// arrays take up to a byte more a number, and ten times as long to read.
type packed[F float32 | float64] []F

// MarshalBinary returns the bytes of the numbers.
func (p packed[F]) MarshalBinary() ([]byte, error) {
	return binary.Append(make([]byte, 0, binary.Size([]F(p))), binary.LittleEndian, []F(p))
}

// UnmarshalBinary reads the numbers.
func (p *packed[F]) UnmarshalBinary(data []byte) error {
	size := binary.Size(F(0))
	if len(data)%size != 0 {
		return errors.New("a number is cut short")
	}
	*p = make([]F, len(data)/size)
	_, err := binary.Decode(data, binary.LittleEndian, []F(*p))
	return err
}

// packedWords are Words that are stored as a byte string. They are a type of their own since what crawls have learned is
// stored with Words in it, in another form.
type packedWords Words

// MarshalBinary returns for each word its distance from the word before and its count, as unsigned varints.
func (w packedWords) MarshalBinary() ([]byte, error) {
	data := make([]byte, 0, 2*len(w.Index))
	last := int32(0)
	for i, f := range w.Index {
		data = binary.AppendUvarint(data, uint64(f-last))
		data = binary.AppendUvarint(data, uint64(w.Count[i]))
		last = f
	}
	return data, nil
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (w *packedWords) UnmarshalBinary(data []byte) error {
	*w = packedWords{}
	last := uint64(0)
	for len(data) > 0 {
		gap, n := binary.Uvarint(data)
		count, m := binary.Uvarint(data[max(n, 0):])
		if last += gap; n <= 0 || m <= 0 || gap > math.MaxInt32 || last > math.MaxInt32 || count > math.MaxInt32 {
			return errors.New("the number or the count of a word is cut short or too large")
		}
		w.Index, w.Count = append(w.Index, int32(last)), append(w.Count, int32(count))
		data = data[n+m:]
	}
	return nil
}

// Lessons are most of a bundle's bytes, and addresses and the words around links repeat: deflating makes them a third as
// long.
const (
	leastDeflated = 4 << 10  // bytes of a section that is worth it
	mostDeflated  = 32 << 20 // bytes of a section at most, so that a small file cannot unpack into all memory
	deflateLevel  = 5        // the slower ones gain less than 2 %
)

// deflate packs a section where that pays.
func deflate(content []byte) (stored []byte, deflated bool) {
	if len(content) < leastDeflated || len(content) > mostDeflated {
		return content, false
	}
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, deflateLevel)
	if err == nil {
		_, err = w.Write(content)
		err = errors.Join(err, w.Close())
	}
	if err != nil {
		panic("model: " + err.Error()) // no such level, or memory that cannot be written to
	}
	return b.Bytes(), true
}

// inflate unpacks at most mostDeflated bytes.
func inflate(stored []byte) ([]byte, error) {
	from := bytes.NewReader(stored)
	content, err := io.ReadAll(io.LimitReader(flate.NewReader(from), mostDeflated+1))
	switch {
	case err != nil:
		return nil, err
	case len(content) > mostDeflated:
		return nil, errors.New("its deflated content is too long")
	case from.Len() != 0:
		return nil, errors.New("something follows its deflated content")
	}
	return content, nil
}
