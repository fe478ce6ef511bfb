package strategy

import (
	"slices"

	"nightjar/model/online"
)

// signalSays names a signal that is higher and one that is lower than that of the typical link.
var signalSays = [signalCount][2]string{
	parentSignal:     {"the page it is on looks more useful", "the page it is on looks less useful"},
	stateSignal:      {"its page seems nearer to useful pages", "its page seems farther from useful pages"},
	anchorSignal:     {"its text reads more like your useful pages", "its text reads less like your useful pages"},
	aroundSignal:     {"the words around it read more like your useful pages", "the words around it read less like your useful pages"},
	folderSignal:     {"its folder has brought more so far", "its folder has brought less so far"},
	siteSignal:       {"its site has brought more so far", "its site has brought less so far"},
	placeSignal:      {"links at this place of the page have brought more so far", "links at this place of the page have brought less so far"},
	siblingsSignal:   {"other links of the same page have brought more so far", "other links of the same page have brought less so far"},
	linkedSignal:     {linkers, linkers}, // learned together: one often takes back what another says
	linkedMeanSignal: {linkers, linkers},
	linkedBestSignal: {linkers, linkers},
	depthSignal:      {"it is farther from the start page", "it is nearer to the start page"},
}

const linkers = "which pages link there, and how many"

// neutralSignals are those of which a higher one does not sound better.
var neutralSignals = [signalCount]bool{linkedSignal: true, linkedMeanSignal: true, linkedBestSignal: true, depthSignal: true}

// signalReason names signal i, which is higher by more than that of the typical link and counts for the link if worth is
// positive. A signal that sounds better and counts against the link, or the other way round, says that it was learned.
func signalReason(i int, more, worth float64) string {
	says := signalSays[i][0]
	if more < 0 {
		says = signalSays[i][1]
	}
	switch {
	case neutralSignals[i] || more == 0 || (more > 0) == (worth > 0):
		return says
	case worth < 0:
		return says + "; with all else equal, that led to less"
	default:
		return says + "; with all else equal, that led to more"
	}
}

// linkParts are the parts of what a link is worth. Those of a link to a page of the session are not told apart: what the
// person did there decides.
type linkParts struct {
	worth     float64
	known     bool // it leads to a page of the session
	dist      int
	signals   [signalCount]float64 // weighted
	raw       [signalCount]float64
	curiosity float64
	promise   float64
	note      note
}

func (s *linkValue) partsOf(w Waiting) (p linkParts, ok bool) {
	if p.note, ok = readNote(w.Note); !ok {
		return p, false
	}
	keys := keysOf(w.URL)
	signals := s.signals(&keys, &p.note)
	itself, worth := s.worthOf(&keys, &p.note, &signals)
	p.worth = worth
	if p.dist, p.known = s.ways.to(keys.url); p.known {
		return p, true
	}
	p.signals = s.weighted(&p.note, &signals)
	for i, x := range signals {
		p.raw[i] = float64(x)
	}
	p.curiosity = s.curiosity(&keys, &p.note)
	p.promise = worth - itself - p.curiosity
	return p, true
}

// typicalLink is the mean of links.
type typicalLink struct {
	n         int // links that do not lead to pages of the session
	known     int // links that do
	worth     float64
	knownMean float64
	signals   [signalCount]float64
	raw       [signalCount]float64
	curiosity float64
	promise   float64
	tokens    map[uint32]float64 // share of the links that have a token
}

func (t *typicalLink) add(p *linkParts) {
	if p.known {
		t.known++
		t.knownMean += p.worth
		return
	}
	t.n++
	t.worth += p.worth
	t.curiosity += p.curiosity
	t.promise += p.promise
	for i := range p.signals {
		t.signals[i] += p.signals[i]
		t.raw[i] += p.raw[i]
	}
	for _, token := range p.note.tokens {
		t.tokens[token]++
	}
}

// mean turns the sums into means.
func (t *typicalLink) mean() {
	t.knownMean /= float64(max(1, t.known))
	n := float64(max(1, t.n))
	t.worth, t.curiosity, t.promise = t.worth/n, t.curiosity/n, t.promise/n
	for i := range t.signals {
		t.signals[i] /= n
		t.raw[i] /= n
	}
	for token := range t.tokens {
		t.tokens[token] /= n
	}
}

