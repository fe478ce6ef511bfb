package cli

import (
	"fmt"
	"io"

	"nightjar/crawler/texts"
	"nightjar/model"
	"nightjar/model/measure"
)

// tellReport prints how sure a model is; of fewer than five useful pages, only that they are too few.
func tellReport(w io.Writer, r *model.Report) error {
	if r.Useful() < measure.EnoughUseful {
		_, err := fmt.Fprintf(w, "  how sure it is: %s\n", r.Verdict)
		return err
	}
	tried := "was not tried"
	if r.Rehearsal != nil {
		sum := r.Rehearsal.Sum()
		tried = fmt.Sprintf("%s %s, in order %s, random %s", r.Rehearsal.Strategy, figure(sum.Area), figure(sum.BreadthFirst), figure(sum.Random))
	}
	_, err := fmt.Fprintf(w, `  how sure it is, on %s: %s
    a night, area of recall       %s
    rank of the right link, MRR   the judge %s, by likeness %s, by chance %s
    links left, share correct     %s, always the most common %.2f
    useful from others, AUC       cosine %s, judge %s
    squared error of the judge    %s, of a constant %s
  %s
`, texts.Plural(r.Folds, "fold"), r.Verdict, tried, figure(r.LinkMRR), figure(r.AnchorMRR), figure(r.ChanceMRR), figure(r.HopAgreement), r.HopBaseline,
		figure(r.AUC.Cosine), figure(r.AUC.Judge), figure(r.Brier), figure(r.BrierBase), r.Choice.Why)
	return err
}

// figure formats a figure with its interval, "–" when it was not measured.
func figure(f measure.Figure) string {
	if f.N == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f [%.2f, %.2f]", f.Value, f.Low, f.High)
}
