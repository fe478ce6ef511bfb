package strategy

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"nightjar/model/online"
)

const (
	mostReasons = 12   // named at most; the rest is summed up
	leastReason = 0.05 // minimum log odds for a reason to be named
)

// reasons lists the parts of a link's value: the largest by name, then the sum of the others. They add up to its log odds.
func (s *linkValue) reasons(url string, n *note) []Reason {
	keys := keysOf(url)
	signals := s.signals(&keys, n)
	itself, worth := s.worthOf(&keys, n, &signals)
	if dist, known := s.ways.to(keys.url); known {
		return s.sessionReasons(dist, itself, worth)
	}
	curiosity := s.curiosity(&keys, n)
	parts := []Reason{
		{"the value of any link", s.links.Bias},
		{"exploring, while little was found", curiosity},
	}
	for i, value := range s.weighted(n, &signals) {
		parts = append(parts, Reason{signalNames[i], value})
	}
	for _, t := range n.tokens {
		if w := s.links.Weight(t); w != 0 {
			parts = append(parts, Reason{s.tokenName(t, url), w})
		}
	}
	parts = append(parts, Reason{"where the page behind it may lead", worth - itself - curiosity})
	slices.SortStableFunc(parts, func(a, b Reason) int { return cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)) })
	var shown []Reason
	rest := 0.0
	for _, p := range parts {
		if len(shown) < mostReasons && math.Abs(p.Value) >= leastReason {
			shown = append(shown, p)
		} else {
			rest += p.Value
		}
	}
	if rest != 0 {
		shown = append(shown, Reason{otherSignals, rest})
	}
	return shown
}

// sessionReasons are the reasons for following a link to a page of the session.
func (s *linkValue) sessionReasons(dist int, itself, worth float64) []Reason {
	if worth == s.ways.least(dist) {
		return []Reason{{"your path to a page you marked", worth}}
	}
	return []Reason{{"you know the page already", itself}, {"where the page behind it may lead", worth - itself}}
}

// tokenName describes a token to people.
func (s *linkValue) tokenName(token uint32, url string) string {
	t, ok := s.vocabulary.NameIn(url, token)
	if !ok {
		return forgotten
	}
	switch t.Field {
	case online.Anchor:
		return fmt.Sprintf("“%s” in its text", t.Text)
	case online.Around:
		return fmt.Sprintf("“%s” near it", t.Text)
	case online.Heading:
		return fmt.Sprintf("“%s” in the heading above it", t.Text)
	case online.Address:
		return fmt.Sprintf("“%s” in its address", t.Text)
	case online.Shape:
		return "its address: " + t.Text
	case online.Element:
		return fmt.Sprintf("it is in an element %s", t.Text)
	}
	return fmt.Sprintf("its position on the page (%s)", t.Text)
}
