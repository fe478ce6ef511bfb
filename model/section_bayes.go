package model

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"nightjar/model/logistic"
	"nightjar/model/naivebayes"
)

// bayesSection is the section "bayes": the classifier of the pages around a document or topic, or the reason why it is missing.
type bayesSection struct {
	None  string       `cbor:"none,omitempty"`
	Bayes *storedBayes `cbor:"bayes,omitempty"`
}

// storedBayes is a naivebayes.Stored. One of Multinomial and Gaussian is set.
type storedBayes struct {
	Terms       packedNames        `cbor:"terms"` // columns of them, ascending
	DF          packedCounts       `cbor:"df"`    // of each term
	Pages       int                `cbor:"pages"` // of the collection
	Multinomial *storedMultinomial `cbor:"multinomial,omitempty"`
	Gaussian    *storedGaussian    `cbor:"gaussian,omitempty"`
	Slope       float64            `cbor:"slope"` // of the calibration
	Offset      float64            `cbor:"offset"`
}

// storedMultinomial is a naivebayes.Multinomial; its matrix is stored class after class.
type storedMultinomial struct {
	LogPrior packed[float64] `cbor:"log_prior"`
	LogTerm  packed[float64] `cbor:"log_term"`
}

// storedGaussian is a naivebayes.Gaussian; its matrices are stored class after class.
type storedGaussian struct {
	LogPrior packed[float64] `cbor:"log_prior"`
	Step     packed[float64] `cbor:"step"`
	Mean     packed[float64] `cbor:"mean"`
	Width    packed[float64] `cbor:"width"`
}

func (s *bayesSection) from(b *Bundle) bool {
	*s = bayesSection{None: b.NoBayes}
	if b.Bayes == nil {
		return s.None != ""
	}
	c := b.Bayes.Store()
	s.Bayes = &storedBayes{Terms: c.Terms, DF: c.DF, Pages: c.Pages, Slope: c.Calibration.A, Offset: c.Calibration.B}
	if m := c.Multinomial; m != nil {
		s.Bayes.Multinomial = &storedMultinomial{LogPrior: m.LogPrior, LogTerm: slices.Concat(m.LogTerm...)}
	}
	if g := c.Gaussian; g != nil {
		s.Bayes.Gaussian = &storedGaussian{
			LogPrior: g.LogPrior, Step: g.Step, Mean: slices.Concat(g.Mean...), Width: slices.Concat(g.Width...),
		}
	}
	return true
}

func (s *bayesSection) into(b *Bundle) error {
	b.NoBayes = s.None
	if s.Bayes == nil {
		return nil
	}
	w, columns := s.Bayes, len(s.Bayes.Terms)
	c := naivebayes.Stored{
		Terms: w.Terms, DF: w.DF, Pages: w.Pages, Calibration: logistic.Sigmoid{A: w.Slope, B: w.Offset},
	}
	if m := w.Multinomial; m != nil {
		c.Multinomial = &naivebayes.Multinomial{LogPrior: m.LogPrior, LogTerm: rowsOf(m.LogTerm, columns)}
	}
	if g := w.Gaussian; g != nil {
		c.Gaussian = &naivebayes.Gaussian{
			LogPrior: g.LogPrior, Step: g.Step, Mean: rowsOf(g.Mean, columns), Width: rowsOf(g.Width, columns),
		}
	}
	var err error
	b.Bayes, err = c.Classifier()
	return err
}

// rowsOf cuts a matrix into rows. The last row is shorter when the numbers do not fill it.
func rowsOf(numbers []float64, columns int) [][]float64 {
	if columns == 0 && len(numbers) == 0 {
		return [][]float64{{}, {}} // one row for each class
	}
	return slices.Collect(slices.Chunk(numbers, max(1, columns)))
}

// The numbers of a classifier are within these bounds, whatever pages it learned from. Within them a page never has
// log odds that are infinite or NaN.
const (
	leastLog   = -1e3  // ln of a probability, which is more than one by all words of all pages
	leastStep  = 1e-20 // the weights of a term in 1e9 pages differ by more on average
	mostWeight = 1e3   // TF-IDF
	mostSlope  = 1e100
)

func (b *Bundle) checkBayes() error {
	if b.Bayes == nil {
		return nil
	}
	c := b.Bayes.Store()
	switch {
	case b.NoBayes != "":
		return errors.New("there is a classifier, and a reason why there is none")
	case len(c.Terms) > maxStoredNames:
		return fmt.Errorf("a classifier of %d terms", len(c.Terms))
	case !within([]float64{c.Calibration.A, c.Calibration.B}, -mostSlope, mostSlope):
		return errors.New("the calibration of the classifier is out of range")
	}
	if m := c.Multinomial; m != nil {
		if !within(m.LogPrior, leastLog, rowTol) || !within(slices.Concat(m.LogTerm...), leastLog, rowTol) {
			return errors.New("a probability of the classifier is out of range")
		}
	}
	if g := c.Gaussian; g != nil {
		if !within(g.LogPrior, leastLog, rowTol) || !within(g.Step, leastStep, mostWeight) ||
			!within(slices.Concat(g.Mean...), 0, mostWeight) || !within(slices.Concat(g.Width...), leastStep/10, mostWeight) {
			return errors.New("a number of the classifier is out of range")
		}
	}
	return nil
}

// packedCounts are numbers of at least 0 that are stored as a byte string: each as an unsigned varint.
type packedCounts []int

// MarshalBinary returns the bytes of the counts.
func (p packedCounts) MarshalBinary() ([]byte, error) {
	data := make([]byte, 0, len(p))
	for _, n := range p {
		if n < 0 {
			return nil, fmt.Errorf("%d is no count", n)
		}
		data = binary.AppendUvarint(data, uint64(n))
	}
	return data, nil
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (p *packedCounts) UnmarshalBinary(data []byte) error {
	*p = nil
	for len(data) > 0 {
		count, n := binary.Uvarint(data)
		if n <= 0 || count > math.MaxInt32 || len(*p) >= maxStoredNames {
			return errors.New("a count is cut short or too large, or there are too many")
		}
		*p = append(*p, int(count))
		data = data[n:]
	}
	return nil
}
