package pages

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"nightjar/daemon/chart"
	"nightjar/daemon/morning/export"
	"nightjar/daemon/store"
	"nightjar/daemon/thesus/operators"
	"nightjar/daemon/web/frame"
)

const (
	operatorsPath = "/explore/operators"
	mostExpressed = 2000 // letters of an expression
	historyShown  = 20
	setsEach      = 40  // listed at once
	rowsOfResult  = 200 // shown at once
	mostText      = 20_000
)

// operatorsPage is the console of link operators.
type operatorsPage struct {
	Text     string
	Fault    *faultView
	Result   *resultView
	Examples []operatorExample
	Sets     []savedSet
	SetsNext string // address of the sets after these; "" for none
	SetsPrev string
	History  []operators.Operation
	All      []operators.Described
}

// faultView is an expression with the place where it is wrong.
type faultView struct {
	Before, At, After string // of the line that is wrong
	Says              string
}

// faultIn is an error in a field.
type faultIn struct {
	ID    string // of the element
	Fault *faultView
}

// operatorExample is an expression to begin with.
type operatorExample struct{ Text, Says, Href string }

// savedSet is a set that the person named.
type savedSet struct {
	operators.SavedSet
	Use  string // how an expression names it
	Href string
}

func savedSetOf(one operators.SavedSet) savedSet {
	use := "@" + one.Name
	if strings.ContainsFunc(one.Name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.", r)
	}) {
		use = "@" + quotedName(one.Name)
	}
	return savedSet{one, use, operatorsHref(use)}
}

// quotedName is a name as an expression has it, between quotation marks.
func quotedName(name string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
}

// resultView is the result of an expression.
type resultView struct {
	Kind    operators.Kind
	Counted string // what the number of a row is; "" for none
	Rows    []resultRow
	Page    resultRow // whose text it is
	Text    string
	Notes   []string
	Total   int
	Kept    int // rows that the result has; more are cut
	Took    time.Duration
	CSV     string
	JSON    string
	Next    string // address of the rows after these; "" for none
	Before  string
}

// resultRow is a page or a word with its number.
type resultRow struct {
	Link *frame.Link
	Href string // of what others say about the page
	Word string
	N    string
}

// faultOf shows where an expression is wrong.
func faultOf(text string, f *operators.Fault) *faultView {
	runes := []rune(text)
	at := min(max(f.At, 0), len(runes))
	from, end := at, at
	for from > 0 && runes[from-1] != '\n' {
		from--
	}
	for end < len(runes) && runes[end] != '\n' {
		end++
	}
	v := &faultView{Before: string(runes[from:at]), Says: frame.Sentence(frame.Printable(f.Text))}
	if at < end {
		v.At, v.After = string(runes[at]), string(runes[at+1:end])
	}
	return v
}

func operatorsHref(text string) string {
	return frame.AddressOf(operatorsPath, "q", text)
}

// expression reads an expression from a form or an address.
func expression(q url.Values) string {
	text := strings.ReplaceAll(strings.TrimSpace(q.Get("q")), "\r\n", "\n")
	return chart.Shorten(mostExpressed, strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		if frame.Printable(string(r)) == "" {
			return -1
		}
		return r
	}, text))
}

// handleOperators runs an expression. It only reads, so that a result has an address; the expression is kept for the history.
func (s *server) handleOperators(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	p := operatorsPage{Text: expression(r.URL.Query()), All: operators.Describe()}
	if p.Text != "" {
		from, _ := strconv.Atoi(r.URL.Query().Get("from")) // anything else means from the first on
		if err := s.evaluate(ctx, &p, max(0, from)); err != nil {
			return err
		}
	}
	first, _ := strconv.Atoi(r.URL.Query().Get("sets")) // anything else means from the first on
	if err := s.operatorsBeside(ctx, &p, max(0, first)); err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, "explore-operators", frame.Layout{Title: "Operators", Section: "explore"}, p)
}

// evaluate fills in the result of an expression, or its error.
func (s *server) evaluate(ctx context.Context, p *operatorsPage, from int) error {
	result, err := s.Operators.Run(ctx, p.Text)
	if fault, ok := errors.AsType[*operators.Fault](err); ok {
		p.Fault = faultOf(p.Text, fault)
		return nil
	}
	if err != nil {
		return err
	}
	p.Result = resultOf(p.Text, result, from)
	if from > 0 {
		return nil
	}
	if err := s.Operators.Note(ctx, p.Text); !store.Unwritable(err) {
		return err
	}
	return nil // the result is there; only the history lacks it
}

// operatorsBeside reads the sets from one on and the history, and makes the examples.
func (s *server) operatorsBeside(ctx context.Context, p *operatorsPage, first int) error {
	sets, err := s.Operators.SavedSets(ctx)
	if err != nil {
		return err
	}
	var end int
	first, end, p.SetsPrev, p.SetsNext = frame.Window(first, len(sets), setsEach, func(from int) string { return operatorsPath + "?sets=" + strconv.Itoa(from) })
	for _, one := range sets[first:end] {
		p.Sets = append(p.Sets, savedSetOf(one))
	}
	if p.History, err = s.Operators.History(ctx, historyShown); err != nil {
		return err
	}
	topics, err := s.Store.TopicViews(ctx)
	if err != nil {
		return err
	}
	p.Examples = examplesFor(topics)
	return nil
}

