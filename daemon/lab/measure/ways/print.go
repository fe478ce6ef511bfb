package ways

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strconv"

	"nightjar/crawler/strategy"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/lab/verb"
	"nightjar/model/measure"
)

// groups are the groups of tasks, in the order in which they are printed.
var groups = []string{"WebKB", "Wikispeedia"}

// base is the contender that the others are compared with.
const base = "crf, hops"

func (r *result) heading() string {
	return fmt.Sprintf("Ways: %d trials, seeds %s, budget of WebKB %d pages", len(r.Trials), verb.Joined(r.Seeds), r.Budget)
}

func (r *result) tables() []devtool.Table {
	var all []devtool.Table
	add := func(t devtool.Table) {
		if len(t.Rows) > 1 {
			all = append(all, t)
		}
	}
	add(r.labelling())
	for _, g := range groups {
		add(r.crawls(g))
	}
	add(r.questions())
	add(r.byTask())
	return all
}

// labelling is the table of how well ways were labelled.
func (r *result) labelling() devtool.Table {
	t := devtool.Table{Title: "Labels of ways through a university that was not learned from", Rows: [][]string{{
		"Labels", "Trials", "Precision of goal", "Recall of goal", "F1 of goal", "Right of all labels", "Ways learned from", "Ways labelled", "Labels", "Features",
	}}}
	for _, kind := range []struct {
		name string
		of   func(*trial) *labelled
	}{{"hops", func(t *trial) *labelled { return t.Hops }}, {"milestones", func(t *trial) *labelled { return t.Milestones }}} {
		if row := r.labelRow(kind.name, kind.of); row != nil {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// labelRow is the means over the trials, nil without any.
func (r *result) labelRow(name string, of func(*trial) *labelled) []string {
	var precision, recall, f1, accuracy, learned, positive, tested, testedPositive, labels, features []float64
	for i := range r.Trials {
		c := of(&r.Trials[i])
		if c == nil {
			continue
		}
		precision, recall = append(precision, c.precision()), append(recall, c.recall())
		f1, accuracy = append(f1, c.f1()), append(accuracy, c.accuracy())
		learned, positive = append(learned, float64(c.Learned)), append(positive, float64(c.Positives))
		tested, testedPositive = append(tested, float64(c.Paths)), append(testedPositive, float64(c.Positive))
		labels, features = append(labels, float64(c.Labels)), append(features, float64(c.Features))
	}
	if len(f1) == 0 {
		return nil
	}
	return []string{
		name, strconv.Itoa(len(f1)), figure(precision, name+"p"), figure(recall, name+"r"), figure(f1, name+"f"), figure(accuracy, name+"a"),
		fmt.Sprintf("%.0f (%.0f positive)", mean(learned), mean(positive)), fmt.Sprintf("%.0f (%.0f positive)", mean(tested), mean(testedPositive)),
		fmt.Sprintf("%.0f", mean(labels)), fmt.Sprintf("%.0f", mean(features)),
	}
}

// crawls is the table of a group's crawls.
func (r *result) crawls(group string) devtool.Table {
	t := devtool.Table{Title: group + ": area of the crawl, as a share of the oracle's", Rows: [][]string{{"Strategy", "Trials", "Mean", "Against " + base, "Better in"}}}
	for _, c := range contenders(r.Others) {
		var own, paired, ours []float64
		better := 0
		for _, one := range r.Trials {
			area, ok := one.Areas[c.name]
			if one.Group != group || !ok {
				continue
			}
			own = append(own, area)
			if b, ok := one.Areas[base]; ok {
				paired, ours = append(paired, area), append(ours, b)
				better += count(area > b)
			}
		}
		if len(own) == 0 {
			continue
		}
		against, times := "", ""
		if c.name != base && len(paired) > 0 {
			f := measure.Difference(paired, ours, random(group+c.name)).Within(-1, 1)
			against = fmt.Sprintf("%+.3f [%+.3f, %+.3f]", f.Value, f.Low, f.High)
			times = fmt.Sprintf("%d of %d", better, len(paired))
		}
		t.Add(c.name, len(own), figure(own, group+c.name), against, times)
	}
	return t
}

// asked are questions that the difference between two contenders answers.
var asked = []struct{ question, a, b string }{
	{"Does the chain add anything to the link alone?", "crf, hops", "link regression, hops"},
	{"The same, with milestones", "crf, milestones", "link regression, milestones"},
	{"Are milestones better than hops?", "crf, milestones", "crf, hops"},
	{"Is what ways really got a better reward than the printed one?", "crf, hops", "crf-printed, hops"},
	{"The same, with milestones", "crf, milestones", "crf-printed, milestones"},
	{"Is it better than a generic focused crawler?", "crf, hops", "best-classifier"},
	{"The same, with milestones", "crf, milestones", "best-classifier"},
	{"Is it better than what Nightjar does by default?", "crf, hops", strategy.Best},
	{"The same, with milestones", "crf, milestones", strategy.Best},
}

// questions is the table of paired differences that answer what was asked.
func (r *result) questions() devtool.Table {
	t := devtool.Table{Title: "Answers", Rows: [][]string{{"Question", "Area of", "less that of", "On", "Difference", "Ratio of the means"}}}
	for _, q := range asked {
		for _, g := range groups {
			var a, b []float64
			for _, one := range r.Trials {
				x, okA := one.Areas[q.a]
				y, okB := one.Areas[q.b]
				if one.Group == g && okA && okB {
					a, b = append(a, x), append(b, y)
				}
			}
			if len(a) == 0 {
				continue
			}
			f := measure.Difference(a, b, random(q.a+q.b+g)).Within(-1, 1)
			t.Add(q.question, q.a, q.b, g, fmt.Sprintf("%+.3f [%+.3f, %+.3f]", f.Value, f.Low, f.High), fmt.Sprintf("%.2f", mean(a)/mean(b)))
		}
	}
	return t
}

// byTask is the table of all tasks, means over the seeds.
func (r *result) byTask() devtool.Table {
	head := []string{"Task"}
	for _, c := range contenders(r.Others) {
		head = append(head, c.name)
	}
	t := devtool.Table{Title: "By task", Rows: [][]string{head}}
	for i, one := range r.Trials {
		if i > 0 && r.Trials[i-1].Task == one.Task || one.Areas == nil {
			continue
		}
		row := []string{one.Task}
		for _, c := range contenders(r.Others) {
			var areas []float64
			for _, other := range r.Trials {
				if area, ok := other.Areas[c.name]; ok && other.Task == one.Task {
					areas = append(areas, area)
				}
			}
			cell := "-"
			if len(areas) > 0 {
				cell = fmt.Sprintf("%.3f", mean(areas))
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// figure is a mean share with its interval over the trials.
func figure(values []float64, name string) string {
	f := measure.Mean(values, random(name)).Within(0, 1)
	return fmt.Sprintf("%.3f [%.3f, %.3f]", f.Value, f.Low, f.High)
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// random is the source of a figure's resamples, the same each time.
func random(name string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(name)) // a hash takes everything
	return rand.New(rand.NewPCG(h.Sum64(), 0x77617973))
}

const intro = `The strategy crf learns from the ways that a person took, with a conditional random field over pages and links ([CRF] ch.
4-5). Here its field labels ways that it has not seen, and leads crawls. Hops label a page by its distance from a useful one,
milestones by its class in WebKB. "printed" is the reward as the thesis prints it, the other one is what ways through a label
really got. "Link regression" is the same without a chain: a logistic regression that tells the label from the features of the
link alone, with the same rewards. The other strategies learned from the same sessions. Intervals are of 95 %, by
Student's t over the trials (tasks and seeds). The thesis refers to a paper whose abstract claims twice the harvest of generic
focused crawlers; best-classifier stands for these.`

const remark = "Links that the recording lacks cost nothing. Ways through WebKB are simulated walks; those of Wikispeedia are people's games.\n"
