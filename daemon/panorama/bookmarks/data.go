package bookmarks

import (
	"encoding/csv"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Names of fields, in small letters, in JSON and in tables. Programs agree on few.
var (
	urlNames    = []string{"url", "uri", "href", "link", "address"}
	titleNames  = []string{"title", "name", "resolved_title", "given_title"}
	folderNames = []string{"folder", "collection", "label"}
	tagNames    = []string{"tags", "tag", "labels", "manual tags", "keywords"}
)

// readJSON reads any JSON: an object with an address is a link, one without is a folder if it has a name. The bookmarks of
// Chromium and Firefox are such files, and the exports of Hister, Raindrop and others. Markdown may begin as JSON does.
func readJSON(l *List, text string) {
	var all any
	if json.Unmarshal([]byte(text), &all) != nil {
		readText(l, text)
		return
	}
	walkJSON(l, &location{}, all)
}

func walkJSON(l *List, p *location, value any) {
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			walkJSON(l, p, one)
		}
	case map[string]any:
		has, lists := map[string]string{}, []string(nil)
		for key, one := range v {
			if s, ok := one.(string); ok {
				has[strings.ToLower(key)] = s
			} else if slices.Contains(tagNames, strings.ToLower(key)) {
				lists = append(lists, names(one)...)
			}
		}
		title := first(has, titleNames...)
		if address := addressOf(first(has, urlNames...), has["doi"]); address != "" {
			in := append(tags(first(has, tagNames...)), lists...)
			l.add(address, title, append(append(in, clean(first(has, folderNames...))), p.names...)...)
			title = ""
		}
		p.enter(title)
		for _, key := range slices.Sorted(maps.Keys(v)) {
			walkJSON(l, p, v[key])
		}
		p.leave()
	}
}

// names are the texts of a list, or the names and titles of the objects in it.
func names(list any) (all []string) {
	items, _ := list.([]any) // anything else has none
	for _, item := range items[:min(len(items), maxIn)] {
		switch v := item.(type) {
		case string:
			all = append(all, clean(v))
		case map[string]any:
			if name, ok := v["name"].(string); ok {
				all = append(all, clean(name))
			}
		}
	}
	return all
}

// columns says which column of a table has what; -1 for none.
type columns struct {
	comma                    rune
	url, title, folder, tags int
}

// columnsOf reads the first line of a table. It is nil for a text that is no table with addresses.
func columnsOf(text string) *columns {
	head, _, _ := strings.Cut(text[:min(len(text), 64<<10)], "\n")
	for _, comma := range []rune{',', '\t', ';'} {
		row, err := tableReader(head, comma).Read()
		if err != nil || len(row) < 2 {
			continue
		}
		find := func(among []string) int {
			return slices.IndexFunc(row, func(cell string) bool { return slices.Contains(among, strings.ToLower(strings.TrimSpace(cell))) })
		}
		if c := (columns{comma, find(urlNames), find(titleNames), find(folderNames), find(tagNames)}); c.url >= 0 {
			return &c
		}
	}
	return nil
}

func tableReader(text string, comma rune) *csv.Reader {
	in := csv.NewReader(strings.NewReader(text))
	in.Comma, in.LazyQuotes, in.FieldsPerRecord, in.ReuseRecord = comma, true, -1, true
	return in
}

// readTable reads a table whose first line names its columns, as Pocket, Raindrop, Instapaper and Zotero export it.
func readTable(l *List, text string) {
	c := columnsOf(text)
	in := tableReader(text, c.comma)
	for n := 0; ; n++ {
		row, err := in.Read()
		if err != nil {
			return // what was read until here is kept
		}
		cell := func(i int) string {
			if i < 0 || i >= len(row) {
				return ""
			}
			return strings.Clone(row[i])
		}
		if n > 0 {
			l.add(cell(c.url), cell(c.title), append(tags(cell(c.tags)), clean(cell(c.folder)))...)
		}
	}
}

var (
	heading  = regexp.MustCompile(`^(#{1,6})\s+(.+?)\s*#*$`)
	markLink = regexp.MustCompile(`\[([^\]]*)\]\(<?(https?://[^()\s>]*(?:\([^()\s]*\)[^()\s>]*)*)>?[^)]*\)`)
	bareLink = regexp.MustCompile(`https?://[^\s<>"\x60]+`)
)

// readText reads Markdown, whose headings are folders, and plain text: the words beside an address that is alone on its line are
// its title.
func readText(l *List, text string) {
	var p location
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line[:min(len(line), 1<<20)])
		if m := heading.FindStringSubmatch(line); m != nil {
			for len(p.names) >= len(m[1]) {
				p.leave()
			}
			for len(p.names) < len(m[1])-1 {
				p.enter("")
			}
			p.enter(m[2])
		}
		for _, m := range markLink.FindAllStringSubmatch(line, -1) {
			l.add(m[2], m[1], p.names...)
		}
		line = markLink.ReplaceAllString(line, "")
		bare := bareLink.FindAllString(line, -1)
		title := ""
		if len(bare) == 1 {
			title = strings.Trim(bareLink.ReplaceAllString(line, ""), " \t-–—*+:|,;<>()[]\"")
		}
		for _, address := range bare {
			l.add(strings.TrimRight(address, ".,;:!?)]}'*"), title, p.names...)
		}
	}
}
