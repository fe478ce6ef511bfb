package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"nightjar/crawler/texts"
	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/panorama/communities"
	mapreport "nightjar/daemon/panorama/communities/report"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/panorama/trainingset"
)

// mapWatch tells the person how a map is made.
type mapWatch struct {
	env  *command.Env
	data string // the data folder
	list bool   // the pages are those of a list
	id   int64  // of the map; 0 until it is stored
	here bool   // this process makes it, not a daemon

	steps
	last communities.Progress
	said string // of the step, in words
}

func (w *mapWatch) hooks() app.MapWatch {
	return app.MapWatch{
		Began:    func(id int64, here bool) { w.id, w.here = id, here },
		Read:     w.warn,
		Plan:     func(p trainingset.Plan) { tellPlan(w.env.Stderr, p, w.list) },
		Progress: w.progress,
		Indexed:  func(pages int) { w.count("indexing stored pages for the search", pages) },
	}
}

// warn tells what the person should know of the document.
func (w *mapWatch) warn(all []maps.DocumentWarning) {
	for _, one := range all {
		where := ""
		if one.Line > 0 {
			where = fmt.Sprintf("line %d: ", one.Line)
		}
		fmt.Fprintf(w.env.Stderr, "nightjar: warning: %s%s; %s\n", where, printable(one.What), printable(one.Next))
	}
}

// tellPlan prints which pages the document names, every query that will be sent, and to whom. list says that the pages are those of a
// list.
func tellPlan(out io.Writer, p trainingset.Plan, list bool) {
	if len(p.Named) > 0 {
		fmt.Fprintf(out, "The document names %s as found:\n", texts.Count(len(p.Named), "page, which counts", "pages, which count"))
	}
	for _, url := range p.Named {
		fmt.Fprintf(out, "  %s\n", printable(url))
	}
	switch {
	case list:
		fmt.Fprintln(out, "No query is sent: the pages are those of the list.")
		return
	case p.To == "":
		fmt.Fprintln(out, "No query is sent: the titles are looked for on this computer.")
		return
	}
	fates := map[trainingset.Fate]int{}
	for _, q := range p.Queries {
		fates[q.Fate]++
	}
	switch n, to := fates[trainingset.WillSend], printable(p.To); n {
	case 0:
		fmt.Fprintf(out, "No query is sent to %s.\n", to)
	default:
		fmt.Fprintf(out, "%s to %s and to nobody else, one in %d seconds:\n", goTo(n), to, int(trainingset.QueryGap.Seconds()))
	}
	for _, q := range p.Sends() {
		fmt.Fprintf(out, "  %s\n", printable(q))
	}
	for _, more := range []struct {
		fate trainingset.Fate
		text string
	}{
		{trainingset.WillReuse, "answered before, and not sent again"},
		{trainingset.WillMiss, "sent before, but the answer was lost; not sent again"},
		{trainingset.OverLimit, fmt.Sprintf("not sent: at most %d are sent for a document", trainingset.MaxQueries)},
	} {
		if n := fates[more.fate]; n > 0 {
			fmt.Fprintf(out, "%d more: %s.\n", n, more.text)
		}
	}
}

func goTo(n int) string {
	if n == 1 {
		return "This query goes"
	}
	return fmt.Sprintf("These %d queries go", n)
}

// stepWords say what a step does.
var stepWords = map[maps.Step]string{
	maps.StepTitles:   "reading the document",
	maps.StepPages:    "looking for pages",
	maps.StepTraining: "training the classifier",
	maps.StepCrawl:    "crawling",
	maps.StepDrawing:  "making the map",
}

