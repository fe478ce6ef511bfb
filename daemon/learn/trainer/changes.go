package trainer

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"nightjar/daemon/learn/models"
	"nightjar/model"
	"nightjar/model/measure"
)

// version is a model with the facts that are stored beside it.
type version struct {
	bundle *model.Bundle // nil when it cannot be read
	facts  models.Facts
}

const (
	tellingWords = 12 // number of words typical of useful pages that are compared
	namedPages   = 3  // most pages that a change names
)

// changes collects what differs between two versions of a model, as phrases and as numbers.
type changes struct {
	words   []string
	numbers []models.Change
}

// number notes that a number changed, and says so in words when the change shows in two decimals.
func (c *changes) number(what string, was, is float64) {
	if was == is {
		return
	}
	c.numbers = append(c.numbers, models.Change{What: what, Was: was, Is: is})
	if was, is := fmt.Sprintf("%.2f", was), fmt.Sprintf("%.2f", is); was != is {
		c.words = append(c.words, fmt.Sprintf("the %s is %s, was %s", what, is, was))
	}
}

// count notes that a number of things changed.
func (c *changes) count(n count) {
	if n.was != n.is {
		c.numbers = append(c.numbers, models.Change{What: n.many, Was: float64(n.was), Is: float64(n.is)})
		c.words = append(c.words, n.words())
	}
}

// say notes a phrase, unless it is empty.
func (c *changes) say(phrase string) {
	if phrase != "" {
		c.words = append(c.words, phrase)
	}
}

// aLot is by how much the threshold of finds must change for people to read of it beside their finds.
const aLot = 0.15

// shown says how what makes a page a find differs between two versions, and what follows for the person; "" for no change that
// shows in two decimals, and when a version cannot be read. lot reports whether it changed a lot.
func shown(was, is *model.Bundle) (says string, lot bool) {
	if was == nil || is == nil {
		return "", false
	}
	by, least, rule := findsBy(is)
	before, wasLeast, wasRule := findsBy(was)
	if rule == wasRule {
		return "", false
	}
	if by != before {
		return fmt.Sprintf("a page is a find now if it is %s; before, if it was %s: expect other finds than before", rule, wasRule), true
	}
	more := "fewer"
	if least < wasLeast {
		more = "more"
	}
	return fmt.Sprintf("a page is a find now if it is %s; before, if it was %s: expect %s finds", rule, wasRule, more), math.Abs(least-wasLeast) >= aLot
}

// findsBy returns the test that makes a page a find (model.Bundle.Relevant), its threshold, and both in words.
func findsBy(b *model.Bundle) (by string, least float64, rule string) {
	if b.Choice.Relevance == model.RelevantByJudge {
		return model.RelevantByJudge, b.Judge.Threshold, fmt.Sprintf("at least %.0f %% likely useful", 100*b.Judge.Threshold)
	}
	return model.RelevantByCosine, b.Gamma.Value, fmt.Sprintf("at least %.0f %% similar to a useful page", 100*b.Gamma.Value)
}

// compare returns what differs between two versions of a model. There is always at least one phrase.
func compare(was, is version) (words []string, numbers []models.Change) {
	var c changes
	for _, n := range counted(was.facts, is.facts) {
		c.count(n)
	}
	if was.bundle != nil && is.bundle != nil {
		c.count(count{"hidden state", "hidden states", was.bundle.Settings.States, is.bundle.Settings.States})
	}
	says, _ := shown(was.bundle, is.bundle)
	c.say(says)
	c.number("threshold γ", was.facts.Gamma, is.facts.Gamma)
	if was.bundle != nil && is.bundle != nil {
		c.number("threshold of the judge", was.bundle.Judge.Threshold, is.bundle.Judge.Threshold)
		c.words = append(c.words, newlyUseful(was.bundle, is.bundle)...)
		c.words = append(c.words, newWords(was.bundle, is.bundle)...)
	}
	if len(c.words) == 0 {
		c.words = []string{"no change that can be measured"}
	}
	return c.words, c.numbers
}

