package trainer

import (
	"fmt"
	"slices"
	"strings"

	"nightjar/daemon/store"
	"nightjar/model"
	"nightjar/model/measure"
)

// version is a model with what is stored beside it.
type version struct {
	bundle *model.Bundle // nil when it cannot be read
	facts  store.ModelFacts
}

// Words and pages that a change names at most.
const (
	tellingWords = 12 // most telling words of the useful pages that are compared
	namedPages   = 3
)

// compare says in words and numbers what differs between two versions of a model.
func compare(was, is version) (words []string, numbers []store.Change) {
	for _, c := range counted(was.facts, is.facts) {
		if c.was == c.is {
			continue
		}
		numbers = append(numbers, store.Change{What: c.many, Was: float64(c.was), Is: float64(c.is)})
		words = append(words, c.words())
	}
	if c := (store.Change{What: "threshold γ", Was: was.facts.Gamma, Is: is.facts.Gamma}); c.Was != c.Is {
		numbers = append(numbers, c)
		words = append(words, moved(c)...)
	}
	if was.bundle == nil || is.bundle == nil {
		return orNothing(words), numbers
	}
	if c := (store.Change{What: "threshold of the judge", Was: was.bundle.Judge.Threshold, Is: is.bundle.Judge.Threshold}); c.Was != c.Is {
		numbers = append(numbers, c)
		words = append(words, moved(c)...)
	}
	words = append(words, newlyUseful(was.bundle, is.bundle)...)
	words = append(words, newWords(was.bundle, is.bundle)...)
	return orNothing(words), numbers
}

// orNothing is never empty.
func orNothing(words []string) []string {
	if len(words) == 0 {
		return []string{"nothing that can be counted"}
	}
	return words
}

// count is a number of things in two versions.
type count struct {
	one, many string
	was, is   int
}

func counted(was, is store.ModelFacts) []count {
	return []count{
		{"session", "sessions", len(was.Sessions), len(is.Sessions)},
		{"page", "pages", was.Pages, is.Pages},
		{"useful page", "useful pages", was.Targets, is.Targets},
		{"page marked Not useful", "pages marked Not useful", was.Rejected, is.Rejected},
		{"link", "links", was.Edges, is.Edges},
		{"word", "words", was.Terms, is.Terms},
		{"dimension", "dimensions", was.Rank, is.Rank},
		{"cluster", "clusters", was.Clusters, is.Clusters},
		{"page of the rest of the web", "pages of the rest of the web", was.Background, is.Background},
	}
}

// words says it like "14 pages, 6 more than before".
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

// moved says that a number between 0 and 1 changed, when that shows.
func moved(c store.Change) []string {
	was, is := fmt.Sprintf("%.2f", c.Was), fmt.Sprintf("%.2f", c.Is)
	if was == is {
		return nil
	}
	return []string{fmt.Sprintf("the %s is %s, was %s", c.What, is, was)}
}

// newlyUseful names pages that the version before knew as something else than useful.
func newlyUseful(was, is *model.Bundle) []string {
	other := map[string]bool{}
	for _, p := range was.Pages {
		other[p.URL] = !p.Target
	}
	var names []string
	for _, p := range is.Pages {
		if p.Target && other[p.URL] {
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

// newWords says which of the most telling words of the useful pages came and went.
func newWords(was, is *model.Bundle) []string {
	before, now := telling(was), telling(is)
	missing := func(from, in []string) []string {
		return slices.DeleteFunc(slices.Clone(from), func(w string) bool { return slices.Contains(in, w) })
	}
	var words []string
	if came := missing(now, before); len(came) > 0 {
		words = append(words, "useful pages are now told by: "+strings.Join(came, ", "))
	}
	if went := missing(before, now); len(went) > 0 {
		words = append(words, "and no longer by: "+strings.Join(went, ", "))
	}
	return words
}

// telling are the words that tell the useful pages from others best.
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

// compareReports says what differs between how sure two versions are, where both were measured.
func compareReports(was, is *model.Report) (words []string, numbers []store.Change) {
	if was == nil || is == nil {
		return nil, nil
	}
	for _, f := range []struct {
		what    string
		was, is measure.Figure
	}{
		{"rank of the right link (MRR)", was.LinkMRR, is.LinkMRR},
		{"share of hops predicted right", was.HopAgreement, is.HopAgreement},
		{"area under the ROC of the cosine", was.AUC.Cosine, is.AUC.Cosine},
		{"area under the ROC of the judge", was.AUC.Judge, is.AUC.Judge},
		{"Brier score of the judge", was.Brier, is.Brier},
	} {
		if f.was.N == 0 || f.is.N == 0 || f.was.Value == f.is.Value {
			continue
		}
		c := store.Change{What: f.what, Was: f.was.Value, Is: f.is.Value}
		numbers = append(numbers, c)
		words = append(words, moved(c)...)
	}
	return words, numbers
}
