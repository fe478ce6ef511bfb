package pages

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"nightjar/crawler/feature"
	"nightjar/daemon/chart"
	"nightjar/daemon/web/frame"
	"nightjar/model/crf"
	"nightjar/model/ways"
)

// Numbers of features listed for a label, and of labels whose features are shown unfolded.
const (
	featuresOfLabel = 10
	unfoldedLabels  = 1
)

// waysView shows what a model learned from the ways to useful pages.
type waysView struct {
	None       string      // why nothing was learned from ways and what to do, "" otherwise
	Says       string      // which ways it learned from
	Hops       bool        // the labels are numbers of links, not milestones
	Caption    string      // of Boxes
	Boxes      []labelBox  // the labels and the strongest steps between them
	Labels     []labelCard // the goal first, then by worth
	MoreLabels []labelCard // folded
	Sure       waysSure
	Paths      wayTable
	Numbers    []toldLine  // of the training
	Folds      []ways.Fold // the choices of c₂ and γ that were tried
	Steps      []stepLine
}

// labelCard is a label with the features that speak most for it.
type labelCard struct {
	ID, Name, Meaning string
	Worth             string
	Visits, Printed   string // the worth by each method of calculation
	Page, Link        []weighed
}

// labelBox is a label with the steps from it that are shown.
type labelBox struct {
	Name, Worth string
	Share       float64 // of the largest worth
	Goal        bool
	To          []stepLine
}

// labelBoxes lists the labels, those of least worth first and the goal last.
func labelBoxes(w *ways.Ways) []labelBox {
	worth := w.Worth(w.Reward)
	boxes := make([]labelBox, len(w.Labels))
	order := make([]int, len(w.Labels))
	for i, name := range w.Labels {
		order[i] = i
		boxes[i] = labelBox{Name: frame.LabelName(name), Worth: frame.Decimal(worth[i]), Share: min(max(worth[i], 0), 1), Goal: i == w.Goal}
	}
	for _, s := range strongSteps(len(w.Labels), w.Field.Steps) {
		boxes[s.From].To = append(boxes[s.From].To, stepLine{To: frame.LabelName(w.Labels[s.To]), Weight: frame.Signed(s.Weight)})
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(btoi(a == w.Goal), btoi(b == w.Goal)), cmp.Compare(worth[a], worth[b]))
	})
	sorted := make([]labelBox, 0, len(boxes))
	for _, i := range order {
		sorted = append(sorted, boxes[i])
	}
	return sorted
}

type toldLine struct{ Name, Value string }

// noWays is shown for a model that does not say why it has no ways.
const noWays = "This version learned nothing from ways. Train again."

// waysOf describes what was learned from ways. w is nil when nothing was, and none says why. onlyWrong leaves out the paths
// whose labels are all right; the table begins with way number from.
func waysOf(w *ways.Ways, none string, onlyWrong bool, from int) waysView {
	if w == nil {
		return waysView{None: frame.Sentence(cmp.Or(none, noWays))}
	}
	v := waysView{Says: waysSay(w.Facts), Hops: w.Labelling == ways.Hops}
	v.Caption, v.Boxes = labelsCaption(w), labelBoxes(w)
	cards := labelCards(w)
	cut := min(len(cards), unfoldedLabels)
	v.Labels, v.MoreLabels = cards[:cut], cards[cut:]
	v.Sure = waysSureOf(w)
	v.Paths = wayTableOf(w, onlyWrong, from)
	v.Numbers, v.Folds, v.Steps = waysNumbers(w), w.Facts.Folds, stepLines(w)
	return v
}

// labelsCaption explains the list of labels.
func labelsCaption(w *ways.Ways) string {
	positive := 0
	for _, weight := range w.Field.Steps {
		positive += btoi(weight > 0)
	}
	caption := rewardSays(w) + " Arrows lead to the labels that most often follow."
	if shown := len(strongSteps(len(w.Labels), w.Field.Steps)); shown < positive {
		caption += fmt.Sprintf(" Only the strongest %d of %d steps with a weight above 0 are shown.", shown, positive)
	}
	return caption
}

