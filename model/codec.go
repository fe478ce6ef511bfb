package model

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"
)

// The binary form of a bundle, all numbers little-endian:
//
//	"NJBUNDLE"  8 bytes
//	version     uint32, FormatVersion
//	length      uint64, bytes of the body
//	body        the fields in the order of body()
//	checksum    SHA-256 of all bytes before it
//
// In the body an integer is a varint (a count an unsigned one), a float its 8 bytes (4 in the basis and the weights), a string
// its length and bytes, a slice its length and elements, a time the seconds and nanoseconds of Unix time. What the model
// learned from is a piece of its own, deflated when that pays; see codec_lessons.go. The same bundle gives the same bytes.
const (
	magic      = "NJBUNDLE"
	headerSize = len(magic) + 4 + 8
)

// ErrNewerFormat and ErrOlderFormat are the errors of a bundle that another version of the program wrote. ErrDamaged is
// that of bytes that are no bundle, or no longer the one that was written. Test with errors.Is.
var (
	ErrNewerFormat = errors.New("the model was written by a newer version of nightjar")
	ErrOlderFormat = errors.New("the model was written by an older version of nightjar; train again")
	ErrDamaged     = errors.New("not a model, or a damaged one")
)

// Encode gives the bundle's binary form. It refuses a bundle that Decode would refuse.
func (b *Bundle) Encode() ([]byte, error) {
	if err := b.Validate(); err != nil {
		return nil, fmt.Errorf("encode model: %w", err)
	}
	e := &encoder{}
	b.body(e)
	out := make([]byte, 0, headerSize+len(e.buf)+sha256.Size)
	out = append(out, magic...)
	out = binary.LittleEndian.AppendUint32(out, FormatVersion)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(e.buf)))
	out = append(out, e.buf...)
	sum := sha256.Sum256(out)
	return append(out, sum[:]...), nil
}

// Decode reads the binary form of a bundle. Its error is ErrNewerFormat, ErrOlderFormat or ErrDamaged with what is wrong; no
// input makes it panic or reserve much more memory than the input is long and its deflated part may be, 32 MiB.
func Decode(data []byte) (*Bundle, error) {
	if len(data) < headerSize || !bytes.HasPrefix(data, []byte(magic)) {
		return nil, fmt.Errorf("decode model: %w: it does not begin like one", ErrDamaged)
	}
	if err := readable(binary.LittleEndian.Uint32(data[len(magic):])); err != nil {
		return nil, fmt.Errorf("decode model: %w", err)
	}
	length := binary.LittleEndian.Uint64(data[len(magic)+4:])
	if have := uint64(len(data) - headerSize); have < sha256.Size || have-sha256.Size != length {
		return nil, fmt.Errorf("decode model: %w: %d bytes, its header promises %d", ErrDamaged, len(data), length)
	}
	end := len(data) - sha256.Size
	if sum := sha256.Sum256(data[:end]); !bytes.Equal(sum[:], data[end:]) {
		return nil, fmt.Errorf("decode model: %w: its checksum is wrong", ErrDamaged)
	}
	b, err := decodeBody(data[headerSize:end])
	if err != nil {
		return nil, fmt.Errorf("decode model: %w: %w", ErrDamaged, err)
	}
	return b, nil
}

// readable refuses all versions of the format but this program's.
func readable(version uint32) error {
	switch {
	case version > FormatVersion:
		return fmt.Errorf("%w: format %d, this program reads %d", ErrNewerFormat, version, FormatVersion)
	case version == 0:
		return fmt.Errorf("%w: format 0 was never used", ErrDamaged)
	case version < FormatVersion:
		return fmt.Errorf("%w: format %d, this program reads %d", ErrOlderFormat, version, FormatVersion)
	}
	return nil
}

