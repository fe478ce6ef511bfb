package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"nightjar/crawler/feature"
	"nightjar/crawler/strategy"
	"nightjar/daemon/app"
	"nightjar/daemon/command"
	"nightjar/daemon/trainer"
	"nightjar/model"
	"nightjar/model/ways"
)

// asksForWays reports whether a flag says how ways are learned, or that they must be.
func (o *trainOptions) asksForWays() bool {
	return strategy.Needs(o.strategy) == strategy.Ways || o.labels != "" || o.reward != ""
}

// check checks the flags that say how ways are learned.
func (o *trainOptions) check() error {
	switch {
	case o.strategy != "" && o.strategy != strategy.Auto && !strategy.Known(o.strategy):
		return command.Usagef("unknown strategy %q: known are %s and %v", o.strategy, strategy.Auto, strategy.Names())
	case o.labels != "" && !slices.Contains([]ways.Labelling{ways.Milestones, ways.Hops}, ways.Labelling(o.labels)):
		return command.Usagef("--labels must be %s or %s, not %q", ways.Milestones, ways.Hops, o.labels)
	case o.reward != "" && !slices.Contains([]ways.Reward{ways.Visits, ways.Printed}, ways.Reward(o.reward)):
		return command.Usagef("--reward must be %s or %s, not %q", ways.Visits, ways.Printed, o.reward)
	}
	return nil
}

// headingSets are those of the data folder when --data names one, and otherwise the default ones: session files are learned
// from without a data folder.
func (o *trainOptions) headingSets() (feature.Sets, error) {
	if o.Data == "" {
		return feature.DefaultSets(), nil
	}
	return trainer.HeadingSets(o.Data)
}

// fit is an error when the model does not hold what the asked strategy needs.
func (o *trainOptions) fit(b *model.Bundle) error {
	lacks := strategy.Lacks(o.strategy, b)
	if lacks == "" {
		return nil
	}
	hint := "crawl with another strategy, or let the daemon train the topic: a session alone has no pages from elsewhere"
	if strategy.Needs(o.strategy) == strategy.Ways {
		hint = "nightjar export --paths shows the ways that there are; other strategies need none"
	}
	return app.WithHint(fmt.Errorf("train for %s: %w", o.strategy, errors.New(lacks)), "%s", hint)
}

// tellWays prints what was learned from ways.
func tellWays(w io.Writer, learned *ways.Ways) error {
	f := learned.Facts
	_, err := fmt.Fprintf(w, `  %s over %s: %d to a useful page, %d that led nowhere
    %s (%s), %s of %s, %s dropped
    F %.3f after %s, c₂ %g, γ %g, reward %s
`, command.Plural(f.Positive+f.Negative, "way"), command.Plural(f.Pages, "page"), f.Positive, f.Negative, command.Plural(len(learned.Labels), "label"),
		learned.Labelling, command.Plural(f.Weights, "weight"), command.Plural(len(learned.PageFeatures)+len(learned.LinkFeatures), "feature"),
		command.Plural(f.Dropped, "rare one"), f.Objective, command.Plural(f.Iterations, "iteration"), learned.C2, learned.Gamma, learned.Reward)
	if err != nil {
		return err
	}
	for y, label := range learned.Labels {
		if _, err := fmt.Fprintf(w, "      %-20s worth %.3f, as printed %.3f\n", label, learned.Visits[y], learned.Printed[y]); err != nil {
			return err
		}
	}
	r := learned.Report
	if r == nil {
		_, err = fmt.Fprintln(w, "    too few sites and visits to hold any back: how well it labels pages is not known")
		return err
	}
	_, err = fmt.Fprintf(w, `    on %s, each without a %s; %s of %s:
      goal precision %s, recall %s, F1 %s; all labels %s
`, command.Plural(r.Folds, "fold"), r.HeldBy, command.Plural(r.Pages, "page"), command.Plural(r.Paths, "way"), figure(r.Precision), figure(r.Recall), figure(r.F1), figure(r.Accuracy))
	return err
}

// waysJSON is what was learned from ways, as it is printed.
type waysJSON struct {
	Labelling  ways.Labelling `json:"labelling"`
	Count      int            `json:"labels_count"` // L
	Labels     []string       `json:"labels"`
	Weights    int            `json:"weights"`
	Iterations int            `json:"iterations"`
	Objective  float64        `json:"objective"` // F
	C2         float64        `json:"c2"`
	Gamma      float64        `json:"gamma"`
	Threshold  float64        `json:"threshold"`
	Folds      []ways.Fold    `json:"folds"`
	Reward     ways.Reward    `json:"reward"`
	Visits     []float64      `json:"visits"`  // R of each label
	Printed    []float64      `json:"printed"` // R of each label, as printed
	Steps      [][]float64    `json:"steps"`   // A: from (row) to (column)
	Facts      ways.Facts     `json:"facts"`
	Report     *ways.Report   `json:"report"`
}

// waysOf is nil when nothing was learned.
func waysOf(w *ways.Ways) *waysJSON {
	if w == nil {
		return nil
	}
	return &waysJSON{
		Labelling: w.Labelling, Count: len(w.Labels), Labels: w.Labels, Weights: w.Facts.Weights, Iterations: w.Facts.Iterations,
		Objective: w.Facts.Objective, C2: w.C2, Gamma: w.Gamma, Threshold: w.Threshold, Folds: w.Facts.Folds, Reward: w.Reward,
		Visits: w.Visits, Printed: w.Printed, Steps: slices.Collect(slices.Chunk(w.Field.Steps, len(w.Labels))), Facts: w.Facts, Report: w.Report,
	}
}
