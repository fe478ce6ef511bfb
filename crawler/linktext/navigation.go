package linktext

import (
	_ "embed"
	"fmt"
	"maps"
	"strings"
)

// Limits of a file of words of navigation.
const (
	maxNavigationText = 1 << 16 // bytes
	maxNavigation     = 5000    // words
)

//go:embed navigation.txt
var navigationText string

var defaultNavigation = func() map[string]bool {
	words, err := ParseNavigation(navigationText)
	if err != nil {
		panic(err) // a test parses it
	}
	return words
}()

// Navigation returns the words that links are named by on any site, for New. [THESUS] §5.2.1 leaves them out as stop words,
// because they say nothing about a page.
func Navigation() map[string]bool { return maps.Clone(defaultNavigation) }

// NavigationText is the text that Navigation is parsed from, to be written to a file that a person edits.
func NavigationText() string { return navigationText }

// ParseNavigation reads the words of navigation from the text of a file: words of letters with spaces or line ends between
// them, in any case. What follows # on a line is left out. There may be 5,000 words in 64 kB. A text without words is valid:
// then no word is left out for navigation. Errors name the line.
func ParseNavigation(text string) (map[string]bool, error) {
	if len(text) > maxNavigationText {
		return nil, fmt.Errorf("the words of navigation take %d bytes; at most %d are read", len(text), maxNavigationText)
	}
	words := make(map[string]bool)
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		number++
		line, _, _ = strings.Cut(line, "#")
		for word := range strings.FieldsSeq(line) {
			if !isWord(word) {
				return nil, fmt.Errorf("line %d: %.40q is not a word of letters; write one word, or several with spaces between them", number, word)
			}
			if words[strings.ToLower(word)] = true; len(words) > maxNavigation {
				return nil, fmt.Errorf("line %d: more than %d words of navigation; remove some", number, maxNavigation)
			}
		}
	}
	return words, nil
}
