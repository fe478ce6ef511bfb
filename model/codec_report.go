package model

import "nightjar/model/measure"

// report codes whether there is a report, and the report.
func report(c coder, at **Report) {
	made := *at != nil
	if c.bool(&made); !made {
		return
	}
	if *at == nil {
		*at = &Report{}
	}
	r := *at
	c.int(&r.Folds)
	for _, f := range r.figures() {
		figure(c, f)
	}
	slice(c, &r.HopConfusion, 1, func(row *[]int) { slice(c, row, 1, c.int) })
	c.float(&r.HopBaseline)
	slice(c, &r.Reliability, 33, func(b *Band) {
		for _, x := range []*float64{&b.Low, &b.High, &b.Said, &b.Useful} {
			c.float(x)
		}
		c.int(&b.N)
	})
	choice(c, &r.Choice)
	c.string(&r.Verdict)
}

// figures lists all figures of a report in the order of the format.
func (r *Report) figures() []*measure.Figure {
	return []*measure.Figure{
		&r.LinkMRR, &r.AnchorMRR, &r.ChanceMRR, &r.HopAgreement, &r.AUC.Cosine, &r.AUC.Judge, &r.Brier, &r.BrierBase,
		&r.Crawl.Hard, &r.Crawl.Soft,
	}
}

func figure(c coder, f *measure.Figure) {
	c.float(&f.Value)
	c.float(&f.Low)
	c.float(&f.High)
	c.int(&f.N)
}

func choice(c coder, v *Choice) {
	c.string(&v.Emission)
	c.string(&v.Judge)
	c.bool(&v.Measured)
	c.string(&v.Why)
}
