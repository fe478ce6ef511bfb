package model

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"nightjar/model/crf"
	"nightjar/model/measure"
	"nightjar/model/ways"
)

// waysSection is the section "ways": what was learned from the ways to useful pages, or why nothing was.
type waysSection struct {
	None string      `cbor:"none,omitempty"`
	Ways *storedWays `cbor:"ways,omitempty"`
}

type storedWays struct {
	Labelling   ways.Labelling  `cbor:"labelling"`
	Labels      []string        `cbor:"labels"`
	Goal        int             `cbor:"goal"`
	Pages       storedTable     `cbor:"pages"`
	Links       storedTable     `cbor:"links"`
	Steps       packed[float64] `cbor:"steps"` // A, row-major
	HeadingSets string          `cbor:"heading_sets"`
	Gamma       float64         `cbor:"gamma"`
	C2          float64         `cbor:"c2"`
	Visits      packed[float64] `cbor:"visits"`
	Printed     packed[float64] `cbor:"printed"`
	Reward      ways.Reward     `cbor:"reward"`
	Threshold   float64         `cbor:"threshold"`
	Facts       ways.Facts      `cbor:"facts"`
	Report      *ways.Report    `cbor:"report"`
	Shown       []ways.Shown    `cbor:"shown"`
}

// storedTable is a table of weights with the names of its rows. Labels are numbers below ways.MaxNames, so that a byte
// holds one.
type storedTable struct {
	Names   packedNames     `cbor:"names"`
	Size    []byte          `cbor:"size"`  // number of entries of each row
	Label   []byte          `cbor:"label"` // of each entry
	Weights packed[float64] `cbor:"weights"`
}

func (s *waysSection) from(b *Bundle) bool {
	*s = waysSection{None: b.NoWays}
	if w := b.Ways; w != nil {
		s.Ways = &storedWays{
			Labelling: w.Labelling, Labels: w.Labels, Goal: w.Goal, HeadingSets: w.HeadingSets, Steps: w.Field.Steps,
			Pages: storeTable(w.PageFeatures, &w.Field.Pages), Links: storeTable(w.LinkFeatures, &w.Field.Links),
			Gamma: w.Gamma, C2: w.C2, Visits: w.Visits, Printed: w.Printed, Reward: w.Reward, Threshold: w.Threshold,
			Facts: w.Facts, Report: w.Report, Shown: w.Shown,
		}
	}
	return s.Ways != nil || s.None != ""
}

// storeTable is a table that was checked.
func storeTable(names []string, t *crf.Table) storedTable {
	s := storedTable{Names: names, Weights: t.Weight}
	for f := range t.Rows() {
		s.Size = append(s.Size, byte(t.Start[f+1]-t.Start[f]))
	}
	for _, y := range t.Label {
		s.Label = append(s.Label, byte(y))
	}
	return s
}

func (s *waysSection) into(b *Bundle) error {
	b.NoWays = s.None
	if s.Ways == nil {
		return nil
	}
	w := s.Ways
	b.Ways = &ways.Ways{
		Labelling: w.Labelling, Labels: w.Labels, Goal: w.Goal, PageFeatures: w.Pages.Names, LinkFeatures: w.Links.Names, HeadingSets: w.HeadingSets,
		Field: &crf.Model{Labels: len(w.Labels), Pages: w.Pages.table(), Links: w.Links.table(), Steps: w.Steps},
		Gamma: w.Gamma, C2: w.C2, Visits: w.Visits, Printed: w.Printed, Reward: w.Reward, Threshold: w.Threshold,
		Facts: w.Facts, Report: w.Report, Shown: w.Shown,
	}
	return nil
}

func (s *storedTable) table() crf.Table {
	t := crf.Table{Start: make([]int32, 1, len(s.Size)+1), Weight: s.Weights}
	end := int32(0) // at most 255 times the rows of a section, which has less than 2^23
	for _, n := range s.Size {
		end += int32(n)
		t.Start = append(t.Start, end)
	}
	for _, y := range s.Label {
		t.Label = append(t.Label, int32(y))
	}
	return t
}

// maxMet is more often than anybody walked a way, and more than any count or weight of a penalty.
const maxMet = 1e9

