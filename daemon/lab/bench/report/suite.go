package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"nightjar/daemon/base/command"
	"nightjar/daemon/lab/bench"
)

// folder is the folder of the pictures, next to the report.
const folder = "benchmarks"

//go:embed report.md.tmpl
var reportText string

var reportTemplate = template.Must(template.New("report").Funcs(template.FuncMap{"text": text, "code": code, "list": list, "plain": plain, "missing": missingShort}).Parse(reportText))

// Suite writes dir/BENCHMARKS.md and, for each group, a picture of its first task in dir/benchmarks. It makes the folders,
// writes files atomically and the report last, and keeps pictures of earlier suites.
func Suite(dir string, s *bench.SuiteResult) error {
	v := newView(s)
	if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	for _, t := range v.tasks {
		if !t.drawn {
			continue
		}
		var picture bytes.Buffer
		if err := SVG(&picture, t.exact(v.modes[0])); err != nil {
			return err
		}
		if err := command.WriteFile(filepath.Join(dir, folder, t.file()), picture.Bytes()); err != nil {
			return err
		}
	}
	page, err := markdown(v)
	if err != nil {
		return err
	}
	return command.WriteFile(filepath.Join(dir, "BENCHMARKS.md"), page)
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

// task holds the results of one task, for every way of counting.
type task struct {
	Name    string
	Group   string
	slug    string
	drawn   bool // the first of its group
	results []*bench.Result
}

func newView(s *bench.SuiteResult) *view {
	v := &view{SuiteResult: s}
	slugs := map[string]bool{}
	for i := range s.Results {
		r := &s.Results[i]
		if !slices.Contains(v.modes, r.Missing) {
			v.modes = append(v.modes, r.Missing)
		}
		at := slices.IndexFunc(v.tasks, func(t *task) bool { return t.Name == title(r) && t.Group == r.Group })
		if at < 0 {
			at = len(v.tasks)
			first := r.Missing == v.modes[0] && !slices.ContainsFunc(v.tasks, func(t *task) bool { return t.drawn && t.Group == r.Group })
			v.tasks = append(v.tasks, &task{Name: title(r), Group: r.Group, slug: newSlug(title(r), slugs), drawn: first})
		}
		v.tasks[at].results = append(v.tasks[at].results, r)
	}
	return v
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
func (t *task) file() string { return t.slug + ".svg" }

// exact is the result for a way of counting, nil without one.
func (t *task) exact(mode string) *bench.Result {
	at := slices.IndexFunc(t.results, func(r *bench.Result) bool { return r.Missing == mode })
	if at < 0 {
		return nil
	}
	return t.results[at]
}

// result is exact, or the result of another way of counting: a task without missing pages is measured once, since both ways
// give the same.
func (t *task) result(mode string) *bench.Result {
	if r := t.exact(mode); r != nil {
		return r
	}
	return t.results[0]
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
