package strategy

import (
	"encoding/binary"
	"math"

	"nightjar/model/naivebayes"
)

// bayesNote is what naiveBayes stores with a queued link: the value of the page that holds it, and that page's most telling terms.
type bayesNote struct {
	worth float64           // log odds of the calibrated probability
	parts []naivebayes.Part // at most namedTerms, by size
}

const (
	bayesVersion = 3   // first byte of a note; see wayVersion
	namedTerms   = 8   // of a page
	mostWorth    = 1e9 // log odds beyond it are stored as this
)

// bytes is a version, the worth as float64, and for each part the term as varint and the value as float32.
func (n *bayesNote) bytes() []byte {
	b := append(make([]byte, 0, 9+7*len(n.parts)), bayesVersion)
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(max(-mostWorth, min(mostWorth, n.worth))))
	for _, p := range n.parts {
		b = binary.AppendUvarint(b, uint64(p.Term))
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(max(-mostWorth, min(mostWorth, p.Value)))))
	}
	return b
}

// readBayesNote reads a note of a classifier with so many terms; ok is false when there is none, or one that this program
// did not write.
func readBayesNote(b []byte, terms int) (n bayesNote, ok bool) {
	if len(b) < 9 || b[0] != bayesVersion {
		return bayesNote{}, false
	}
	n.worth = math.Float64frombits(binary.LittleEndian.Uint64(b[1:]))
	if !(math.Abs(n.worth) <= mostWorth) {
		return bayesNote{}, false
	}
	for rest := b[9:]; len(rest) > 0; {
		term, size := binary.Uvarint(rest)
		if size <= 0 || term >= uint64(terms) || len(rest) < size+4 || len(n.parts) == namedTerms {
			return bayesNote{}, false
		}
		value := float64(math.Float32frombits(binary.LittleEndian.Uint32(rest[size:])))
		if !(math.Abs(value) <= mostWorth*(1+1e-6)) { // rounded to 24 bits
			return bayesNote{}, false
		}
		n.parts = append(n.parts, naivebayes.Part{Term: int(term), Value: value})
		rest = rest[size+4:]
	}
	return n, true
}

// part is that of a term, 0 when it is not named.
func (n *bayesNote) part(term int) float64 {
	for _, p := range n.parts {
		if p.Term == term {
			return p.Value
		}
	}
	return 0
}

// Explain compares what the words of the page that holds a link say with what they say, on average, for the others.
func (s *naiveBayes) Explain(link Waiting, others []Waiting) (e Explanation, ok bool) {
	terms := s.bundle.Bayes.Terms()
	own, rest, ok := notesFor(link, others, func(note []byte) (bayesNote, bool) { return readBayesNote(note, terms) })
	if !ok {
		return e, false
	}
	e.Others = len(rest)
	mean := make([]float64, len(own.parts))
	for _, n := range rest {
		e.Typical += n.worth
		for i, p := range own.parts {
			mean[i] += n.part(p.Term)
		}
	}
	e.Typical /= float64(e.Others)
	var p parts
	unnamed := own.worth - e.Typical
	for i, one := range own.parts {
		more := one.Value - mean[i]/float64(e.Others)
		p.add("the page it is on says “"+s.written(s.bundle.Bayes.Term(one.Term))+"”", more)
		unnamed -= more
	}
	p.add("the other words of the page it is on", unnamed)
	e.Reasons = p.reasons()
	return e, true
}
