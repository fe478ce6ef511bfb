package groups

import (
	"math"
	"slices"
	"strings"

	"nightjar/model/text"
	"nightjar/model/wordnet"
)

// rule says whether a word is on topic for a category. The paper asked people.
type rule struct {
	name    string
	onTopic func(j *judge, word int) bool
	several bool // words that mostly name one page are off topic (see ofOne)
}

// rules: the first is the one to report, chosen before the first run. The others were added afterwards, to see whether the
// result depends on the rule.
var rules = []rule{
	{name: "in twice the share of the category's texts", onTopic: (*judge).twice},
	{name: "in twice the share, and not mostly for one page", onTopic: (*judge).twice, several: true},
	{name: "at twice the odds in the category's texts", onTopic: (*judge).odds},
	{name: "near a word of the category's name in WordNet", onTopic: (*judge).near},
}

// Bounds of the rules.
const (
	leastLift = 2
	chance    = .001
	leastNear = .7 // as near as a word must be to be mapped to a term
)

// judge knows a category. Rules about texts read what the articles say, not what links to them say: that is what is measured.
type judge struct {
	w      *web
	words  *dictionary
	names  []string
	inside map[int]bool // pages of the category
	topic  []wordnet.Sense
	named  map[string]bool // words of the category's name with the names of those above it, in base form
}

func newJudge(l *library, label string) *judge {
	j := &judge{w: l.web, words: l.words, names: l.names, inside: map[int]bool{}, named: map[string]bool{}}
	for i, labels := range l.web.labels {
		if slices.Contains(labels, label) {
			j.inside[i] = true
		}
	}
	for token := range text.Words(strings.NewReplacer(".", " ", "_", " ").Replace(strings.TrimPrefix(label, "subject."))) {
		word := l.words.base(string(token))
		j.named[word] = true
		if senses := l.words.net.Senses(word, wordnet.Noun); len(senses) > 0 {
			j.topic = append(j.topic, senses[0])
		}
	}
	return j
}

// table counts a word: pages of the category whose text has it, and all such pages.
func (j *judge) table(word int) (inside, all int) {
	for i, words := range j.w.words {
		if words[word] {
			all++
			if j.inside[i] {
				inside++
			}
		}
	}
	return inside, all
}

// byChance is whether so many pages of the category may have a word by chance.
func (j *judge) byChance(inside, all int) bool {
	return atLeast(inside, all, len(j.inside), len(j.w.words)) >= chance
}

// twice: the share of the category's articles whose text has the word is at least twice that of all others, and more than by
// chance.
func (j *judge) twice(word int) bool {
	inside, all := j.table(word)
	share, other := float64(inside)/float64(len(j.inside)), float64(all-inside)/float64(max(len(j.w.words)-len(j.inside), 1))
	return share >= leastLift*other && !j.byChance(inside, all)
}

// odds: the same with odds in place of shares, which can double also for a word that most texts have.
func (j *judge) odds(word int) bool {
	inside, all := j.table(word)
	n, others := len(j.inside), len(j.w.words)-len(j.inside)
	a, b := float64(inside)*float64(others-all+inside), float64(n-inside)*float64(all-inside)
	return a >= leastLift*b && !j.byChance(inside, all)
}

// near: the word is in the category's name, or its first sense as a noun is near that of such a word.
func (j *judge) near(word int) bool {
	name := j.names[word]
	if j.named[name] {
		return true
	}
	senses := j.words.net.Senses(name, wordnet.Noun)
	return len(senses) > 0 && slices.ContainsFunc(j.topic, func(s wordnet.Sense) bool { return j.words.net.Similarity(senses[0], s) >= leastNear })
}

// atLeast is the probability that n pages drawn of `pages`, of which `all` have a word, hold at least k with the word
// (hypergeometric).
func atLeast(k, all, n, pages int) float64 {
	choose := func(n, k int) float64 {
		if k < 0 || k > n {
			return math.Inf(-1)
		}
		a, _ := math.Lgamma(float64(n + 1))
		b, _ := math.Lgamma(float64(k + 1))
		c, _ := math.Lgamma(float64(n - k + 1))
		return a - b - c
	}
	p := 0.0
	for x := k; x <= min(all, n); x++ {
		p += math.Exp(choose(all, x) + choose(pages-all, n-x) - choose(pages, n))
	}
	return min(p, 1)
}
