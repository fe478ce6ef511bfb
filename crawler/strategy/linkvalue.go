package strategy

import (
	"context"
	"errors"
	"math"
	"sync"

	"nightjar/crawler/weburl"
	"nightjar/model"
	"nightjar/model/hmm"
	"nightjar/model/online"
)

var linkValueKind = Kind{
	Name:    "link-value",
	Summary: "follows the link most likely to lead to a useful page, judged by link text, position, page, your own paths and similar links; keeps learning during the crawl",
	Look:    0,
	Best:    "no other was likelier to lead to a useful page",
	New:     newLinkValue,
}

// linkValue follows the link with the highest value first: the log odds that it leads to a page the person would mark Useful.
// A regression computes them from what the hidden Markov model predicts, what the page that holds the link is about, the
// tokens in and around the link, and the yield of similar links so far. It learns from the links of the session first, and
// then from each link that it follows. Whether such a link led to a useful page is decided by a judge, which is retrained
// during the crawl, or by the person, who marks finds while the crawl runs.
//
// A second regression estimates where the page behind a link leads: to the best of its links that no page had before, at a
// discount. A teacher's home page is no course, but it links to courses.
//
// The person's own paths come first: see sessionWays. A page of the session is no find: by itself it has no value, and what
// it brings does not count for its folder, site and position. Links that led to no page teach, too, and soon: see
// online.Schedule. A share of the pages goes to hosts that the crawl has hardly seen: see explore.
//
// The values of queued links are updated whenever the regressions were fitted, or a target of the session was fetched.
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
	ways     *sessionWays
	explore  explore
	hosts    online.Keys[bool]       // hosts met, and whether they brought a find
	linked   online.Keys[linkedFrom] // by the key of a URL

	room [maxTokens]uint32 // for the tokens of a queued link, of which there are many when the queue is put in order
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
	Known  bool // it led to a page of the session
	Gone   bool // it led to no page
}

const (
	maxFollowed  = 5_000   // links to learn from; the oldest are dropped first
	maxLinked    = 300_000 // URLs with a count of the pages that link there: some 20 MB
	maxHosts     = 100_000 // hosts that are remembered: some 3 MB
	markedWeight = 2       // of a link whose outcome is the person's mark
	certain      = 6       // log odds of what is known
	mostLogOdds  = 2_000   // larger log odds count as equal
)

