package session

import "nightjar/daemon/browse/protocol"

// Step is a page load as far as it says which way the person took.
type Step struct {
	Load   string
	From   string // load that it came from; a frame's: the load that holds it; "" for none
	How    string // protocol.HowLink and so on, or frame, iframe
	URL    string
	Useful bool // the person marked the page Useful in this session
}

// leads reports whether the person came from the page before by something on it.
func (s *Step) leads() bool {
	switch s.How {
	case protocol.HowLink, protocol.HowNewTab, protocol.HowForm, protocol.KindFrame, protocol.KindIframe:
		return true
	}
	return false
}

// Leads counts, for each page, the useful pages that the person reached from it by following links and forms, over any
// number of steps. A page does not lead to itself.
func Leads(steps []Step) map[string]int {
	byLoad := make(map[string]*Step, len(steps))
	for i := range steps {
		byLoad[steps[i].Load] = &steps[i]
	}
	led := map[string]map[string]bool{} // page to useful pages
	for i := range steps {
		if !steps[i].Useful {
			continue
		}
		goal := steps[i].URL
		at := &steps[i]
		for range len(steps) { // data may claim that loads come from each other in a circle
			if !at.leads() || byLoad[at.From] == nil {
				break
			}
			if at = byLoad[at.From]; at.URL == goal {
				continue
			}
			if led[at.URL] == nil {
				led[at.URL] = map[string]bool{}
			}
			led[at.URL][goal] = true
		}
	}
	counts := make(map[string]int, len(led))
	for url, goals := range led {
		counts[url] = len(goals)
	}
	return counts
}
