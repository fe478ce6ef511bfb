package strategy

import (
	"slices"

	"nightjar/model/online"
)

// signalSays describes each signal when it is higher, and when it is lower, than that of the typical link.
var signalSays = [signalCount][2]string{
	parentSignal:     {"the page it is on looks more useful", "the page it is on looks less useful"},
	stateSignal:      {"its page seems nearer to useful pages", "its page seems farther from useful pages"},
	anchorSignal:     {"its link text resembles your useful pages", "its link text is less like your useful pages"},
	aroundSignal:     {"the words around it resemble your useful pages", "the words around it are less like your useful pages"},
	folderSignal:     {"its folder has led to more so far", "its folder has led to less so far"},
	siteSignal:       {"its site has led to more so far", "its site has led to less so far"},
	placeSignal:      {"links in this position have led to more so far", "links in this position have led to less so far"},
	siblingsSignal:   {"other links on the same page have led to more so far", "other links on the same page have led to less so far"},
	linkedSignal:     {linkers, linkers}, // learned together: one often cancels another
	linkedMeanSignal: {linkers, linkers},
	linkedBestSignal: {linkers, linkers},
	depthSignal:      {"it is farther from the start page", "it is nearer to the start page"},
}

const linkers = "the pages that link to it"

// neutralSignals are those for which higher does not sound better.
var neutralSignals = [signalCount]bool{linkedSignal: true, linkedMeanSignal: true, linkedBestSignal: true, depthSignal: true}

// signalReason describes signal i, which exceeds that of the typical link by more and counts for the link if worth is positive.
// A signal that sounds better but counts against the link, or the reverse, would only confuse and is not named.
func signalReason(i int, more, worth float64) string {
	says := signalSays[i][0]
	if more < 0 {
		says = signalSays[i][1]
	}
	if neutralSignals[i] || more == 0 || (more > 0) == (worth > 0) {
		return says
	}
	return otherSignals
}

// linkParts are the parts of a link's value. That of a link to a page of the session is not split: what the person did there
// decides it.
type linkParts struct {
	worth     float64
	known     bool // the link leads to a page of the session
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

// typicalLink holds the means over links.
type typicalLink struct {
	n         int // links that do not lead to pages of the session
	known     int // links that do
	worth     float64
	knownMean float64
	signals   [signalCount]float64
	raw       [signalCount]float64
	curiosity float64
	promise   float64
	tokens    map[uint32]float64 // share of the links with each token
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

func (t *typicalLink) all() float64 {
	return (float64(t.n)*t.worth + float64(t.known)*t.knownMean) / float64(t.n+t.known)
}

// Explain compares the parts of a link's value with their means.
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
		p.add("you followed this path to a page that you marked", own.worth-e.Typical)
	case own.known:
		p.add("you know the page: only the pages behind it are new", own.worth-e.Typical)
	case t.n == 0:
		p.add("the page is new to you", own.worth-e.Typical)
	default:
		p.add(otherSignals, t.worth-e.Typical) // that you never visited the page distinguishes few links
		s.compare(&p, &own, &t, &link)
	}
	e.Reasons = p.reasons()
	return e, true
}

// compare adds the differences between a link and the typical link among those that lead to no page of the session.
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

// Names that several tokens share.
const (
	itsPlace  = "its position on the page"
	itsShape  = "the form of its address"
	forgotten = "a word whose spelling is no longer known"
)

// shortPiece is the minimum length, in bytes, for a piece of an address to mean something to people.
const shortPiece = 3

// says names a token of the link, spelled as on the page if that is known.
func (s *linkValue) says(token uint32, link *Waiting) string {
	t, ok := s.vocabulary.NameIn(link.URL, token)
	if !ok {
		return forgotten
	}
	switch t.Field {
	case online.Anchor:
		return "its link text contains “" + s.written(t.Text, link.Anchor) + "”"
	case online.Around:
		return "“" + s.written(t.Text, "") + "” appears near it"
	case online.Heading:
		return "the heading above it contains “" + s.written(t.Text, "") + "”"
	case online.Address:
		if len(t.Text) < shortPiece {
			return otherSignals
		}
		return "its address contains “" + t.Text + "”"
	case online.Shape:
		return itsShape
	}
	return itsPlace
}

// lacks names a token missing from the link.
func (s *linkValue) lacks(token uint32) string {
	switch t, _ := s.vocabulary.Name(token); t.Field {
	case online.Shape:
		return itsShape
	case online.Element, online.Place:
		return itsPlace
	}
	return otherSignals
}

// written is a word with the stem, spelled as in the anchor text or else as most often in the session.
func (s *linkValue) written(stem, anchor string) string {
	if word := s.bundle.WordOf(stem, anchor); word != "" {
		return word
	}
	return s.reader.written(stem)
}
