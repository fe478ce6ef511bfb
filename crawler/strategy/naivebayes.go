package strategy

import (
	"context"
	"math"

	"nightjar/model"
	"nightjar/model/naivebayes"
	"nightjar/model/text"
)

const bayesBest = "no other was on a page whose words speak more for the topic"

var naiveBayesKind = Kind{
	Name:    "naive-bayes",
	Summary: "follows links from the page whose words best fit the topic or document, according to a Naive Bayes classifier",
	Look:    11,
	Needs:   Bayes,
	Best:    bayesBest,
	New: func(_ context.Context, b *model.Bundle) (Strategy, error) {
		return &naiveBayes{reader: reader{b, "naive-bayes"}, priority: perTerm}, nil
	},
}

// naiveBayesPaperKind is the variant of the paper.
var naiveBayesPaperKind = Kind{
	Name:    "naive-bayes-paper",
	Summary: "naive-bayes as in the paper: the probability from a Gaussian classifier, the first page with the link, the first 10 KB of a page",
	Needs:   Gaussian, Look: 11, Best: bayesBest,
	New: func(_ context.Context, b *model.Bundle) (Strategy, error) {
		return &naiveBayes{reader: reader{b, "naive-bayes-paper"}, priority: exact, first: true, head: true}, nil
	},
}

// PaperQueued is the frontier's limit in [PANORAMA] §3.4, for crawler.Options.MaxQueued of a crawl by naive-bayes-paper.
const PaperQueued = 50_000

// naiveBayes follows the links of the page that the model's classifier takes most for one around the topic, [PANORAMA] §3.4.
// A link that several pages hold has the priority of the best of them, as the frontier raises it when a better one comes.
//
// Judgement.Useful is the calibrated probability of this classifier, which was trained on pages around the topic or
// document. Judgement.Relevant is that of all strategies, so that their results can be compared.
//
// It does not learn during the crawl.
type naiveBayes struct {
	reader
	priority func(naivebayes.Reading) Priority
	first    bool // a link keeps the priority of the first page that held it
	head     bool // it reads only the head of a page, see naivebayes.Head
}

// FirstParent reports whether links keep the priority of the first page that held them.
func (s *naiveBayes) FirstParent() bool { return s.first }

func (s *naiveBayes) Read(_ context.Context, v Visit) (Judgement, error) {
	stems, l := s.bundle.StemsOf(v.Page.Language, v.Page.Text)
	o, _ := s.bundle.ReadStems(stems)
	if head := naivebayes.Head(v.Page.Text); s.head && len(head) < len(v.Page.Text) {
		stems = s.bundle.StemsIn(l, head)
	}
	j, r := s.judgement(o), s.bundle.Bayes.Read(stems)
	j.Useful = r.P
	j.Priorities = same(v, s.priority(r))
	if len(v.Page.Links) > 0 {
		j.Notes = sameNote(v, s.note(stems))
	}
	return j, nil
}

// note is what the links of a page keep of its words.
func (s *naiveBayes) note(page text.Counts) []byte {
	parts, whole := s.bundle.Bayes.Parts(page)
	n := bayesNote{worth: whole}
	for _, p := range parts[:min(len(parts), namedTerms)] {
		n.parts = append(n.parts, naivebayes.Part{Term: p.Term, Value: float64(float32(p.Value))})
	}
	return n.bytes()
}

// perTerm is the log odds for each known term of the page, in millionths; 0 for a page that is as likely as not.
func perTerm(r naivebayes.Reading) Priority {
	const most = 2000
	return fine(max(-most, min(most, r.PerTerm())))
}

// exact is the probability less 1 with all bits of the probability: zeros for a page that is certain. The bits of positive
// numbers are in the order of the numbers; each element takes 21 or 22 of the 64.
func exact(r naivebayes.Reading) Priority {
	const part = 1<<21 - 1
	bits, one := math.Float64bits(r.Probability()), math.Float64bits(1)
	return Priority{int32(bits>>42) - int32(one>>42), int32(bits >> 21 & part), int32(bits & part)}
}
