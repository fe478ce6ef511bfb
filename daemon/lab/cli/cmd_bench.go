package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"strings"

	"nightjar/crawler/strategy"
	"nightjar/daemon/base/command"
	"nightjar/daemon/lab/bench"
	benchreport "nightjar/daemon/lab/bench/report"
	"nightjar/daemon/lab/recording"
	"nightjar/daemon/lab/verb"
)

var benchCommand = command.Command{
	Name:    "bench",
	Args:    "--corpus DIR|FILE.warc.gz --session FILE... --labels FILE.tsv --relevant LABEL --start URL... [FLAGS]  |  --suite NAME|FILE [FLAGS]",
	Summary: "measure strategies against each other on recorded webs",
	Help:    help("bench"),
	Verb:    command.Of[benchOptions],
	Below:   []command.Command{bench.JobCommand},
}

type benchOptions struct {
	task    bench.Task
	missing string
	suite   string
	only    []string
	lists   []int // percent of the hosts
	corpora string
	json    string
	svg     string
	out     string
}

func (o *benchOptions) Define(f *flag.FlagSet) {
	f.Var(command.List{Values: &o.task.Corpus}, "corpus", "`DIR|FILE` with the recording: a WARC file, plain or gzip, or a folder of such files")
	f.Var(command.List{Values: &o.task.Sessions}, "session", "session `FILE` to learn from; several make one model")
	f.Var(command.List{Values: &o.task.Labels}, "labels", "`FILE` of lines \"URL tab label\"")
	f.Var(command.List{Values: &o.task.Relevant}, "relevant", "`LABEL` of the relevant pages, in full")
	f.Var(command.List{Values: &o.task.Starts, URLs: true}, "start", "`URL` to crawl from")
	f.IntVar(&o.task.Budget, "budget", 0, "pages to fetch (`NUMBER`; default 1000, or what the suite says)")
	f.Var(command.List{Values: &o.task.Strategies}, "strategies", "`NAME` of a strategy or variant (default: all strategies that need no ontology, no variants; thematic gets one of the words of the sessions):\n"+strategy.Help())
	f.Func("seed", "random seed (`NUMBER`); several give means and intervals", func(s string) error {
		var seeds []uint64
		err := verb.Numbers(&seeds, 0)(s)
		o.task.Seeds = append(o.task.Seeds, seeds...)
		return err
	})
	f.StringVar(&o.missing, "missing", "", "`free|cost`: whether a link that the recording lacks costs a page (default free; a suite measures both)")
	f.Func("lists", "`PERCENT` of the hosts for which robots.txt and a sitemap are made up (default 0); a suite takes several and measures all", verb.Numbers(&o.lists, 0))
	f.StringVar(&o.json, "json", "", "`FILE` to write the results to; - is standard output")
	f.StringVar(&o.svg, "svg", "", "`FILE` to write the curves to")
	f.StringVar(&o.suite, "suite", "", "`NAME|FILE` of a list of tasks: "+strings.Join(bench.SuiteNames(), ", ")+", or a file")
	f.Var(command.List{Values: &o.only}, "task", "`NAME` of a task of the suite (default: all)")
	f.StringVar(&o.corpora, "corpora", "", "`DIR` with the files of a suite (default $NIGHTJAR_CORPORA)")
	f.StringVar(&o.out, "out", "", "`DIR` to write a suite's report to")
}

func (o *benchOptions) Run(ctx context.Context, env *command.Env, _ []string) error {
	if err := o.check(); err != nil {
		return err
	}
	var show *command.Progress
	var of int // total of what is shown
	r := &bench.Runner{
		Warn: func(format string, args ...any) { fmt.Fprintf(env.Stderr, "lab: warning: "+format+"\n", args...) },
		Progress: func(done, total int, task string) {
			if show != nil && of != total {
				show.End()
			}
			if show == nil || of != total {
				of = total
				show = command.NewProgress(env.Stderr, "measuring", total)
			}
			show.Set(done, task)
		},
	}
	run := o.runTask
	if o.suite != "" {
		run = o.runSuite
	}
	err := run(ctx, env, r)
	if show != nil {
		show.End()
	}
	if p, ok := errors.AsType[*bench.Problem](err); ok {
		return command.WithHint(err, "%s", p.Hint)
	}
	return err
}

// check completes the options and refuses combinations that contradict each other.
func (o *benchOptions) check() error {
	if o.missing != "" && o.missing != bench.Free && o.missing != bench.Cost {
		return command.Usagef("--missing is free or cost, not %q", o.missing)
	}
	for _, name := range o.task.Strategies {
		if name != strategy.Auto && name != bench.Oracle && !strategy.Known(name) {
			return command.Usagef("unknown strategy %q: known are %s, %s and %v", name, bench.Oracle, strategy.Auto, strategy.Names())
		}
	}
	if o.suite != "" {
		return o.checkSuite()
	}
	return o.checkTask()
}

