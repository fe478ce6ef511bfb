package pages

import (
	"strings"

	"nightjar/crawler/strategy"
	"nightjar/daemon/chart"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/web/frame"
	"nightjar/model"
	"nightjar/model/ways"
)

// trailLine describes one step of a trail.
type trailLine struct {
	Link    frame.Link
	Anchor  string
	Start   bool
	Visited bool       // by the person: it was not fetched
	List    frame.Link // of its host, that it was in; without an address if a page linked to it
	Reading string
	Worker  string // that fetched it, "" for this machine
	Words   []string
	Why     *whyView // why the link to it was followed; nil when the strategy gave no reasons
	Label   string   // of the ways that the person took, "" without milestones
}

// explain describes a trail, and reports whether the lines have estimates from the whole trail. b is nil when the model is
// gone, and name is the strategy's name.
func explain(trail []finds.Step, b *model.Bundle, name string) (lines []trailLine, whole bool) {
	var hops []int
	var labels []strategy.StepLabel
	if b != nil {
		hops = strategy.Hops(b, finds.Evidence(trail))
		labels = strategy.Labels(b, finds.Signs(trail))
		if hops == nil {
			hops = strategy.LabelHops(b, labels)
		}
	}
	for i, step := range trail {
		hop := unknownHop
		if hops != nil {
			hop = hops[i]
		}
		reads, label := reading(step, hop), ""
		if labels != nil && b.Ways.Labelling == ways.Milestones {
			reads = milestone(labels[i]) + " " + reads
			label = frame.LabelName(labels[i].Label)
		}
		lines = append(lines, trailLine{
			Link: frame.LinkTo(step.URL, step.Title), Anchor: step.Anchor, Start: i == 0, Visited: step.Visited, List: listLink(step),
			Reading: reads, Worker: step.Worker, Words: b.ClusterWords(step.Cluster, 5), Why: whyStep(step, name),
			Label: label,
		})
	}
	return lines, hops != nil || labels != nil
}

// listLink leads to the list that a page was in.
func listLink(step finds.Step) frame.Link {
	if step.Feed {
		return frame.Link{URL: step.List, Name: "a feed of its site"}
	}
	return frame.Link{URL: step.List, Name: "a list of its site"}
}

// course lists the labels of a trail, each run of equal ones once. It is nil when its pages have no labels.
func course(lines []trailLine) []string {
	var names []string
	for _, line := range lines {
		if line.Label != "" && (len(names) == 0 || names[len(names)-1] != line.Label) {
			names = append(names, line.Label)
		}
	}
	return names
}

// milestone describes the label of a page, among the labels of the ways the person took.
func milestone(l strategy.StepLabel) string {
	kind, is := "a page that you named “"+l.Label+"”", frame.Percent(l.Probability)+"."
	switch before, pre := strings.CutPrefix(l.Label, "pre-"); {
	case l.Label == "goal":
		kind = "a useful page"
	case l.Label == "fail":
		kind = "a page that leads nowhere"
	case pre && before == "goal":
		kind = "a page on the way to a useful one"
	case pre && before == "fail":
		kind = "a page on the way to one that leads nowhere"
	case pre:
		kind = "a page on the way to “" + before + "”"
	}
	return "Most likely " + kind + ", " + is
}

// unknownHop is the hop of a page without an estimate from the whole trail.
const unknownHop = -1

// reading describes the model's estimate of the number of links from a page to a useful one: first hop, estimated from the
// whole trail, then the estimate when the page was read.
func reading(t finds.Step, hop int) string {
	if len(t.States) == 0 {
		return likely(t.Useful, t.Similarity) + "."
	}
	best, last := 0, len(t.States)-1
	for i, p := range t.States {
		if p > t.States[best] {
			best = i
		}
	}
	var text string
	switch seen := ", " + frame.Percent(t.States[best]) + "."; {
	case hop == unknownHop && best == 0:
		text = "Looked like " + away(best, last) + seen
	case hop == unknownHop:
		text = "Looked " + away(best, last) + seen
	case hop == best:
		text = "Most likely " + away(hop, last) + "; at first sight too" + seen
	default:
		text = "Most likely " + away(hop, last) + "; at first sight " + away(best, last) + seen
	}
	if silent := t.Cluster < 0 || hop != unknownHop; silent && len(t.Evidence)+len(t.Signs) == 0 {
		text += " None of its words were known, so this estimate comes from the page before."
	}
	return text
}

// away describes a number of links to a useful page; last means that many or more.
func away(hops, last int) string {
	switch hops {
	case 0:
		return "a useful page itself"
	case last:
		return chart.Plural(hops, "link", "links") + " away or more"
	default:
		return chart.Plural(hops, "link", "links") + " away"
	}
}

// likely describes the probability by the judge that a page is useful or, without a judge (useful is 0), its similarity to a
// useful page.
func likely(useful, similarity float64) string {
	if useful == 0 {
		return frame.Percent(similarity) + " similar to a page you marked"
	}
	return frame.Percent(useful) + " likely useful"
}