// rewardSays explains the worth of a label.
func rewardSays(w *ways.Ways) string {
	discount := frame.Decimal(w.Gamma)
	if w.Reward == ways.Printed {
		return "The stronger the colour of a box, the more often it leads to useful pages. Its worth is what the model expects of " +
			"the pages that follow, with a factor of " + discount + " for each link."
	}
	return "The stronger the colour of a box, the more often it leads to useful pages. Its worth is what ways through its pages " +
		"really brought. A useful page gives 1, and each link before it has a factor of " + discount + "."
}

// beforePrefix begins the labels of pages before those with another label, [CRF] §3.3.
const beforePrefix = "pre-"

// labelMeaning explains a label.
func labelMeaning(w *ways.Ways, label int) string {
	if w.Labelling == ways.Hops {
		return stateMeaning(label, len(w.Labels))
	}
	name := w.Labels[label]
	rest, before := strings.CutPrefix(name, beforePrefix)
	switch {
	case label == w.Goal:
		return "useful pages"
	case name == "fail":
		return "pages where you turned back"
	case !before || !slices.Contains(w.Labels, rest):
		return "your milestone"
	case rest == w.Labels[w.Goal]:
		return "pages before a useful page"
	case rest == "fail":
		return "pages before one where you turned back"
	}
	return "pages before " + frame.LabelName(rest)
}

// labelCards lists the labels with the features that speak most for them.
func labelCards(w *ways.Ways) []labelCard {
	worth := w.Worth(w.Reward)
	page := heaviestFeatures(w.PageFeatures, &w.Field.Pages, len(w.Labels))
	link := heaviestFeatures(w.LinkFeatures, &w.Field.Links, len(w.Labels))
	order := make([]int, len(w.Labels))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if a == w.Goal || b == w.Goal {
			return cmp.Compare(btoi(b == w.Goal), btoi(a == w.Goal))
		}
		return cmp.Compare(worth[b], worth[a])
	})
	var cards []labelCard
	for _, i := range order {
		cards = append(cards, labelCard{ID: fmt.Sprint("label-", i), Name: frame.LabelName(w.Labels[i]), Meaning: labelMeaning(w, i),
			Worth: frame.Decimal(worth[i]), Visits: frame.Three(w.Visits[i]), Printed: frame.Three(w.Printed[i]), Page: page[i], Link: link[i]})
	}
	return cards
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// heaviestFeatures lists for each label the features with the largest weights above 0, in words, largest first.
func heaviestFeatures(names []string, t *crf.Table, labels int) [][]weighed {
	type entry struct {
		feature int
		weight  float64
	}
	of := make([][]entry, labels)
	for f := range t.Rows() {
		for e := t.Start[f]; e < t.Start[f+1]; e++ {
			if t.Weight[e] > 0 {
				of[t.Label[e]] = append(of[t.Label[e]], entry{f, t.Weight[e]})
			}
		}
	}
	all := make([][]weighed, labels)
	for y, list := range of {
		slices.SortFunc(list, func(a, b entry) int {
			return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.feature, b.feature))
		})
		for _, e := range list[:min(featuresOfLabel, len(list))] {
			all[y] = append(all[y], weighed{chart.Shorten(60, frame.Printable(feature.Words(names[e.feature]))), frame.Signed(e.weight)})
		}
	}
	return all
}

type labelStep struct {
	From, To int
	Weight   float64
}

// strongSteps returns the steps that are shown: from each label the one with the largest weight above 0, and up to two more
// with at least a quarter of the largest weight of all; fewer when there are many labels. The strongest is first.
func strongSteps(labels int, steps []float64) []labelStep {
	var most float64
	for _, w := range steps {
		most = max(most, w)
	}
	count := min(3, max(1, 36/max(1, labels)))
	var all []labelStep
	strongest := func(a, b labelStep) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	}
	for from := range labels {
		var row []labelStep
		for to, w := range steps[from*labels : (from+1)*labels] {
			if w > 0 {
				row = append(row, labelStep{from, to, w})
			}
		}
		slices.SortFunc(row, strongest)
		for i, s := range row[:min(count, len(row))] {
			if i == 0 || s.Weight >= most/4 {
				all = append(all, s)
			}
		}
	}
	slices.SortFunc(all, strongest)
	return all
}
