package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/natefinch/atomic"

	"nightjar/daemon/lab/bench"
)

// folder is the folder of the pictures, next to the report.
const folder = "benchmarks"

//go:embed report.md.tmpl
var reportText string

var reportTemplate = template.Must(template.New("report").Funcs(template.FuncMap{"text": text, "code": code, "list": list, "plain": plain, "missing": missingShort}).Parse(reportText))

// Suite writes dir/BENCHMARKS.md and, for each task and way of counting missing pages, a picture in dir/benchmarks. It makes
// the folders, writes files atomically and the report last, and keeps pictures of earlier suites.
func Suite(dir string, s *bench.SuiteResult) error {
	v := newView(s)
	if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	for _, t := range v.tasks {
		for _, mode := range v.modes {
			r := t.shown(mode)
			if r == nil {
				continue
			}
			var picture bytes.Buffer
			if err := SVG(&picture, legible(r)); err != nil {
				return err
			}
			if err := write(filepath.Join(dir, folder, t.file(mode)), &picture); err != nil {
				return err
			}
		}
	}
	page, err := markdown(v)
	if err != nil {
		return err
	}
	return write(filepath.Join(dir, "BENCHMARKS.md"), bytes.NewReader(page))
}

func write(name string, content io.Reader) error {
	if err := atomic.WriteFile(name, content); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// markdown is the report, with one empty line between its parts.
func markdown(v *view) ([]byte, error) {
	var b strings.Builder
	if err := reportTemplate.Execute(&b, v); err != nil {
		return nil, fmt.Errorf("write the report: %w", err)
	}
	var out []string
	for line := range strings.SplitSeq(strings.TrimSpace(b.String()), "\n") {
		line = strings.TrimRight(line, " ")
		if line != "" || out[len(out)-1] != "" {
			out = append(out, line)
		}
	}
	return []byte(strings.Join(out, "\n") + "\n"), nil
}

// view is a suite's result, prepared for the report.
type view struct {
	*bench.SuiteResult
	modes []string // ways of counting missing pages, in order of appearance
	tasks []*task
}

// task holds the results of one task, for every way of counting and every feedback.
type task struct {
	Name    string
	Group   string
	slug    string
	base    string // feedback of the reference result: "", or that of all results
	results []*bench.Result
}

func newView(s *bench.SuiteResult) *view {
	v := &view{SuiteResult: s}
	slugs := map[string]bool{}
	add := func(r *bench.Result, same func(t *task) bool) {
		at := slices.IndexFunc(v.tasks, same)
		if at < 0 {
			at = len(v.tasks)
			v.tasks = append(v.tasks, &task{Name: title(r), Group: r.Group, slug: newSlug(title(r), slugs), base: r.Feedback})
		}
		v.tasks[at].results = append(v.tasks[at].results, r)
	}
	for _, feedback := range []bool{false, true} { // the result without feedback names the task
		for i := range s.Results {
			r := &s.Results[i]
			if !slices.Contains(v.modes, r.Missing) {
				v.modes = append(v.modes, r.Missing)
			}
			if (r.Feedback != "") == feedback {
				add(r, func(t *task) bool { return t.holds(r) })
			}
		}
	}
	return v
}

// holds reports whether a result belongs to the task: it has the same name or, with feedback, the same goal and limits.
func (t *task) holds(r *bench.Result) bool {
	o := t.results[0]
	if t.Name == title(r) && t.Group == r.Group {
		return true
	}
	return r.Feedback != "" && o.Feedback == "" && o.Group == r.Group && o.Relevant == r.Relevant && o.Budget == r.Budget &&
		o.DomainCap == r.DomainCap && slices.Equal(o.Corpus, r.Corpus)
}

// newSlug is a unique file name for a task, of lower-case letters, digits and dashes.
func newSlug(name string, taken map[string]bool) string {
	const most = 60
	slug := strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return !('a' <= r && r <= 'z' || '0' <= r && r <= '9')
	}), "-")
	slug = strings.Trim(slug[:min(len(slug), most)], "-")
	if slug == "" {
		slug = "task"
	}
	unique := slug
	for n := 2; taken[unique]; n++ {
		unique = slug + "-" + strconv.Itoa(n)
	}
	taken[unique] = true
	return unique
}

// file is the name of the task's picture.
func (t *task) file(mode string) string {
	return t.slug + "." + newSlug(mode, map[string]bool{}) + ".svg"
}

// exact is the result without feedback for a way of counting, nil without one.
func (t *task) exact(mode string) *bench.Result {
	for _, r := range t.results {
		if r.Missing == mode && r.Feedback == t.base {
			return r
		}
	}
	return nil
}

// result is exact, or the result of another way of counting: a task without missing pages is measured once, since both ways
// give the same. It is nil without any result.
func (t *task) result(mode string) *bench.Result {
	if r := t.exact(mode); r != nil {
		return r
	}
	for _, r := range t.results {
		if r.Feedback == t.base {
			return r
		}
	}
	return nil
}

// taught are the results with feedback.
func (t *task) taught(mode string) []*bench.Result {
	var all []*bench.Result
	for _, r := range t.results {
		if r.Missing == mode && r.Feedback != t.base {
			all = append(all, r)
		}
	}
	return all
}

// shown is exact with the strategies with feedback added; nil without a result.
func (t *task) shown(mode string) *bench.Result {
	r := t.exact(mode)
	if r == nil {
		return nil
	}
	all := *r
	all.Strategies = slices.Clone(r.Strategies)
	for _, with := range t.taught(mode) {
		for _, s := range with.Strategies {
			if s.Name != oracle {
				s.Name += withFeedback + with.Feedback
				all.Strategies = append(all.Strategies, s)
			}
		}
	}
	return &all
}

// mostLines is the maximum number of lines in a picture.
const mostLines = 12

// legible removes the worst strategies with feedback until the lines fit.
func legible(r *bench.Result) *bench.Result {
	var taught []bench.Strategy
	for _, s := range r.Strategies {
		if strings.Contains(s.Name, withFeedback) {
			taught = append(taught, s)
		}
	}
	room := max(1, mostLines-len(r.Strategies)+len(taught))
	if len(taught) <= room {
		return r
	}
	dropped := bestFirst(taught)[room:]
	some := *r
	some.Strategies = slices.DeleteFunc(slices.Clone(r.Strategies), func(s bench.Strategy) bool {
		return slices.ContainsFunc(dropped, func(d bench.Strategy) bool { return d.Name == s.Name })
	})
	return &some
}

// strategy finds a strategy by name, nil without it.
func strategy(r *bench.Result, name string) *bench.Strategy {
	if r == nil {
		return nil
	}
	for i := range r.Strategies {
		if r.Strategies[i].Name == name {
			return &r.Strategies[i]
		}
	}
	return nil
}