// all is the mean worth of all links.
func (t *typicalLink) all() float64 {
	return (float64(t.n)*t.worth + float64(t.known)*t.knownMean) / float64(t.n+t.known)
}

// Explain compares the parts of what a link is worth with their means.
func (s *linkValue) Explain(link Waiting, others []Waiting) (e Explanation, ok bool) {
	own, ok := s.partsOf(link)
	if !ok {
		return e, false
	}
	t := typicalLink{tokens: map[uint32]float64{}}
	for _, w := range others {
		if p, ok := s.partsOf(w); ok {
			t.add(&p)
		}
	}
	if e.Others = t.n + t.known; e.Others == 0 {
		return e, false
	}
	t.mean()
	e.Typical = t.all()
	var p parts
	switch {
	case own.known && own.dist != noWay:
		p.add("you took this way to a page that you marked", own.worth-e.Typical)
	case own.known:
		p.add("you know the page: only what lies behind it is new", own.worth-e.Typical)
	case t.n == 0:
		p.add("the page is new to you", own.worth-e.Typical)
	default:
		p.add("it is on none of the ways that you took", t.worth-e.Typical)
		s.compare(&p, &own, &t, &link)
	}
	e.Reasons = p.reasons()
	return e, true
}

// compare adds what sets a link apart from the typical one of those that do not lead to pages of the session.
func (s *linkValue) compare(p *parts, own *linkParts, t *typicalLink, link *Waiting) {
	for i := range own.signals {
		p.add(signalReason(i, own.raw[i]-t.raw[i], own.signals[i]-t.signals[i]), own.signals[i]-t.signals[i])
	}
	pick(p, "the crawl has hardly seen that part of the web", "the crawl knows that part of the web better", own.curiosity-t.curiosity)
	pick(p, "the page behind it may link to more useful pages", "the page behind it may link to fewer useful pages", own.promise-t.promise)
	for _, token := range own.note.tokens {
		if w := s.links.Weight(token); w != 0 {
			p.add(s.says(token, link), w*(1-t.tokens[token]))
		}
	}
	var lacking []uint32
	for token := range t.tokens {
		if s.links.Weight(token) != 0 && !slices.Contains(own.note.tokens, token) {
			lacking = append(lacking, token)
		}
	}
	slices.Sort(lacking) // so that the sum is always the same
	for _, token := range lacking {
		p.add(s.lacks(token), -s.links.Weight(token)*t.tokens[token])
	}
}

func pick(p *parts, more, less string, value float64) {
	if value < 0 {
		more = less
	}
	p.add(more, value)
}

// Names of what is not told apart.
const (
	itsPlace  = "its place on the page"
	itsShape  = "the form of its address"
	itLacks   = "it lacks words that other links have"
	forgotten = "a word whose spelling was forgotten"
)

// says names a token that a link has, as written where that is known.
func (s *linkValue) says(token uint32, link *Waiting) string {
	t, ok := s.vocabulary.NameIn(link.URL, token)
	if !ok {
		return forgotten
	}
	switch t.Field {
	case online.Anchor:
		return "its text says “" + s.written(t.Text, link.Anchor) + "”"
	case online.Around:
		return "“" + s.written(t.Text, "") + "” stands near it"
	case online.Heading:
		return "the heading above it says “" + s.written(t.Text, "") + "”"
	case online.Address:
		return "its address says “" + t.Text + "”"
	case online.Shape:
		return itsShape
	}
	return itsPlace
}

// lacks names a token that a link has not.
func (s *linkValue) lacks(token uint32) string {
	switch t, _ := s.vocabulary.Name(token); t.Field {
	case online.Shape:
		return itsShape
	case online.Element, online.Place:
		return itsPlace
	}
	return itLacks
}

// written is a word of a stem: as a text has it, otherwise in the spelling that the session has most often.
func (s *linkValue) written(stem, anchor string) string {
	if word := s.bundle.WordOf(stem, anchor); word != "" {
		return word
	}
	return s.reader.written(stem)
}
