package demoweb

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed themes.txt
var themesText string

// theme is the vocabulary of one kind of page or one matter.
type theme struct {
	nouns, adjectives, verbs []string
}

// themes are all vocabularies by name. The file is part of the program, so a fault in it is a programmer's error.
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

// field is a matter that people study, collect and write about. One field is the topic of a web.
type field struct {
	theme   string // its vocabulary
	topic   string // what a person would call an interest in it
	subject string // the theme of the department it belongs to
}

// fields are the matters, three to a subject.
var fields = []field{
	{"glaciology", "Glaciers", "earth"}, {"volcanology", "Volcanoes", "earth"}, {"hydrology", "Rivers and floods", "earth"},
	{"ornithology", "Seabirds", "biology"}, {"mycology", "Mushrooms", "biology"}, {"entomology", "Wild bees", "biology"},
	{"cartography", "Old maps", "history"}, {"seafaring", "Age of sail", "history"}, {"medieval", "Castles", "history"},
	{"tidal", "Tidal power", "engineering"}, {"robotics", "Walking robots", "engineering"}, {"bridges", "Bridges", "engineering"},
}

// subjects are the departments, with the names people give them.
var subjects = []struct{ theme, title string }{
	{"earth", "Earth Sciences"}, {"biology", "Biology"}, {"history", "History"}, {"engineering", "Engineering"},
}

// fieldsOf are the fields of a subject.
func fieldsOf(subject string) []field {
	var own []field
	for _, f := range fields {
		if f.subject == subject {
			own = append(own, f)
		}
	}
	return own
}