func (b *Bundle) checkWays() error {
	w := b.Ways
	if w == nil {
		return nil
	}
	l := len(w.Labels)
	switch {
	case b.NoWays != "":
		return errors.New("there are ways, and a reason why there are none")
	case w.Field == nil || w.Field.Labels != l || l < 2 || l > ways.MaxNames || w.Goal < 0 || w.Goal >= l:
		return fmt.Errorf("goal %d of %d labels", w.Goal, l)
	case len(w.Visits) != l || len(w.Printed) != l || !within(w.Visits, 0, 1+rowTol) || !within(w.Printed, 0, 1+rowTol):
		return errors.New("the worth of a label is missing or out of range")
	case w.Reward != ways.Visits && w.Reward != ways.Printed:
		return fmt.Errorf("reward %q is unknown", w.Reward)
	case !within([]float64{w.Gamma, w.Threshold}, 0, 1) || !within([]float64{w.C2}, 0, maxMet):
		return errors.New("a number of the training is out of range")
	}
	if err := checkLabels(w); err != nil {
		return err
	}
	if err := w.Field.Validate(); err != nil {
		return err
	}
	if len(w.PageFeatures) != w.Field.Pages.Rows() || len(w.LinkFeatures) != w.Field.Links.Rows() {
		return errors.New("the features and their weights do not match")
	}
	if !ascending(w.PageFeatures) || !ascending(w.LinkFeatures) {
		return errors.New("the features are out of order")
	}
	return cmp.Or(checkWaysFacts(&w.Facts), checkWaysReport(w.Report), checkShown(w))
}

func checkLabels(w *ways.Ways) error {
	sorted := slices.Sorted(slices.Values(w.Labels))
	if !ascending(sorted) || sorted[0] == "" {
		return errors.New("a label has no name, or another's")
	}
	for _, label := range w.Labels {
		if _, hop := ways.Hop(label); w.Labelling == ways.Hops && !hop {
			return fmt.Errorf("%q is not a number of links", label)
		}
	}
	if w.Labelling != ways.Milestones && w.Labelling != ways.Hops {
		return fmt.Errorf("labels %q are unknown", w.Labelling)
	}
	return nil
}

func checkWaysFacts(f *ways.Facts) error {
	for kind, n := range f.Paths {
		if n < 0 || !slices.Contains([]ways.Kind{ways.Marked, ways.Left, ways.Find, ways.Graph}, kind) {
			return fmt.Errorf("%d ways of the kind %q", n, kind)
		}
	}
	if min(f.Positive, f.Negative, f.Pages, f.Weights, f.Dropped, f.Iterations) < 0 || !within([]float64{f.Objective}, 0, math.MaxFloat64) {
		return errors.New("a number of the ways is out of range")
	}
	for _, t := range f.Folds {
		if !within([]float64{t.C2, t.Loss}, 0, maxMet) || !within([]float64{t.Gamma}, 0, 1) || !isShare(t.Rank) {
			return errors.New("a number of the folds is out of range")
		}
	}
	return nil
}

func checkWaysReport(r *ways.Report) error {
	if r == nil {
		return nil
	}
	known := r.HeldBy == ways.HeldBySite || r.HeldBy == ways.HeldByTree
	if !known || min(r.Folds, r.Pages, r.Paths) < 0 || !isShare(r.Precision, r.Recall, r.F1, r.Accuracy) {
		return errors.New("a number of the report on ways is out of range")
	}
	return nil
}

// isShare reports whether figures are shares with their intervals.
func isShare(figures ...measure.Figure) bool {
	for _, f := range figures {
		if !within([]float64{f.Value, f.Low, f.High}, 0, 1) || f.N < 0 {
			return false
		}
	}
	return true
}

func checkShown(w *ways.Ways) error {
	if len(w.Shown) > ways.MaxShown {
		return fmt.Errorf("%d ways are more than are shown", len(w.Shown))
	}
	for _, s := range w.Shown {
		if len(s.Steps) > ways.MaxSteps || !within([]float64{s.Count}, 0, maxMet) {
			return errors.New("a way that is shown is out of range")
		}
		for _, step := range s.Steps {
			if min(step.True, step.Predicted) < 0 || max(step.True, step.Predicted) >= len(w.Labels) || !within([]float64{step.Probability}, 0, 1+rowTol) {
				return errors.New("the label of a page of a way does not exist")
			}
		}
	}
	return nil
}

// packedNames is a list of names that is stored as a byte string: for each its length as an unsigned varint, and the name.
type packedNames []string

// maxStoredNames bounds the memory that names of no letters take.
const maxStoredNames = 1 << 20

// MarshalBinary returns the bytes of the names.
func (p packedNames) MarshalBinary() ([]byte, error) {
	if len(p) > maxStoredNames {
		return nil, fmt.Errorf("%d names are more than %d", len(p), maxStoredNames)
	}
	var data []byte
	for _, name := range p {
		data = append(binary.AppendUvarint(data, uint64(len(name))), name...)
	}
	return data, nil
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (p *packedNames) UnmarshalBinary(data []byte) error {
	*p = nil
	for len(data) > 0 {
		length, n := binary.Uvarint(data)
		if n <= 0 || length > uint64(len(data)-n) || len(*p) >= maxStoredNames {
			return errors.New("a name is cut short, or there are too many")
		}
		end := n + int(length)
		*p = append(*p, string(data[n:end]))
		data = data[end:]
	}
	return nil
}