func newLinkValue(ctx context.Context, b *model.Bundle) (Strategy, error) {
	r := reader{b, "link-value"}
	judge, err := r.newJudge(ctx)
	if err != nil {
		return nil, err
	}
	s := &linkValue{
		reader: r, hmm: b.HMM(), judge: judge, vocabulary: r.newVocabulary(),
		links: online.NewRegression(usualWeights()), ahead: online.NewRegression(aheadWeights()), brought: newBrought(),
		ways: newWays(b), explore: newExplore(),
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
	page := s.prepared(&v)
	p := page.judged
	j := s.judgementBy(s.judge, page.observed, p)
	j.Evidence = page.observed.Emission
	j.States = filter(s.hmm, v, j.Evidence)
	j.Path = pathOf(j.States)
	n, followed := readNote(v.Note)
	known, target, opened := s.ways.fetched(v.URL, v.Page.URL)
	if v.Visited {
		s.meetHost(v.Page.URL)
		s.valueLinks(v, &j, page.links[:len(v.Page.Links)], n.depth, s.ways.unseen(v.Page.URL, s.judge.LogOdds(p.Row)))
		return j, nil
	}
	if !followed { // a start page: its host is none that exploring found
		s.meetHost(v.Page.URL)
	} else {
		l := followedLink{Address: v.URL, URL: v.Page.URL, Known: known}
		l.Outcome = outcomeOf(known, target, s.judge.LogOdds(p.Row))
		s.learnFrom(l, &n)
	}
	s.judge.Add(p)
	learned, err := s.learn(ctx)
	j.Reorder = learned || opened
	ahead := s.valueLinks(v, &j, page.links[:len(v.Page.Links)], n.depth, s.judge.LogOdds(p.Row))
	if followed {
		s.followed[len(s.followed)-1].Ahead = ahead
	}
	return j, err
}

// outcomeOf is the outcome of a link: what the person said in the session, or what the judge says.
func outcomeOf(known, target bool, logOdds float64) float64 {
	switch {
	case !known:
		return online.Probability(logOdds)
	case target:
		return 1
	}
	return 0
}

// valueLinks makes the note and the priority of each link of the page. It returns the largest probability of leading to a
// useful page among the links that no page had before.
func (s *linkValue) valueLinks(v Visit, j *Judgement, links []preparedLink, depth uint8, parent float64) (ahead float64) {
	useful := online.Probability(parent)
	fresh := make([]bool, len(links))
	for i := range links {
		fresh[i] = s.link(links[i].keys.url, useful)
	}
	n := note{
		holder: online.Key(v.Page.URL), depth: min(depth, math.MaxUint8-1) + 1,
		parent: float32(parent), state: float32(online.LogOdds(model.ExpectedValue(s.hmm.Predict(j.States)))),
	}
	j.Notes = make([][]byte, len(links))
	j.Priorities = make([]Priority, len(links))
	for i := range links {
		l := &links[i]
		n.place, n.tokens = l.place, l.Tokens
		n.anchor, n.around = float32(s.judge.Said(l.Anchor.Row)), float32(s.judge.Said(l.Around.Row))
		j.Notes[i] = n.bytes()
		itself, worth := s.worth(&l.keys, &n)
		j.Priorities[i] = worthKey(worth)
		if fresh[i] {
			ahead = max(ahead, online.Probability(itself))
		}
	}
	return ahead
}

// Priority is the current estimate of a queued link's value.
func (s *linkValue) Priority(url string, raw []byte) Priority {
	n, ok := readNoteInto(raw, s.room[:])
	if !ok {
		return Priority{-mostLogOdds * fineSteps}
	}
	keys := keysOf(url)
	_, worth := s.worth(&keys, &n)
	return worthKey(worth)
}

// worth returns the log odds that the page behind a link is useful itself, and the value of the link, which also counts
// curiosity and where that page may lead.
func (s *linkValue) worth(url *linkKeys, n *note) (itself, worth float64) {
	signals := s.signals(url, n)
	return s.worthOf(url, n, &signals)
}

// worthOf is worth of a link with these signals.
func (s *linkValue) worthOf(url *linkKeys, n *note, signals *[signalCount]float32) (itself, worth float64) {
	ahead := s.ahead.LogOdds(n.tokens, signals[:])
	if dist, known := s.ways.to(url.url); known {
		return -certain, max(-certain+promise(-certain, ahead), s.ways.least(dist))
	}
	itself = s.links.LogOdds(n.tokens, signals[:]) + behind(n, signals)
	worth = itself + s.curiosity(url, n)
	return itself, worth + promise(worth, ahead)
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
	design := online.NewDesign(examples)
	var links, ahead error
	var both sync.WaitGroup
	both.Go(func() { links = s.links.FitTo(ctx, design, examples) })
	ahead = s.ahead.FitTo(ctx, design, s.examplesAhead())
	both.Wait()
	return errors.Join(links, ahead)
}

// recount computes the yields again after marks changed outcomes, and gives each followed link the yields of the links
// before it. Otherwise there would be examples of good links among others that, at the time, all seemed bad. The judge's
// earlier outcomes stay: since then it was trained on these very pages as background.
func (s *linkValue) recount() {
	s.brought, s.found = newBrought(), 0
	for i := range s.followed {
		f := &s.followed[i]
		keys := keysOf(f.Address)
		s.brought.signals(f.Signals, &keys, f.Holder, f.Place)
		s.count(f)
	}
}

// count adds a link to the yields, unless it led to a page of the session.
func (s *linkValue) count(f *followedLink) {
	if f.Known {
		return
	}
	if f.Outcome >= .5 {
		s.found++
	}
	keys := keysOf(f.Address)
	s.brought.add(&keys, f.Holder, f.Place, f.Outcome)
}

// learnFrom makes an example of a link that was followed.
func (s *linkValue) learnFrom(f followedLink, n *note) {
	keys := keysOf(f.Address)
	signals := s.signals(&keys, n) // as they were when the link was chosen
	f.Holder, f.Place = n.holder, n.place
	f.Tokens, f.Signals, f.Weight = n.tokens, signals[:], 1
	if len(s.followed) >= maxFollowed {
		s.followed = append(s.followed[:0], s.followed[1:]...)
	}
	s.followed = append(s.followed, f)
	s.count(&f)
	s.explore.followed()
	if !f.Known {
		s.meet(&f)
	}
}

// meetHost notes the host of a page that exploring did not find.
func (s *linkValue) meetHost(url string) { s.hosts.Set(online.Key(weburl.Host(url)), true) }

// meet passes a link's outcome and host to explore.
func (s *linkValue) meet(f *followedLink) {
	host := online.Key(weburl.Host(f.URL))
	brought, known := s.hosts.Get(host)
	first := f.Outcome >= .5 && !brought
	s.explore.found(f.Outcome, !known, first)
	if known || s.hosts.Len() < maxHosts {
		s.hosts.Set(host, brought || first)
	}
}

// Missed learns from a link that led to no page.
func (s *linkValue) Missed(ctx context.Context, url string, raw []byte, cost int) (reorder bool, err error) {
	n, ok := readNote(raw)
	if !ok {
		return false, nil
	}
	s.learnFrom(followedLink{Address: url, URL: url, Gone: true}, &n)
	former := s.schedule
	if cost == 0 || !s.schedule.Miss() {
		return false, nil
	}
	err = s.learnLinks(ctx)
	if ctx.Err() != nil {
		s.schedule.Postpone(former)
		return false, nil
	}
	return true, err
}

// Teach marks the page for the judge, and the link that led to it.
func (s *linkValue) Teach(m Mark) {
	mark := word(m)
	logOdds, changed := s.judge.Mark(m.URL, mark)
	if !changed {
		return
	}
	s.schedule.Teach()
	for i := range s.followed {
		if f := &s.followed[i]; f.URL == m.URL && !f.Gone {
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
