package model

import (
	"encoding/binary"
	"errors"
	"math"
	"time"

	"nightjar/model/measure"
	"nightjar/model/webgraph"
)

// Format 3 is the one before FormatVersion: the body holds the fields of a bundle one after the other, in the order in
// which decodeFormat3 reads them. All numbers are little-endian: an integer is a varint (a count an unsigned one), a float
// its 8 bytes (4 in the basis, the weights and the features), a string its length and bytes, a list its length and
// elements, a time the seconds and nanoseconds of Unix time. The lessons are a block of their own, which may be deflated.

// decodeFormat3 reads the body of a bundle in format 3.
func decodeFormat3(body []byte) (*Bundle, error) {
	d := &reader3{buf: body}
	b := &Bundle{
		Topic: d.string(),
		Settings: Settings{
			States: d.int(), MinClusters: d.int(), MaxClusters: d.int(), Rank: d.int(), Neighbours: d.int(),
			Smoothing: d.float(), Gamma: d.float(), Seed: d.uvarint(),
		},
		Facts: Facts{
			Pages: d.int(), Targets: d.int(), Edges: d.int(), Terms: d.int(), Rank: d.int(), Clusters: d.int(),
			Rejected: d.int(), Features: d.int(), Background: d.int(), LastEvent: d.time(),
		},
		Terms: list3(d, 1, d.string), IDF: d.floats(), Basis: list3(d, 4, d.float32), Singular: d.floats(), Vectors: d.rows(),
		Pages: list3(d, 7, func() PageFact {
			return PageFact{
				URL: d.string(), Title: d.string(), Cluster: d.int(), State: d.int(), Target: d.bool(), Rejected: d.bool(), Words: d.int(),
			}
		}),
		Edges: list3(d, 2, func() [2]int { return [2]int{d.int(), d.int()} }),
		Clusters: list3(d, 3, func() Cluster {
			return Cluster{Size: d.int(), LogOdds: list3(d, 9, d.word), MutualInformation: list3(d, 9, d.word)}
		}),
		Initial: d.floats(), Transition: d.rows(), Emission: d.rows(),
		Gamma:    GammaFact{Value: d.float(), Calibrated: d.bool(), F1: d.float(), How: d.string()},
		Features: Features{Terms: list3(d, 1, d.string), Written: list3(d, 1, d.string), IDF: list3(d, 4, d.float32)},
		Soft:     Soft{Weights: list3(d, 4, d.float32), Bias: d.floats(), Prior: d.floats()},
		Judge: Judge{
			Weights: list3(d, 4, d.float32), Bias: d.float(), Slope: d.float(), Offset: d.float(), Threshold: d.float(), F1: d.float(),
			How: d.string(),
		},
	}
	b.Lessons = d.lessons(len(b.Pages))
	b.Choice = d.choice()
	if d.bool() {
		b.Report = d.report()
	}
	return b, d.end()
}

// lessons reads the lessons of so many pages.
func (d *reader3) lessons(pages int) (l Lessons) {
	deflated := d.bool()
	n := d.length(1, math.MaxInt)
	content := d.buf[:n]
	d.buf = d.buf[n:]
	if deflated {
		var err error
		if content, err = inflate(content); err != nil {
			d.fail(err)
			return l
		}
	}
	in := &reader3{buf: content}
	l.Pages = bounded3(in, 1, pages, in.words)
	l.Background = bounded3(in, 1, maxBackgroundLessons, in.words)
	l.Links = bounded3(in, 7, maxLinkLessons, func() LinkLesson {
		return LinkLesson{From: in.int(), To: in.int(), Link: webgraph.Link{
			URL: in.string(), Anchor: in.string(), Around: in.string(), Heading: in.string(), Path: in.string(),
		}}
	})
	if err := in.end(); err != nil {
		d.fail(err)
	}
	return l
}

// words reads the words of a page, as the gap from the word before and the count of each.
func (d *reader3) words() (w Words) {
	n := d.length(2, math.MaxInt)
	if n == 0 {
		return w
	}
	w.Index, w.Count = make([]int32, n), make([]int32, n)
	last := int32(0)
	for i := range n {
		gap, count := d.uvarint(), d.uvarint()
		if gap > math.MaxInt32 || count > math.MaxInt32 {
			d.fail(errCut)
			return Words{}
		}
		last += int32(gap) // after an overflow the words are out of order, which no bundle may be
		w.Index[i], w.Count[i] = last, int32(count)
	}
	return w
}

