package model

import (
	"errors"
	"fmt"
	"slices"

	"nightjar/model/measure"
)

// reportSection is the section "report": how sure the model is, and what was chosen for that reason. The fields of a
// report have the names that they have in JSON. A model without it uses defaultChoice.
type reportSection struct {
	Choice Choice  `cbor:"choice"`
	Report *Report `cbor:"report"`
}

func (s *reportSection) from(b *Bundle) bool {
	*s = reportSection{Choice: b.Choice, Report: b.Report}
	return s.Report != nil || s.Choice != defaultChoice()
}

func (s *reportSection) into(b *Bundle) error {
	b.Choice, b.Report = s.Choice, s.Report
	return nil
}

// figures lists all figures of a report.
func (r *Report) figures() []*measure.Figure {
	return []*measure.Figure{
		&r.LinkMRR, &r.AnchorMRR, &r.ChanceMRR, &r.HopAgreement, &r.AUC.Cosine, &r.AUC.Judge, &r.Brier, &r.BrierBase,
	}
}

func (b *Bundle) checkReport() error {
	if err := b.Choice.check(); err != nil || b.Report == nil {
		return err
	}
	r, n := b.Report, len(b.Initial)
	if r.Choice != b.Choice || r.Folds < 0 {
		return errors.New("the report is of another model")
	}
	for _, f := range r.figures() {
		if !within([]float64{f.Value, f.Low, f.High}, 0, 1) || f.N < 0 {
			return errors.New("a figure of the report is out of range")
		}
	}
	if len(r.HopConfusion) != n && len(r.HopConfusion) != 0 || !within([]float64{r.HopBaseline}, 0, 1) {
		return errors.New("the confusion table of the report has the wrong size")
	}
	for _, row := range r.HopConfusion {
		if len(row) != n || slices.Min(row) < 0 {
			return errors.New("the confusion table of the report has the wrong size")
		}
	}
	for _, band := range r.Reliability {
		if !within([]float64{band.Low, band.High, band.Said, band.Useful}, 0, 1) || band.N < 0 {
			return errors.New("a band of the report is out of range")
		}
	}
	return r.Rehearsal.check()
}

func (c Choice) check() error {
	if c.Relevance != RelevantByCosine && c.Relevance != RelevantByJudge {
		return fmt.Errorf("relevance %q is unknown", c.Relevance)
	}
	return nil
}