// decodeBody reads the fields and checks that they fit together.
func decodeBody(data []byte) (*Bundle, error) {
	b, d := &Bundle{}, &decoder{buf: data}
	b.body(d)
	if d.err != nil {
		return nil, d.err
	}
	if len(d.buf) != 0 {
		return nil, fmt.Errorf("%d bytes too many", len(d.buf))
	}
	if err := b.Validate(); err != nil {
		return nil, err
	}
	return b, nil
}

// coder writes fields, or reads them into their place, so that one list of the fields serves both.
type coder interface {
	int(*int)
	uint64(*uint64)
	float(*float64)
	float32(*float32)
	bool(*bool)
	string(*string)
	time(*time.Time)
	// length writes n, or reads a count of elements that take at least size bytes each.
	length(n, size int) int
	// block codes the fields as one piece that may be deflated.
	block(fields func(coder))
	// refuse makes reading fail; a writer ignores it.
	refuse(why string)
}

// body passes over all fields of the format.
func (b *Bundle) body(c coder) {
	c.string(&b.Topic)
	s := &b.Settings
	c.int(&s.States)
	c.int(&s.MinClusters)
	c.int(&s.MaxClusters)
	c.int(&s.Rank)
	c.int(&s.Neighbours)
	c.float(&s.Smoothing)
	c.float(&s.Gamma)
	c.uint64(&s.Seed)
	f := &b.Facts
	for _, n := range []*int{&f.Pages, &f.Targets, &f.Edges, &f.Terms, &f.Rank, &f.Clusters, &f.Rejected, &f.Features, &f.Background} {
		c.int(n)
	}
	c.time(&f.LastEvent)
	slice(c, &b.Terms, 1, c.string)
	floats(c, &b.IDF)
	slice(c, &b.Basis, 4, c.float32)
	floats(c, &b.Singular)
	slice(c, &b.Vectors, 1, func(v *[]float64) { floats(c, v) })
	slice(c, &b.Pages, 7, func(p *PageFact) {
		c.string(&p.URL)
		c.string(&p.Title)
		c.int(&p.Cluster)
		c.int(&p.State)
		c.bool(&p.Target)
		c.bool(&p.Rejected)
		c.int(&p.Words)
	})
	slice(c, &b.Edges, 2, func(e *[2]int) { c.int(&e[0]); c.int(&e[1]) })
	slice(c, &b.Clusters, 3, func(k *Cluster) {
		c.int(&k.Size)
		words(c, &k.LogOdds)
		words(c, &k.MutualInformation)
	})
	floats(c, &b.Initial)
	slice(c, &b.Transition, 1, func(v *[]float64) { floats(c, v) })
	slice(c, &b.Emission, 1, func(v *[]float64) { floats(c, v) })
	c.float(&b.Gamma.Value)
	c.bool(&b.Gamma.Calibrated)
	c.float(&b.Gamma.F1)
	c.string(&b.Gamma.How)
	slice(c, &b.Features.Terms, 1, c.string)
	slice(c, &b.Features.Written, 1, c.string)
	slice(c, &b.Features.IDF, 4, c.float32)
	slice(c, &b.Soft.Weights, 4, c.float32)
	floats(c, &b.Soft.Bias)
	floats(c, &b.Soft.Prior)
	slice(c, &b.Judge.Weights, 4, c.float32)
	for _, x := range []*float64{&b.Judge.Bias, &b.Judge.Slope, &b.Judge.Offset, &b.Judge.Threshold, &b.Judge.F1} {
		c.float(x)
	}
	c.string(&b.Judge.How)
	lessons(c, &b.Lessons)
	choice(c, &b.Choice)
	report(c, &b.Report)
}

func slice[T any](c coder, v *[]T, size int, element func(*T)) {
	atMost(math.MaxInt, c, v, size, element)
}

// atMost is slice for a list whose length is bounded.
func atMost[T any](most int, c coder, v *[]T, size int, element func(*T)) {
	n := c.length(len(*v), size)
	if n > most {
		c.refuse("a list is longer than a model's may be")
		return
	}
	if len(*v) != n {
		*v = make([]T, n)
	}
	for i := range *v {
		element(&(*v)[i])
	}
}

