package cli

import (
	"fmt"
	"io"

	"nightjar/model"
	"nightjar/model/measure"
)

// tellReport prints how sure a model is.
func tellReport(w io.Writer, r *model.Report) error {
	_, err := fmt.Fprintf(w, `  how sure it is, on %s: %s
    rank of the right link, MRR   %s, by anchor text %s, by chance %s
    links left, share correct     %s, always the most common %.2f
    useful from others, AUC       cosine %s, judge %s
    squared error of the judge    %s, of a constant %s
    rehearsal, area               words %s, clusters %s
  %s
`, plural(r.Folds, "fold"), r.Verdict, figure(r.LinkMRR), figure(r.AnchorMRR), figure(r.ChanceMRR), figure(r.HopAgreement), r.HopBaseline,
		figure(r.AUC.Cosine), figure(r.AUC.Judge), figure(r.Brier), figure(r.BrierBase), figure(r.Crawl.Soft), figure(r.Crawl.Hard), r.Choice.Why)
	return err
}

// figure formats a figure with its interval, "–" when it was not measured.
func figure(f measure.Figure) string {
	if f.N == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f [%.2f, %.2f]", f.Value, f.Low, f.High)
}
