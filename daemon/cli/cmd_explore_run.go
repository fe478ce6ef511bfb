package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"nightjar/crawler/texts"
	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/morning/api"
	"nightjar/daemon/thesus/operators"
	"nightjar/daemon/thesus/wordnet"
)

// exploreOptions are those of an expression of link operators.
type exploreOptions struct {
	app.Config
	top  int
	json bool
}

func (o *exploreOptions) Define(f *flag.FlagSet) {
	o.DataFlags(f)
	f.IntVar(&o.top, "top", 0, "print only the first rows (`NUMBER`); 0 means all")
	f.BoolVar(&o.json, "json", false, "print JSON")
}

func (o *exploreOptions) Run(ctx context.Context, env *command.Env, args []string) error {
	switch {
	case len(args) == 0:
		return command.Usagef("explore needs an expression or a verb")
	case len(args) > 1:
		return command.Usagef("explore takes one expression, in quotation marks of the shell: 'crawl([https://example.org/], 1)'")
	case o.top < 0:
		return command.Usagef("--top needs a number from 0 on")
	}
	if err := operators.Check(args[0]); err != nil {
		return pointed(args[0], err)
	}
	st, err := app.OpenToRead(ctx, o.Data)
	if err != nil {
		return err
	}
	defer st.Close()
	r, err := operators.New(st, operators.Options{WordNet: wordnet.New(wordnet.Options{Dir: o.Data})}).Run(ctx, args[0])
	if err != nil {
		return pointed(args[0], err)
	}
	most := operators.MaxRows
	if o.top > 0 {
		most = o.top
	}
	answer := api.ExplorationOf(r, most)
	if o.json {
		return json.NewEncoder(env.Stdout).Encode(answer)
	}
	for _, note := range answer.Notes {
		fmt.Fprintf(env.Stderr, "nightjar: note: %s\n", note)
	}
	return printExploration(env.Stdout, answer)
}

// pointed adds to an error of an expression the line it is in, with a mark below the place. Other errors stay as they are.
func pointed(text string, err error) error {
	fault, ok := errors.AsType[*operators.Fault](err)
	if !ok {
		return fmt.Errorf("explore: %w", err)
	}
	const wide = 100 // characters of the line that are shown
	before, after := splitAt(text, fault.At)
	before = before[strings.LastIndexByte(before, '\n')+1:]
	after, _, _ = strings.Cut(after, "\n")
	if n := utf8.RuneCountInString(before); n > wide/2 {
		_, before = splitAt(before, n-wide/2)
		before = "…" + before
	}
	after, _ = splitAt(after, wide/2)
	visible := func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}
	line := strings.Map(visible, before+after)
	return command.Usagef("%v\n  %s\n  %s^", fault, line, strings.Repeat(" ", utf8.RuneCountInString(before)))
}

// splitAt cuts a text behind a number of characters.
func splitAt(text string, n int) (before, after string) {
	for i := range text {
		if n == 0 {
			return text[:i], text[i:]
		}
		n--
	}
	return text, ""
}

// printExploration writes a table with its total, or a text.
func printExploration(w io.Writer, e api.Exploration) error {
	var b strings.Builder
	if e.Text != nil {
		fmt.Fprintf(&b, "%s\n%s\n\n", e.Text.FromTheWeb.Title, e.Text.FromTheWeb.URL)
		for _, line := range e.Text.FromTheWeb.Lines {
			b.WriteString(line + "\n")
		}
	}
	var rows [][]string
	head := []string{"word"}
	if e.Kind == string(operators.Pages) {
		head = []string{"page", "title"}
	}
	if e.Counted != "" {
		head = append([]string{e.Counted}, head...)
	}
	row := func(n int, fields ...string) {
		if e.Counted != "" {
			fields = append([]string{fmt.Sprint(n)}, fields...)
		}
		rows = append(rows, fields)
	}
	for _, p := range e.Pages {
		title := p.FromTheWeb.Title
		if title == p.FromTheWeb.URL {
			title = ""
		}
		row(p.N, p.FromTheWeb.URL, title)
	}
	for _, word := range e.Words {
		row(word.N, word.FromTheWeb.Word)
	}
	if len(rows) > 0 {
		writeColumns(&b, append([][]string{head}, rows...), e.Counted != "")
	}
	if e.Text == nil {
		total := texts.Plural(e.Total, strings.TrimSuffix(e.Kind, "s"))
		if len(rows) < e.Total {
			total = fmt.Sprintf("the first %d of %s", len(rows), total)
		}
		fmt.Fprintln(&b, total)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeColumns writes rows with aligned columns; with numbers, the first column has them and ends straight. A field that is
// too wide moves the rest of its row.
func writeColumns(b *strings.Builder, rows [][]string, numbers bool) {
	const widest = 70
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, field := range row {
			width[i] = max(width[i], min(widest, utf8.RuneCountInString(field)))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, field := range row {
			space := strings.Repeat(" ", max(0, width[i]-utf8.RuneCountInString(field)))
			if i == 0 && numbers {
				line.WriteString(space + field + "  ")
				continue
			}
			line.WriteString(field + space + "  ")
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

// operatorList is a line for each link operator, for the help.
func operatorList() string {
	var b strings.Builder
	for _, one := range operators.Describe() {
		fmt.Fprintf(&b, "  %-24s %s\n", one.Name, one.Text)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
