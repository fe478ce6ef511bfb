package strategy

import (
	"context"
	"errors"
	"math"

	"nightjar/crawler/weburl"
	"nightjar/model"
	"nightjar/model/hmm"
	"nightjar/model/logistic"
	"nightjar/model/online"
)

var linkValueKind = Kind{
	Name:     "link-value",
	Summary:  "follows the link most likely to lead to a useful page, going by its words, its place, its page and what similar links led to; learns while it crawls",
	Contrast: "tells the links of one page apart, learns on in the crawl, and has the model's prediction as one of its inputs",
	Look:     0,
	New:      newLinkValue,
}

// linkValue follows the link of the largest value first: the log odds that it leads to a page the person would mark Useful.
// A regression computes them from what the hidden Markov model predicts, what the page that holds the link is about, the
// tokens in and around the link, and the yield of similar links so far. It learns from the links of the session first, and
// then from each link that it follows. Whether such a link led to a useful page is decided by a judge, which is retrained
// during the crawl, or by the person, who marks finds while the crawl runs.
//
// A second regression estimates where the page behind a link leads: to the best of its links that no page had before, at a
// discount. A teacher's home page is no course, but it links to courses.
//
// The values of queued links are updated whenever the regressions were fitted.
//
// Its memory is bounded, whatever the web sends: some 200 MB at most (see the limits in model/online and maxLinked). A crawl
// of 5,000 pages needs far less.
type linkValue struct {
	reader
	hmm        *hmm.Model
	judge      *online.Judge
	vocabulary *online.Vocabulary
	links      *online.Regression // that the page behind a link is useful
	ahead      *online.Regression // that this page links to a useful one
	schedule   online.Schedule

	session  []sessionLink
	followed []followedLink
	found    int // links followed so far that led to a useful page, according to the judge or the person
	brought  brought
	linked   map[uint64]linkedFrom // by the key of a URL

	rows map[string]logistic.Row // of the texts of recent links
}

// followedLink is a link that was followed, and its outcome.
type followedLink struct {
	Address string  // as it was queued
	URL     string  // final
	Ahead   float64 // probability that the page links to a useful one, estimated when it was read
	Holder  uint64  // see note
	Place   uint64
	online.Example
	Marked bool // the outcome is the person's mark
}

const (
	maxFollowed  = 5_000   // links to learn from; the oldest are dropped first
	maxRows      = 20_000  // texts of links whose rows are cached: some 10 MB
	maxLinked    = 300_000 // URLs with a count of the pages that link there: some 20 MB
	markedWeight = 2       // of a link whose outcome is the person's mark
	mostLogOdds  = 2_000   // larger log odds count as equal
)

