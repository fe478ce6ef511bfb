package corpus

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"nightjar/crawler/weburl"
)

// Labels are the labels of pages. A page may have several.
type Labels struct {
	byLabel map[string]map[string]bool // label -> canonical URLs
	urls    map[string]bool
}

// ReadLabels reads files with lines "URL tab label". Lines that start with # are skipped.
func ReadLabels(paths []string) (*Labels, error) {
	l := &Labels{make(map[string]map[string]bool), make(map[string]bool)}
	err := eachLine(paths, func(line string) error {
		url, label, ok := strings.Cut(line, "\t")
		label = strings.TrimSpace(label)
		if !ok || label == "" || strings.Contains(label, "\t") {
			return fmt.Errorf("want a URL, a tab and a label, got %.80q", line)
		}
		canonical, err := weburl.Canonical(strings.TrimSpace(url))
		if err != nil {
			return fmt.Errorf("%.200q: %w", url, err)
		}
		l.add(canonical, label)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read labels: %w", err)
	}
	return l, nil
}

// add gives a page a label.
func (l *Labels) add(url, label string) {
	if l.byLabel[label] == nil {
		l.byLabel[label] = make(map[string]bool)
	}
	l.byLabel[label][url] = true
	l.urls[url] = true
}

// With is the set of pages with exactly this label; nil without any. It must not be changed.
func (l *Labels) With(label string) map[string]bool { return l.byLabel[label] }

// Any is the set of pages with at least one of the labels. unknown is a label without pages.
func (l *Labels) Any(labels []string) (pages map[string]bool, unknown string) {
	pages = make(map[string]bool)
	for _, label := range labels {
		if len(l.byLabel[label]) == 0 {
			unknown = label
		}
		maps.Copy(pages, l.byLabel[label])
	}
	return pages, unknown
}

// Other is the label of pages that belong to no class.
const Other = "other"

// Class is the label of a page that tells most: the preferred one if the page has it, or else its first label in order of
// the alphabet. It is "" for a page that has no label but Other.
func (l *Labels) Class(url, preferred string) string {
	if !l.urls[url] {
		return ""
	}
	if l.byLabel[preferred][url] && preferred != Other {
		return preferred
	}
	for _, name := range l.Names() {
		if name != Other && l.byLabel[name][url] {
			return name
		}
	}
	return ""
}

// Names are all labels, sorted.
func (l *Labels) Names() []string { return slices.Sorted(maps.Keys(l.byLabel)) }

// Unknown counts the labelled URLs that are not among the given pages.
func (l *Labels) Unknown(pages []string) int {
	lacking := maps.Clone(l.urls)
	for _, url := range pages {
		delete(lacking, url)
	}
	return len(lacking)
}

// Len is the number of distinct URLs with a label.
func (l *Labels) Len() int { return len(l.urls) }

// Suggest returns up to three labels that contain the last part of text, or any labels, for an error message.
func (l *Labels) Suggest(text string) []string {
	tail := strings.ToLower(text[strings.LastIndexByte(text, '.')+1:])
	var near []string
	for _, name := range l.Names() {
		if tail != "" && strings.Contains(strings.ToLower(name), tail) && len(near) < 3 {
			near = append(near, name)
		}
	}
	if len(near) == 0 {
		near = l.Names()[:min(3, len(l.byLabel))]
	}
	return near
}