// progress shows how far the step is: each step, and each part of one with another number of things to do, by itself.
func (w *mapWatch) progress(p communities.Progress) {
	if w.show == nil || p.Step != w.last.Step || p.Of != w.last.Of {
		w.begin(stepWords[p.Step], p.Of)
		w.said = ""
	}
	if p == w.last {
		return
	}
	w.last = p
	text := printable(p.Text)
	switch {
	case p.Step == maps.StepCrawl && text == "": // it does not wait, but it may be long until the first page
		text = "up to " + texts.Plural(p.Of, "page")
	case p.Step != maps.StepCrawl && p.Of > 0: // its texts change with each thing that is done
		text = ""
	}
	if text != "" && text != w.said {
		w.show.Say(text)
		w.said = text
	}
	if p.Of > 0 {
		w.show.Set(p.Done)
	}
}

// goOn is the command that resumes the map.
func (w *mapWatch) goOn() string {
	return terminal.On(w.data, fmt.Sprintf("communities --map %d", w.id))
}

// stopped says how to go on after Ctrl-C.
func (w *mapWatch) stopped() error {
	switch {
	case w.id == 0:
		return errors.New("stopped before the map was begun")
	case w.here:
		return command.WithHint(fmt.Errorf("stopped; map %d is kept as far as it is", w.id), "go on with: %s", w.goOn())
	}
	return command.WithHint(fmt.Errorf("stopped waiting; the running daemon continues map %d", w.id), "its dashboard shows the map and can stop it; wait for it with: %s", w.goOn())
}

// failed adds how to try the failed step again, when there is a map.
func (w *mapWatch) failed(err error) error {
	if w.id == 0 || command.Hint(err) != "" {
		return err
	}
	return command.WithHint(err, "what was done is kept; when that is mended, go on with: %s", w.goOn())
}

// tell writes the files and prints a summary.
func (o *communitiesOptions) tell(env *command.Env, v *communities.View) error {
	var page, object bytes.Buffer
	if err := mapreport.Write(&page, v); err != nil {
		return err
	}
	if err := command.WriteFile(o.out, page.Bytes()); err != nil {
		return err
	}
	if o.json != "" {
		if err := mapreport.WriteJSON(&object, v); err != nil {
			return err
		}
		if err := command.WriteFile(o.json, object.Bytes()); err != nil {
			return err
		}
	}
	for _, w := range v.Warnings {
		fmt.Fprintf(env.Stderr, "nightjar: warning: %s\n", printable(w))
	}
	return tellMap(env.Stdout, v, o.out)
}

// tellMap prints a line for each community, and where the report is.
func tellMap(out io.Writer, v *communities.View, file string) error {
	var text strings.Builder
	what := fmt.Sprintf("%d communities", len(v.Communities))
	if len(v.Communities) == 1 {
		what = "1 community"
	}
	fmt.Fprintf(&text, "Map %d of %q: %s in %s\n", v.Map.ID, printable(v.Map.Title), what, texts.Plural(v.Counts.Kept, "page"))
	if v.Subject != "" {
		fmt.Fprintf(&text, "Compared with your other pages, it is about %s\n", printable(v.Subject))
	}
	for _, c := range v.Communities {
		fmt.Fprintf(&text, "%3d. %s: %s", c.N, printable(c.Name), texts.Plural(c.Size, "page"))
		if v.Earlier != nil {
			fmt.Fprintf(&text, ", %d new", c.New)
		}
		text.WriteByte('\n')
		if len(c.Examples) > 0 {
			fmt.Fprintf(&text, "     %s\n     %s\n", printable(c.Examples[0].Title), printable(c.Examples[0].URL))
		}
	}
	if said := v.Counts.LinksCounted(); said != "" {
		fmt.Fprintf(&text, "For hubs and authorities, %d %s\n", v.Counts.Links, said)
	}
	fmt.Fprintf(&text, "The report is in %s\n", file)
	_, err := io.WriteString(out, text.String())
	return err
}

// printable is a text of a stranger for a terminal: in one line, without what could steer it.
func printable(s string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) || r == unicode.ReplacementChar {
			return ' '
		}
		return r
	}, s)), " ")
}