func (d *reader3) report() *Report {
	r := &Report{Folds: d.int()}
	for _, f := range append(r.figures(), new(measure.Figure), new(measure.Figure)) { // the last two were of test crawls
		*f = measure.Figure{Value: d.float(), Low: d.float(), High: d.float(), N: d.int()}
	}
	r.HopConfusion = list3(d, 1, func() []int { return list3(d, 1, d.int) })
	r.HopBaseline = d.float()
	r.Reliability = list3(d, 33, func() Band {
		return Band{Low: d.float(), High: d.float(), Said: d.float(), Useful: d.float(), N: d.int()}
	})
	r.Choice, r.Verdict = d.choice(), d.string()
	return r
}

func (d *reader3) choice() Choice {
	_ = d.string() // the emission that did better in test crawls
	return Choice{Relevance: d.string(), Measured: d.bool(), Why: d.string()}
}

// reader3 takes values from the front of buf. After the first error it reads zeros and empty lists.
type reader3 struct {
	buf []byte
	err error
}

var errCut = errors.New("a value is cut short or out of range")

func (d *reader3) fail(err error) {
	if d.err == nil {
		d.err = err
	}
	d.buf = nil
}

// end is the reader's error, or that something is left.
func (d *reader3) end() error {
	if d.err == nil && len(d.buf) != 0 {
		return errors.New("it is longer than what it holds")
	}
	return d.err
}

// take takes n bytes, nil when there are not so many.
func (d *reader3) take(n int) []byte {
	if n > len(d.buf) {
		d.fail(errCut)
		return nil
	}
	taken := d.buf[:n]
	d.buf = d.buf[n:]
	return taken
}

func (d *reader3) uvarint() uint64 {
	v, n := binary.Uvarint(d.buf)
	if n <= 0 {
		d.fail(errCut)
		return 0
	}
	d.buf = d.buf[n:]
	return v
}

func (d *reader3) varint() int64 {
	v, n := binary.Varint(d.buf)
	if n <= 0 {
		d.fail(errCut)
		return 0
	}
	d.buf = d.buf[n:]
	return v
}

func (d *reader3) int() int { return int(d.varint()) }

func (d *reader3) float() float64 {
	if raw := d.take(8); raw != nil {
		return math.Float64frombits(binary.LittleEndian.Uint64(raw))
	}
	return 0
}

func (d *reader3) float32() float32 {
	if raw := d.take(4); raw != nil {
		return math.Float32frombits(binary.LittleEndian.Uint32(raw))
	}
	return 0
}

func (d *reader3) bool() bool {
	raw := d.take(1)
	if raw != nil && raw[0] > 1 {
		d.fail(errCut)
	}
	return raw != nil && raw[0] == 1
}

func (d *reader3) string() string { return string(d.take(d.length(1, math.MaxInt))) }

func (d *reader3) time() time.Time {
	seconds, nanos := d.varint(), d.uvarint()
	if nanos >= 1e9 {
		d.fail(errCut)
		return time.Time{}
	}
	return time.Unix(seconds, int64(nanos)).UTC()
}

func (d *reader3) word() Word { return Word{Word: d.string(), Score: d.float()} }

func (d *reader3) floats() []float64 { return list3(d, 8, d.float) }

func (d *reader3) rows() [][]float64 { return list3(d, 1, d.floats) }

// length reads the number of elements that take at least size bytes each; a list of more than most is refused.
func (d *reader3) length(size, most int) int {
	n := d.uvarint()
	if n > uint64(len(d.buf)/size) || n > uint64(most) {
		d.fail(errCut)
		return 0
	}
	return int(n)
}

func list3[T any](d *reader3, size int, element func() T) []T {
	return bounded3(d, size, math.MaxInt, element)
}

// bounded3 is list3 for a list of limited length.
func bounded3[T any](d *reader3, size, most int, element func() T) []T {
	n := d.length(size, most)
	if n == 0 {
		return nil
	}
	v := make([]T, n)
	for i := range v {
		v[i] = element()
	}
	return v
}