// examplesFor are expressions about the first topic, where there is one.
func examplesFor(topics []store.TopicView) (all []operatorExample) {
	set := "[]"
	if len(topics) > 0 {
		set = topicSet(topics[0].Name)
	}
	for _, one := range [][2]string{
		{"weightedTargetKeywords([], " + set + ") | top 20", "words with which most pages are linked to"},
		{"weightedSourceKeywords([], " + set + ") | top 20", "words that most pages use for them"},
		{"TAuthorities(" + set + ", 2, {})", "pages that more than two pages link to"},
		{"THubs([], 2, {})", "pages that link to more than two pages"},
		{"crawl(" + set + ", 1)", "these pages, and those that they link to"},
	} {
		all = append(all, operatorExample{one[0], one[1], operatorsHref(one[0])})
	}
	return all
}

// topicSet is the set of the pages of a topic.
func topicSet(name string) string { return "[topic:" + quotedName(name) + "]" }

func resultOf(text string, result *operators.Result, from int) *resultView {
	v := &resultView{Kind: result.Kind, Counted: result.Counted, Total: result.Total, Kept: len(result.Rows), Took: result.Took, Notes: result.Notes,
		Text: chart.Shorten(mostText, result.Text), Page: rowOf(result.Page)}
	v.CSV, v.JSON = frame.AddressOf(operatorsPath+"/export", "q", text, "format", "csv"), frame.AddressOf(operatorsPath+"/export", "q", text, "format", "json")
	var first, end int
	first, end, v.Before, v.Next = frame.Window(from, len(result.Rows), rowsOfResult, func(from int) string { return operatorsHref(text) + "&from=" + strconv.Itoa(from) })
	for _, one := range result.Rows[first:end] {
		v.Rows = append(v.Rows, rowOf(one))
	}
	return v
}

func rowOf(one operators.Row) resultRow {
	row := resultRow{Word: frame.Printable(one.Word), N: chart.Number(one.N)}
	if one.URL != "" {
		row.Link = new(frame.LinkTo(one.URL, one.Title))
		row.Href = "/explore/pages/" + strconv.FormatInt(one.ID, 10)
	}
	return row
}

// handleOperatorsExport sends a result as a file.
func (s *server) handleOperatorsExport(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	text, format := expression(q), q.Get("format")
	if format != "csv" && format != "json" {
		return frame.BadInput("choose a format: csv or json")
	}
	result, err := s.Operators.Run(r.Context(), text)
	if err != nil {
		return err
	}
	name := "nightjar-operators-" + s.Now().Format(time.DateOnly) + "." + format
	if format == "json" {
		return s.Send(w, r, name, "application/json", func() error { return writeResultJSON(w, text, result) })
	}
	return s.Send(w, r, name, "text/csv; charset=utf-8", func() error { return export.Lines(w, resultLines(result)) })
}

// resultLines are the lines of a result as CSV, the headings first.
func resultLines(result *operators.Result) (lines [][]string) {
	add := func(address, title, word, n string) {
		line := []string{word}
		if result.Kind == operators.Pages {
			line = []string{address, title}
		}
		if result.Counted != "" {
			line = append(line, n)
		}
		lines = append(lines, line)
	}
	add("url", "title", "word", result.Counted)
	for _, row := range result.Rows {
		add(row.URL, row.Title, row.Word, strconv.Itoa(row.N))
	}
	return lines
}

func writeResultJSON(w io.Writer, text string, result *operators.Result) error {
	type row struct {
		URL   string `json:"url,omitempty"`
		Title string `json:"title,omitempty"`
		Word  string `json:"word,omitempty"`
		N     int    `json:"n,omitempty"`
	}
	out := struct {
		Expression string `json:"expression"`
		Counted    string `json:"counted,omitempty"`
		Total      int    `json:"total"`
		Rows       []row  `json:"rows"`
	}{text, result.Counted, result.Total, []row{}}
	for _, one := range result.Rows {
		out.Rows = append(out.Rows, row{one.URL, one.Title, one.Word, one.N})
	}
	return json.NewEncoder(w).Encode(out)
}

// handleSetSave names a set of pages.
func (s *server) handleSetSave(w http.ResponseWriter, r *http.Request) error {
	name, text := oneLineOf(r.PostForm.Get("name")), expression(r.PostForm)
	switch {
	case name == "":
		return frame.At("name", frame.BadInput("write a name for the set"))
	case text == "":
		return frame.At("name", frame.BadInput("run an expression first: its pages are the set"))
	}
	if err := s.Operators.Save(r.Context(), name, text); err != nil {
		return frame.At("name", err)
	}
	return frame.SeeOther(w, r, frame.AddressOf(operatorsPath, "q", text, "done", "set-saved"))
}

func (s *server) handleSetForget(w http.ResponseWriter, r *http.Request) error {
	err := s.Operators.Forget(r.Context(), r.PostFormValue("name"))
	if errors.Is(err, store.ErrNotFound) {
		err = frame.BadInput("this set was forgotten already")
	}
	if err != nil {
		return err
	}
	return frame.Done(w, r, operatorsPath, "set-forgotten")
}

func oneLineOf(text string) string { return strings.Join(strings.Fields(frame.Printable(text)), " ") }

// took writes a short duration in milliseconds, any other in seconds.
func took(d time.Duration) string {
	if d < time.Second {
		return chart.Number(int(d.Milliseconds())) + frame.NoBreak + "ms"
	}
	return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + frame.NoBreak + "s"
}
