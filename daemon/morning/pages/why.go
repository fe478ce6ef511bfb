package pages

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"nightjar/crawler"
	"nightjar/crawler/strategy"
	"nightjar/daemon/chart"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/web/frame"
)

// Number of reasons shown for a link, against it, and, where they cannot be compared with those of other links, in all.
const (
	shownFor     = 5
	shownAgainst = 3
	shownParts   = 6
)

// whyView shows why the link to a page was followed.
type whyView struct {
	Says    string   // how it was chosen, in a sentence; "" when that is not known
	Before  string   // how many of the others it came before, in a sentence; "" when the reasons say it, or it is not known
	For     []whyRow // what sets it apart from the typical waiting link, most important first
	Against []whyRow
	Parts   []string // what the strategy weighed, most important first, where nothing is known of other links
	Numbers []whyRow // all reasons, largest weight first
	Total   string   // sum of the weights
	Sum     string   // what the sum means, in a sentence
}

// whyRow is one reason. Its bar is as long as its weight.
type whyRow struct {
	Name   string
	Weight string
	W      string // width of the bar in percent
}

// whyStep shows why the link to a page of a trail was followed; nil when nothing is known about that.
func whyStep(step finds.Step, name string) *whyView {
	if step.Chosen == nil && len(step.Why) == 0 {
		return nil
	}
	v := &whyView{}
	reasons := named(step.Why)
	if c := step.Chosen; c != nil {
		name = cmp.Or(c.By, name)
		v.Says = howChosen(c, name)
		if c.Compared == 0 && c.Sample > 0 {
			v.Before = cameBefore(c)
		}
	}
	if len(reasons) == 0 {
		return v
	}
	if c := step.Chosen; c != nil && c.Compared > 0 {
		v.apart(reasons)
		if c.How == crawler.ByBest && c.Worth < c.Typical {
			v.Before = "That was so when the crawl last sorted the links. By what it had learned since, the typical one was worth more."
		}
		v.Sum = "This link was worth " + frame.Signed(c.Worth) + ", the mean of " + chart.Plural(c.Compared, "other waiting link", "other waiting links") +
			" was " + frame.Signed(c.Typical) + " (" + strategy.Measure(name) + "). The weights add up to the difference."
	} else {
		v.parts(reasons)
		v.Sum = worthOf(step)
	}
	v.Total = frame.Signed(total(reasons))
	return v
}

// worthOf says what absolute reasons amount to. With labels, they add up to what the link is worth: a useful page far behind
// it counts for less than one behind the next link, which makes it no probability.
func worthOf(step finds.Step) string {
	p := 1 / (1 + math.Exp(-total(step.Why)))
	if len(step.Signs) > 0 {
		return "The weights add up to the natural logarithm of the odds of the link's worth: " + frame.Decimal(p) + ", where a useful page is worth 1."
	}
	return "The weights add up to the natural logarithm of the odds that the link leads to a useful page: " + frame.Percent(p) +
		". What the other links were worth then was not kept."
}

// howChosen says how a link was chosen, by a strategy of this name.
func howChosen(c *crawler.Choice, name string) string {
	best := strategy.BestOf(name)
	if best != "" {
		best = ": " + best
	}
	of := chart.Number(c.Waiting)
	switch {
	case c.By != "":
		return "The trial strategy of the crawl, " + frame.Printable(c.By) + ", chose it: of " + of + " waiting links it was the best whose host could be contacted then" + best + "."
	case c.How == crawler.ByStart:
		return "It is a start page."
	case c.How == crawler.ByLink:
		return "You said that a link to it looks useful."
	case c.How == crawler.ByLook:
		return "It was read in an earlier night. New links may be on it."
	case c.How == crawler.ByNews:
		return "It was the best of the new links on a page that was read in an earlier night."
	case c.How == crawler.ByRetry:
		return "It was being fetched when the crawl was interrupted, so it came first when the crawl went on."
	case c.Waiting <= 1:
		return "It was the only link that waited."
	case c.How == crawler.ByExplorer:
		return "The crawl explored: of " + of + " waiting links it took the best one of a host that it had hardly seen. " +
			chart.Plural(c.Preferred, "other host", "other hosts") + " had a better link."
	case c.How == crawler.ByReady:
		return "Of " + of + " waiting links it was the best whose host could be contacted then" + best + ". " +
			chart.Plural(c.Preferred, "host with a better link was", "hosts with a better link were") + " left alone for a moment."
	}
	return "It was the best of " + of + " waiting links" + best + "."
}

// cameBefore says how many of a sample of waiting links came later.
func cameBefore(c *crawler.Choice) string {
	text := "It came before " + chart.Number(c.Lower) + " of " + chart.Plural(c.Sample, "other link", "other links") + " looked at"
	if c.Level > 0 {
		text += ", and level with " + chart.Number(c.Level)
	}
	return text + "."
}

func total(reasons []strategy.Reason) (sum float64) {
	for _, r := range reasons {
		sum += r.Value
	}
	return sum
}

// named returns the reasons with names that can be shown, largest absolute weight first.
func named(reasons []strategy.Reason) []strategy.Reason {
	all := slices.Clone(reasons)
	for i := range all {
		all[i].Name = chart.Shorten(120, cmp.Or(strings.TrimSpace(frame.Printable(all[i].Name)), "unnamed"))
	}
	slices.SortStableFunc(all, func(a, b strategy.Reason) int { return cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)) })
	return all
}

// apart shows reasons that compare the link with others.
func (v *whyView) apart(reasons []strategy.Reason) {
	most := 0.0
	for _, r := range reasons {
		most = max(most, math.Abs(r.Value))
	}
	for _, r := range reasons {
		row := whyRow{Name: r.Name, Weight: frame.Signed(r.Value)}
		if most > 0 {
			row.W = frame.Tenth(100 * math.Abs(r.Value) / most)
		}
		v.Numbers = append(v.Numbers, row)
		switch {
		case r.Value > 0 && len(v.For) < shownFor:
			v.For = append(v.For, row)
		case r.Value < 0 && len(v.Against) < shownAgainst:
			v.Against = append(v.Against, row)
		}
	}
}

// parts shows reasons that say nothing about other links: by name only, since even the best link has most against it when it
// is compared with certainty.
func (v *whyView) parts(reasons []strategy.Reason) {
	for _, r := range reasons {
		v.Numbers = append(v.Numbers, whyRow{Name: r.Name, Weight: frame.Signed(r.Value)})
		if len(v.Parts) < shownParts {
			v.Parts = append(v.Parts, r.Name)
		}
	}
}