// checkTask checks what one task needs.
func (o *benchOptions) checkTask() error {
	if err := needAll(need{"corpus", len(o.task.Corpus) > 0}, need{"session", len(o.task.Sessions) > 0}, need{"labels", len(o.task.Labels) > 0},
		need{"relevant", len(o.task.Relevant) > 0}, need{"start", len(o.task.Starts) > 0}); err != nil {
		return err
	}
	switch {
	case o.out != "" || len(o.only) > 0 || o.corpora != "":
		return command.Usagef("--out, --task and --corpora need --suite")
	case len(o.lists) > 1:
		return command.Usagef("several --lists need --suite")
	case o.missing == "":
		o.missing = bench.Free
	}
	if o.task.Budget == 0 {
		o.task.Budget = defaultBudget
	}
	if len(o.lists) > 0 {
		o.task.Lists = o.lists[0]
	}
	if err := o.task.Check(); err != nil {
		return command.Usagef("%v", err)
	}
	var files []string
	for _, name := range o.task.Corpus {
		found, err := recording.Files(name)
		if err != nil {
			return command.WithHint(fmt.Errorf("open the corpus %s: %w", name, err), "recordings are named *.warc.gz or *.warc")
		}
		files = append(files, found...)
	}
	o.task.Corpus = files
	return nil
}

// defaultBudget is the budget of a task in pages.
const defaultBudget = 1000

// checkSuite refuses flags for what a suite sets itself.
func (o *benchOptions) checkSuite() error {
	t := &o.task
	switch {
	case len(t.Corpus)+len(t.Sessions)+len(t.Labels)+len(t.Relevant)+len(t.Starts) > 0:
		return command.Usagef("--suite sets what to crawl: it takes no --corpus, --session, --labels, --relevant and --start")
	case o.svg != "":
		return command.Usagef("--svg draws the curves of one task; for a suite, --out does")
	case t.Budget < 0:
		return command.Usagef("--budget cannot be negative")
	}
	return nil
}

// runTask measures one task.
func (o *benchOptions) runTask(ctx context.Context, env *command.Env, r *bench.Runner) error {
	result, err := r.Run(ctx, o.task, o.missing)
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	if err := o.writeJSON(env, result); err != nil {
		return err
	}
	if o.svg != "" {
		var picture bytes.Buffer
		if err := benchreport.SVG(&picture, result); err != nil {
			return fmt.Errorf("draw %s: %w", o.svg, err)
		}
		if err := command.WriteFile(o.svg, picture.Bytes()); err != nil {
			return err
		}
	}
	if o.json == "-" {
		return nil
	}
	return printBench(env.Stdout, result)
}

// runSuite measures the tasks of a suite.
func (o *benchOptions) runSuite(ctx context.Context, env *command.Env, r *bench.Runner) error {
	s, err := bench.LoadSuite(o.suite)
	if err != nil {
		return err
	}
	if len(o.only) > 0 {
		if err := s.Only(o.only); err != nil {
			return command.Usagef("%v", err)
		}
	}
	o.override(s)
	if r.Dir = o.corpora; r.Dir == "" {
		r.Dir = env.Getenv("NIGHTJAR_CORPORA")
	}
	if r.Dir == "" && len(s.MadeUp) == 0 {
		return command.WithHint(fmt.Errorf("suite %s needs recorded webs", s.Name), "name their folder with --corpora DIR or in $NIGHTJAR_CORPORA; daemon/lab/reports/BENCHMARKS.md says where they come from")
	}
	result, err := r.RunSuite(ctx, s, o.missing)
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	result.Command = benchLine(env.Args)
	if err := o.writeJSON(env, result); err != nil {
		return err
	}
	if o.out != "" {
		if err := benchreport.Suite(o.out, result); err != nil {
			return err
		}
	}
	if o.json == "-" {
		return nil
	}
	return printSuite(env.Stdout, result)
}

// override replaces values of a suite by those of the flags.
func (o *benchOptions) override(s *bench.Suite) {
	if o.lists != nil {
		s.WithLists(o.lists)
	}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		if o.task.Seeds != nil {
			t.Seeds = o.task.Seeds
		}
		if o.task.Strategies != nil {
			t.Strategies = o.task.Strategies
		}
		if o.task.Budget > 0 {
			t.Budget = o.task.Budget
		}
	}
}

// benchLine returns the command that measures a suite again, without the folders of this machine.
func benchLine(args []string) string {
	line := []string{"lab", "bench"}
	for i := 0; i < len(args); i++ {
		name, _, joined := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		if name == "corpora" || name == "out" || name == "json" {
			if !joined {
				i++
			}
			continue
		}
		line = append(line, args[i])
	}
	return strings.Join(line, " ")
}

// writeJSON writes the results to the file or output of --json.
func (o *benchOptions) writeJSON(env *command.Env, result any) error {
	if o.json == "" {
		return nil
	}
	text, err := json.Marshal(result)
	if err != nil {
		return fmt.Errorf("write %s: %w", o.json, err)
	}
	text = append(text, '\n')
	if o.json == "-" {
		_, err = env.Stdout.Write(text)
		return err
	}
	return command.WriteFile(o.json, text)
}