func newLinkValue(ctx context.Context, b *model.Bundle) (Strategy, error) {
	r := reader{b, "link-value"}
	judge, err := r.newJudge(ctx)
	if err != nil {
		return nil, err
	}
	s := &linkValue{
		reader: r, hmm: b.HMM(), judge: judge, vocabulary: online.NewVocabulary(),
		links: online.NewRegression(usualWeights()), ahead: online.NewRegression(aheadWeights()), brought: newBrought(), linked: map[uint64]linkedFrom{},
		rows: map[string]logistic.Row{},
	}
	if err := s.readSession(ctx); err != nil {
		return nil, err
	}
	if err := s.learnLinks(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// Read judges the page, learns from the link that led there, and values the page's own links.
func (s *linkValue) Read(ctx context.Context, v Visit) (Judgement, error) {
	j, o, p := s.readBy(s.judge, v)
	j.Evidence = o.Emission
	j.States = filter(s.hmm, v, j.Evidence)
	j.Path = pathOf(j.States)
	n, followed := readNote(v.Note)
	if followed {
		j.Why = s.reasons(v.URL, &n)
		s.learnFrom(v, &n, s.judge.LogOdds(p.Row))
	}
	s.judge.Add(p)
	var err error
	j.Reorder, err = s.learn(ctx)
	ahead := s.valueLinks(v, &j, n.depth, s.judge.LogOdds(p.Row))
	if followed {
		s.followed[len(s.followed)-1].Ahead = ahead
	}
	return j, err
}

// valueLinks makes the note and the priority of each link of the page. It returns the largest probability of leading to a
// useful page among the links that no page had before.
func (s *linkValue) valueLinks(v Visit, j *Judgement, depth uint8, parent float64) (ahead float64) {
	useful := online.Probability(parent)
	fresh := make([]bool, len(v.Page.Links))
	for i, l := range v.Page.Links {
		fresh[i] = s.link(online.Key(l.URL), useful)
	}
	state := online.LogOdds(model.ExpectedValue(s.hmm.Predict(j.States)))
	holder := online.Key(v.Page.URL)
	host, site := weburl.Host(v.Page.URL), weburl.Site(v.Page.URL)
	j.Notes = make([][]byte, len(v.Page.Links))
	j.Priorities = make([]Priority, len(v.Page.Links))
	for i, l := range v.Page.Links {
		n := note{
			holder: holder, place: online.Key(site, l.Path), depth: min(depth, math.MaxUint8-1) + 1,
			parent: float32(parent), state: float32(state),
			anchor: float32(s.judge.Said(s.row(l.Anchor))), around: float32(s.judge.Said(s.row(l.Around))),
			tokens: s.vocabulary.Link(webLink(l), weburl.Host(l.URL) == host || weburl.Site(l.URL) == site),
		}
		j.Notes[i] = n.bytes()
		itself, worth := s.worth(l.URL, &n)
		j.Priorities[i] = worthKey(worth)
		if fresh[i] {
			ahead = max(ahead, online.Probability(itself))
		}
	}
	return ahead
}

// row weighs the words of a link's text. Rows are cached, since a site's menu is on all of its pages.
func (s *linkValue) row(text string) logistic.Row {
	if text == "" {
		return logistic.Row{}
	}
	row, known := s.rows[text]
	if !known {
		row = s.judge.Row(s.bundle.WordsOf(s.vocabulary.Stems(text)))
		if len(s.rows) >= maxRows {
			clear(s.rows)
		}
		s.rows[text] = row
	}
	return row
}

// Priority is the value of a queued link by what is known now.
func (s *linkValue) Priority(url string, raw []byte) Priority {
	n, ok := readNote(raw)
	if !ok {
		return Priority{-mostLogOdds * fineSteps}
	}
	_, worth := s.worth(url, &n)
	return worthKey(worth)
}

// worth returns the log odds that the page behind a link is useful itself, and the value of the link, which also counts
// curiosity and where that page may lead.
func (s *linkValue) worth(url string, n *note) (itself, worth float64) {
	signals := s.signals(url, n)
	itself = s.links.LogOdds(n.tokens, signals[:])
	worth = itself + s.curiosity(url, n)
	return itself, worth + promise(worth, s.ahead.LogOdds(n.tokens, signals[:]))
}

func worthKey(x float64) Priority {
	return Priority{int32(math.Round(max(-mostLogOdds, min(mostLogOdds, x)) * fineSteps))}
}

// learn fits what is due, and reports whether anything was. When a fit fails, the former one stays.
func (s *linkValue) learn(ctx context.Context) (due bool, err error) {
	former := s.schedule
	links, judge := s.schedule.Next()
	if links && s.judge.Marked() {
		s.recount()
		judge = true
	}
	if judge {
		err = s.judge.Retrain(ctx)
	}
	if links {
		err = errors.Join(err, s.learnLinks(ctx))
	}
	if ctx.Err() != nil {
		s.schedule.Postpone(former)
		return false, nil
	}
	return links, err
}

// learnLinks fits the regressions to the links of the session and of the crawl.
func (s *linkValue) learnLinks(ctx context.Context) error {
	examples := make([]online.Example, 0, len(s.session)+len(s.followed))
	for _, l := range s.session {
		examples = append(examples, l.Example)
	}
	for _, f := range s.followed {
		examples = append(examples, f.Example)
	}
	if len(examples) == 0 {
		return nil
	}
	return errors.Join(s.links.Fit(ctx, examples), s.ahead.Fit(ctx, s.examplesAhead()))
}

// count adds a link to those that led to a useful page, if it did.
func (s *linkValue) count(outcome float64) {
	if outcome >= .5 {
		s.found++
	}
}

// recount computes the yields again after marks changed outcomes, and gives each followed link the yields of the links
// before it. Otherwise there would be examples of good links among others that, at the time, all seemed bad. The judge's
// earlier outcomes stay: since then it was trained on these very pages as background.
func (s *linkValue) recount() {
	s.brought, s.found = newBrought(), 0
	for i := range s.followed {
		f := &s.followed[i]
		s.count(f.Outcome)
		s.brought.signals(f.Signals, f.Address, f.Holder, f.Place)
		s.brought.add(f.Address, f.Holder, f.Place, f.Outcome)
	}
}

// learnFrom makes an example of the link that led to a page.
func (s *linkValue) learnFrom(v Visit, n *note, logOdds float64) {
	outcome := online.Probability(logOdds)
	signals := s.signals(v.URL, n) // as they were when the link was chosen
	if len(s.followed) >= maxFollowed {
		s.followed = append(s.followed[:0], s.followed[1:]...)
	}
	s.followed = append(s.followed, followedLink{
		Address: v.URL, URL: v.Page.URL, Holder: n.holder, Place: n.place,
		Example: online.Example{Tokens: n.tokens, Signals: signals[:], Outcome: outcome, Weight: 1},
	})
	s.count(outcome)
	s.brought.add(v.URL, n.holder, n.place, outcome)
}

// Teach marks the page for the judge, and the link that led to it.
func (s *linkValue) Teach(m Mark) {
	mark := word(m)
	logOdds, changed := s.judge.Mark(m.URL, mark)
	if !changed {
		return
	}
	for i := range s.followed {
		if f := &s.followed[i]; f.URL == m.URL {
			f.teach(mark, online.Probability(logOdds))
		}
	}
}

// teach sets the outcome of a link to the person's mark or, when that was removed, to what the judge says.
func (f *followedLink) teach(mark online.Mark, judged float64) {
	f.Marked, f.Weight = mark != online.Unmarked, markedWeight
	switch mark {
	case online.Useful:
		f.Outcome = 1
	case online.NotUseful:
		f.Outcome = 0
	default:
		f.Outcome, f.Weight = judged, 1
	}
}

// Ask lists the pages that the judge is least sure of.
func (s *linkValue) Ask(n int) []string { return s.judge.Uncertain(n) }
