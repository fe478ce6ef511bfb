package naivebayes

import (
	"cmp"
	"math"
	"slices"

	"nightjar/model/text"
)

// PaperBytes is how much of a page [PANORAMA] §3.4 read.
const PaperBytes = 10 << 10

// Head is the first PaperBytes bytes of a page's text, less the rune that would be cut. The paper fetched no more of a
// page than that, marks included. Here the cut is of the text, so that a long head or menu in HTML does not leave a page
// without words.
func Head(s string) string {
	if len(s) <= PaperBytes {
		return s
	}
	end := PaperBytes
	for end > PaperBytes-4 && s[end]&0xc0 == 0x80 { // inside a rune of UTF-8
		end--
	}
	return s[:end]
}

// Part is what a term of a page adds to the log odds of P(c⁺|page).
type Part struct {
	Term  int // its index, below Terms
	Value float64
}

// Parts are those of a page's terms, largest first by absolute value. whole is ln P/(1-P), calibrated: the sum of the
// parts, of what the classes are like without the page, and of the calibration.
func (c *Classifier) Parts(page text.Counts) (parts []Part, whole float64) {
	v := c.vocabulary.Vector(page)
	r := c.read(v)
	scale := -c.calibration.A / math.Sqrt(float64(max(1, r.Terms)))
	for k, term := range v.Index {
		if x := scale * c.model.part(term, v.Value[k]); x != 0 {
			parts = append(parts, Part{Term: int(term), Value: x})
		}
	}
	slices.SortStableFunc(parts, func(a, b Part) int { return cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)) })
	return parts, scale*r.LogOdds - c.calibration.B
}

// Terms is the number of terms of the vocabulary.
func (c *Classifier) Terms() int { return c.vocabulary.Len() }

// Term is the stem with an index in [0, Terms).
func (c *Classifier) Term(index int) string { return c.vocabulary.Term(index) }

// part is what a term of the weight x adds to ln P(c⁺, page) - ln P(c⁻, page).
func (m *Multinomial) part(term int32, x float64) float64 {
	return x * (m.LogTerm[positive][term] - m.LogTerm[other][term])
}

func (g *Gaussian) part(term int32, x float64) float64 {
	return g.log(positive, term, x) - g.log(positive, term, 0) - g.log(other, term, x) + g.log(other, term, 0)
}
