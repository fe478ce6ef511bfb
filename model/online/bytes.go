package online

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"

	"nightjar/model"
)

// Out packs numbers and texts, for In to read in the same order. NewOut makes one.
type Out struct{ B []byte }

// A packed state begins with packedForm, then the checksum of all that follows.
const (
	packedForm = "NjS2"
	packedHead = len(packedForm) + sha256.Size
)

// NewOut has room for the head of a snapshot and `room` more bytes.
func NewOut(room int) *Out {
	return &Out{append(make([]byte, 0, packedHead+room), make([]byte, packedHead)...)}
}

// Seal is the snapshot of all that was packed. kind says whose state it is, such as the name of the strategy.
func (o *Out) Seal(kind string, m *model.Bundle) []byte {
	copy(o.B, packedForm)
	copy(o.B[len(packedForm):], checksum(kind, m, o.B[packedHead:]))
	return o.B
}

// Unseal gives what was packed in a snapshot of Seal; ErrSnapshot for anything else, and for one of another kind or model.
func Unseal(kind string, m *model.Bundle, data []byte) (*In, error) {
	if len(data) < packedHead || string(data[:len(packedForm)]) != packedForm {
		return nil, fmt.Errorf("%w: it does not begin like one", ErrSnapshot)
	}
	if !bytes.Equal(data[len(packedForm):packedHead], checksum(kind, m, data[packedHead:])) {
		return nil, fmt.Errorf("%w: its checksum is wrong", ErrSnapshot)
	}
	return &In{b: data[packedHead:]}, nil
}

// Int packs a number of at least 0; small ones take one byte.
func (o *Out) Int(x int) { o.B = binary.AppendUvarint(o.B, uint64(x)) }

// Bool packs a truth value.
func (o *Out) Bool(x bool) {
	if x {
		o.B = append(o.B, 1)
	} else {
		o.B = append(o.B, 0)
	}
}

// Word32 packs 32 bits, such as a token.
func (o *Out) Word32(x uint32) { o.B = binary.LittleEndian.AppendUint32(o.B, x) }

// Word64 packs 64 bits, such as a key.
func (o *Out) Word64(x uint64) { o.B = binary.LittleEndian.AppendUint64(o.B, x) }

// Float32 packs a number bit for bit.
func (o *Out) Float32(x float32) { o.Word32(math.Float32bits(x)) }

// Float packs a number bit for bit.
func (o *Out) Float(x float64) { o.Word64(math.Float64bits(x)) }

// Text packs a text.
func (o *Out) Text(s string) {
	o.Int(len(s))
	o.B = append(o.B, s...)
}

// In reads what Out packed. What is not there, or too large, reads as zero, and Err tells.
type In struct {
	b   []byte
	bad bool
}

// Err is ErrSnapshot when something was not there, or something is left.
func (in *In) Err() error {
	if in.bad || len(in.b) > 0 {
		return fmt.Errorf("%w: it is cut or too long", ErrSnapshot)
	}
	return nil
}

// Int reads a number from 0 to most.
func (in *In) Int(most int) int {
	x, n := binary.Uvarint(in.b)
	if n <= 0 || x > uint64(most) {
		in.fail()
		return 0
	}
	in.b = in.b[n:]
	return int(x)
}

// Len reads the length of a list of at most `most` things, each of which takes at least `bytes` bytes.
func (in *In) Len(most, bytes int) int { return in.Int(min(most, len(in.b)/bytes)) }

// Bool reads a truth value.
func (in *In) Bool() bool { return in.Int(1) == 1 }

// Word32 reads 32 bits.
func (in *In) Word32() uint32 {
	if b := in.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// Word64 reads 64 bits.
func (in *In) Word64() uint64 {
	if b := in.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// Float32 reads a number.
func (in *In) Float32() float32 { return math.Float32frombits(in.Word32()) }

// Float reads a number.
func (in *In) Float() float64 { return math.Float64frombits(in.Word64()) }

// Text reads a text.
func (in *In) Text() string { return string(in.take(in.Len(len(in.b), 1))) }

// take reads n bytes; it returns nil when fewer are left.
func (in *In) take(n int) []byte {
	if n > len(in.b) {
		in.fail()
		return nil
	}
	b := in.b[:n]
	in.b = in.b[n:]
	return b
}

func (in *In) fail() { in.b, in.bad = nil, true }