func floats(c coder, v *[]float64) { slice(c, v, 8, c.float) }

func words(c coder, v *[]Word) {
	slice(c, v, 9, func(w *Word) { c.string(&w.Word); c.float(&w.Score) })
}

// encoder appends to buf.
type encoder struct{ buf []byte }

func (e *encoder) int(v *int)       { e.buf = binary.AppendVarint(e.buf, int64(*v)) }
func (e *encoder) uint64(v *uint64) { e.buf = binary.AppendUvarint(e.buf, *v) }
func (e *encoder) float(v *float64) {
	e.buf = binary.LittleEndian.AppendUint64(e.buf, math.Float64bits(*v))
}

func (e *encoder) float32(v *float32) {
	e.buf = binary.LittleEndian.AppendUint32(e.buf, math.Float32bits(*v))
}

func (e *encoder) bool(v *bool) {
	n := byte(0)
	if *v {
		n = 1
	}
	e.buf = append(e.buf, n)
}

func (e *encoder) string(v *string) {
	e.buf = binary.AppendUvarint(e.buf, uint64(len(*v)))
	e.buf = append(e.buf, *v...)
}

func (e *encoder) time(v *time.Time) {
	e.buf = binary.AppendVarint(e.buf, v.Unix())
	e.buf = binary.AppendUvarint(e.buf, uint64(v.Nanosecond()))
}

func (e *encoder) refuse(string) {}

func (e *encoder) length(n, _ int) int {
	e.buf = binary.AppendUvarint(e.buf, uint64(n))
	return n
}

// decoder takes from the front of buf. After the first error it reads zeros and no more elements.
type decoder struct {
	buf []byte
	err error
}

func (d *decoder) refuse(why string) { d.fail(why) }

func (d *decoder) fail(what string) {
	if d.err == nil {
		d.err = errors.New(what)
	}
	d.buf = nil
}

func (d *decoder) varint() int64 {
	v, n := binary.Varint(d.buf)
	if n <= 0 {
		d.fail("a number is cut short or too large")
		return 0
	}
	d.buf = d.buf[n:]
	return v
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.buf)
	if n <= 0 {
		d.fail("a number is cut short or too large")
		return 0
	}
	d.buf = d.buf[n:]
	return v
}

func (d *decoder) int(v *int)       { *v = int(d.varint()) }
func (d *decoder) uint64(v *uint64) { *v = d.uvarint() }

func (d *decoder) float(v *float64) {
	if len(d.buf) < 8 {
		d.fail("a number is cut short")
		return
	}
	*v = math.Float64frombits(binary.LittleEndian.Uint64(d.buf))
	d.buf = d.buf[8:]
}

func (d *decoder) float32(v *float32) {
	if len(d.buf) < 4 {
		d.fail("a number is cut short")
		return
	}
	*v = math.Float32frombits(binary.LittleEndian.Uint32(d.buf))
	d.buf = d.buf[4:]
}

func (d *decoder) bool(v *bool) {
	if len(d.buf) < 1 || d.buf[0] > 1 {
		d.fail("a yes or no is neither")
		return
	}
	*v = d.buf[0] == 1
	d.buf = d.buf[1:]
}

func (d *decoder) string(v *string) {
	n := d.length(0, 1)
	*v = string(d.buf[:n])
	d.buf = d.buf[n:]
}

func (d *decoder) time(v *time.Time) {
	seconds, nanos := d.varint(), d.uvarint()
	if nanos >= 1e9 {
		d.fail("a time has too many nanoseconds")
		return
	}
	*v = time.Unix(seconds, int64(nanos)).UTC()
}

func (d *decoder) length(_, size int) int {
	n := d.uvarint()
	if n > uint64(len(d.buf)/size) {
		d.fail("a list is longer than the rest of the model")
		return 0
	}
	return int(n)
}
