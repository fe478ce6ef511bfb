package demoweb

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed themes.txt
var themesText string

// theme is the vocabulary of a kind of page or a topic.
type theme struct {
	nouns, adjectives, verbs []string
}

// themes are the vocabularies by name.
var themes = readThemes(themesText)

// readThemes reads "name | nouns | adjectives | verbs" lines.
func readThemes(text string) map[string]theme {
	all := make(map[string]theme)
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		cells := strings.Split(line, "|")
		if len(cells) != 4 {
			panic(fmt.Sprintf("demoweb: theme line with %d cells: %.40q", len(cells), line))
		}
		all[strings.TrimSpace(cells[0])] = theme{list(cells[1]), list(cells[2]), list(cells[3])}
	}
	return all
}

// list splits a cell at its commas.
func list(cell string) []string {
	words := strings.Split(cell, ",")
	for i := range words {
		words[i] = strings.TrimSpace(words[i])
	}
	return words
}

// field is a possible topic.
type field struct {
	theme   string // vocabulary
	topic   string // name as a topic
	subject string // theme of its department
}

// fields are the possible topics, three per subject.
var fields = []field{
	{"glaciology", "Glaciers", "earth"}, {"volcanology", "Volcanoes", "earth"}, {"hydrology", "Rivers and floods", "earth"},
	{"ornithology", "Seabirds", "biology"}, {"mycology", "Mushrooms", "biology"}, {"entomology", "Wild bees", "biology"},
	{"cartography", "Old maps", "history"}, {"seafaring", "Age of sail", "history"}, {"medieval", "Castles", "history"},
	{"tidal", "Tidal power", "engineering"}, {"robotics", "Walking robots", "engineering"}, {"bridges", "Bridges", "engineering"},
}

// subjects are the departments with their names.
var subjects = []struct{ theme, title string }{
	{"earth", "Earth Sciences"}, {"biology", "Biology"}, {"history", "History"}, {"engineering", "Engineering"},
}

func fieldsOf(subject string) []field {
	return slices.DeleteFunc(slices.Clone(fields), func(f field) bool { return f.subject != subject })
}
