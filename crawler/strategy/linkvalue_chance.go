package strategy

import "nightjar/model/online"

// Chance is the current estimate of the probability that the page behind a queued link is itself useful.
func (s *linkValue) Chance(url string, raw []byte) (p float64, ok bool) {
	n, ok := readNote(raw)
	if !ok {
		return 0, false
	}
	keys := keysOf(url)
	itself, _ := s.worth(&keys, &n)
	return online.Probability(itself), true
}
