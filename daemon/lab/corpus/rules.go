package corpus

import "regexp"

// Rule labels pages by their final URL, where nobody labelled them by hand: a chapter of a manual is a folder of its site.
type Rule struct {
	Label string         `json:"label"`
	URL   *regexp.Regexp `json:"url"` // RE2; matches anywhere in the URL unless anchored
}

// Apply labels the given pages by rules. It returns the rules that match none of them.
func (l *Labels) Apply(rules []Rule, pages []string) (idle []Rule) {
	for _, r := range rules {
		used := false
		for _, url := range pages {
			if r.URL.MatchString(url) {
				used = true
				l.add(url, r.Label)
			}
		}
		if !used {
			idle = append(idle, r)
		}
	}
	return idle
}
