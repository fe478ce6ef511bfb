package pages

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"nightjar/crawler/weburl"
	"nightjar/daemon/chart"
	"nightjar/daemon/web/frame"
	"nightjar/model/ways"
)

// Numbers of ways that the table shows at once, and of them unfolded.
const (
	waysShown    = 25
	unfoldedWays = 3
)

// wayTable lists ways with the labels of their pages, true and guessed.
type wayTable struct {
	Ways, More []wayLine        // More is folded
	Says       string           // whether the model had learned from them
	All, Wrong int              // ways, and ways with a wrong label
	OnlyWrong  bool             // ways whose labels are all right are left out
	Parts      []frame.RowsPart // of the ways, when they are too many to show at once
}

type wayLine struct {
	Kind  string
	Count string         // how often it was met
	Seen  bool           // the labels were guessed by a model that had learned from it, and not all ways are like this
	Wrong int            // pages with a wrong label
	Began *weburl.Search // nil when it did not begin with a search
	Steps []wayStep
}

// wayStep is a page of a way.
type wayStep struct {
	Link        frame.Link
	Anchor      string
	Label       string // the true one
	Guess       string // "" when it is the true one
	Probability string // of the guessed label
}

// wayTableOf lists the ways of a model, beginning with number from.
func wayTableOf(w *ways.Ways, onlyWrong bool, from int) wayTable {
	t := wayTable{All: len(w.Shown), OnlyWrong: onlyWrong}
	held := 0
	for _, shown := range w.Shown {
		held += btoi(shown.Held)
	}
	t.Says = seenSays(held, len(w.Shown))
	var lines []wayLine
	for _, shown := range positiveFirst(w.Shown) {
		line := wayLineOf(w, shown)
		line.Seen = held > 0 && !shown.Held
		if line.Wrong > 0 {
			t.Wrong++
		}
		if line.Wrong > 0 || !onlyWrong {
			lines = append(lines, line)
		}
	}
	lines, t.Parts = frame.PartOf(lines, from, waysShown)
	cut := min(len(lines), unfoldedWays)
	t.Ways, t.More = lines[:cut], lines[cut:]
	return t
}

// positiveFirst puts the ways to a useful page before the others.
func positiveFirst(all []ways.Shown) []ways.Shown {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b ways.Shown) int { return cmp.Compare(btoi(b.Positive), btoi(a.Positive)) })
	return all
}

// seenSays says whether the labels of ways were guessed by models that had learned from them.
func seenSays(held, all int) string {
	switch {
	case held == all:
		return "Each way was held back from the model that guessed its labels."
	case held == 0:
		return "The model had learned from these ways, so it is better at them than at new ones."
	}
	return "A way was held back from the model that guessed its labels, unless it says “seen”."
}

func wayLineOf(w *ways.Ways, shown ways.Shown) wayLine {
	line := wayLine{Kind: kindName(shown.Kind, shown.Positive), Count: countText(shown.Count)}
	for _, s := range shown.Steps { // result pages come first
		search, ok := weburl.SearchOf(s.URL)
		if !ok {
			break
		}
		line.Began = &search
	}
	for _, s := range shown.Steps {
		step := wayStep{
			Link:   frame.Link{URL: s.URL, Name: chart.Shorten(90, frame.TitleOr(frame.Printable(s.Title), s.URL))},
			Anchor: chart.Shorten(60, frame.Printable(s.Anchor)),
			Label:  frame.LabelName(w.Labels[s.True]), Probability: frame.Percent(s.Probability),
		}
		if s.Predicted != s.True {
			step.Guess = frame.LabelName(w.Labels[s.Predicted])
			line.Wrong++
		}
		line.Steps = append(line.Steps, step)
	}
	return line
}

// kindName describes where a way comes from.
func kindName(kind ways.Kind, positive bool) string {
	switch {
	case kind == ways.Marked:
		return "you walked it to a useful page"
	case kind == ways.Left:
		return "you turned back"
	case kind == ways.Find && positive:
		return "trail of a find you marked Useful"
	case kind == ways.Find:
		return "trail of a find you marked Not useful"
	case kind == ways.Graph:
		return "shortest way, not walked"
	}
	return string(kind)
}

// countText writes how often a way was met.
func countText(m float64) string {
	if m == math.Trunc(m) {
		return chart.Plural(int(m), "time", "times")
	}
	return fmt.Sprintf("%.1f times", m)
}