// compareWith notes in a version's facts what differs from the version before.
func compareWith(facts *models.Facts, was version, b *model.Bundle) {
	facts.Changes, facts.Numbers = compare(was, version{b, *facts})
	facts.Shown = ""
	if says, lot := shown(was.bundle, b); lot {
		facts.Shown = says
	}
}

// count is how many things of a kind two versions have.
type count struct {
	one, many string
	was, is   int
}

func counted(was, is models.Facts) []count {
	return []count{
		{"session", "sessions", len(was.Sessions), len(is.Sessions)},
		{"document", "documents", len(was.Documents), len(is.Documents)},
		{"page", "pages", was.Pages, is.Pages},
		{"useful page", "useful pages", was.Targets, is.Targets},
		{"page marked Not useful", "pages marked Not useful", was.Rejected, is.Rejected},
		{"link", "links", was.Edges, is.Edges},
		{"word", "words", was.Terms, is.Terms},
		{"dimension", "dimensions", was.Rank, is.Rank},
		{"cluster", "clusters", was.Clusters, is.Clusters},
		{"background page", "background pages", was.Background, is.Background},
	}
}

// words returns a phrase like "14 pages, 6 more than before".
func (c count) words() string {
	name, compared := c.many, "more"
	if c.is == 1 {
		name = c.one
	}
	if c.is < c.was {
		compared = "fewer"
	}
	return fmt.Sprintf("%d %s, %d %s than before", c.is, name, max(c.is-c.was, c.was-c.is), compared)
}

// newlyUseful names the pages that are useful now and were known, but not useful, in the version before.
func newlyUseful(was, is *model.Bundle) []string {
	notUseful := map[string]bool{}
	for _, p := range was.Pages {
		notUseful[p.URL] = !p.Target
	}
	var names []string
	for _, p := range is.Pages {
		if p.Target && notUseful[p.URL] {
			name := p.Title
			if name == "" {
				name = p.URL
			}
			names = append(names, "“"+name+"”")
		}
	}
	switch n := len(names); {
	case n == 0:
		return nil
	case n > namedPages:
		names = append(names[:namedPages], fmt.Sprintf("%d more", n-namedPages))
	}
	return []string{"now useful: " + strings.Join(names, ", ")}
}

// newWords returns which words became typical of useful pages, and which no longer are.
func newWords(was, is *model.Bundle) []string {
	before, now := telling(was), telling(is)
	missing := func(from, in []string) []string {
		return slices.DeleteFunc(slices.Clone(from), func(w string) bool { return slices.Contains(in, w) })
	}
	var words []string
	if added := missing(now, before); len(added) > 0 {
		words = append(words, "new typical words of useful pages: "+strings.Join(added, ", "))
	}
	if gone := missing(before, now); len(gone) > 0 {
		words = append(words, "no longer typical: "+strings.Join(gone, ", "))
	}
	return words
}

// telling returns the words that best distinguish useful pages from others.
func telling(b *model.Bundle) []string {
	var words []string
	if len(b.Clusters) == 0 {
		return nil
	}
	for _, w := range b.Clusters[0].LogOdds[:min(tellingWords, len(b.Clusters[0].LogOdds))] {
		words = append(words, w.Word)
	}
	return words
}

// compareReports returns what differs between two reports, as far as both measured it.
func compareReports(was, is *model.Report) (words []string, numbers []models.Change) {
	if was == nil || is == nil {
		return nil, nil
	}
	var c changes
	for _, f := range []struct {
		what    string
		was, is measure.Figure
	}{
		{"mean reciprocal rank of the right link", was.LinkMRR, is.LinkMRR},
		{"share of hop labels predicted correctly", was.HopAgreement, is.HopAgreement},
		{"ROC AUC of the cosine", was.AUC.Cosine, is.AUC.Cosine},
		{"ROC AUC of the judge", was.AUC.Judge, is.AUC.Judge},
		{"Brier score of the judge", was.Brier, is.Brier},
	} {
		if f.was.N > 0 && f.is.N > 0 {
			c.number(f.what, f.was.Value, f.is.Value)
		}
	}
	return c.words, c.numbers
}
