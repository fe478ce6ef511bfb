// Package papers measures what the headlines of the five papers rest on ([HMM], [CGS], [CRF], [PANORAMA], [THESUS], see package model),
// on public recordings, and writes docs/PAPERS.md.
//
// Command is the verb. Each paper has a file with its claims and a function that measures them; a paper whose recordings are missing
// gets rows that say so.
package papers

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"nightjar/daemon/base/command"
	"nightjar/daemon/lab/bench"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/lab/verb"
)

// Command is the verb.
var Command = command.Command{
	Name:    "papers",
	Args:    "--corpora DIR [FLAGS]",
	Summary: "what the five papers promise, and what is reached",
	Help: `Measures, for each of the five papers, what its headline rests on, on public recordings, and writes docs/PAPERS.md with
its pictures. It takes under an hour on two processors, with --quick some minutes. [THESUS] needs WordNet, which is looked for where
Nightjar looks (WNSEARCHDIR, /usr/share/wordnet). A paper whose recordings or WordNet are missing gets rows that say so.
--keep keeps the results of each paper in a folder, so that a run that was stopped goes on with the papers that it lacks.

  lab papers --corpora DIR --quick`,
	Verb: command.Of[options],
}

type options struct {
	Corpora string
	Quick   bool
	Only    []string
	Docs    string
	Keep    string
}

func (o *options) Define(f *flag.FlagSet) {
	verb.CorporaFlag(f, &o.Corpora, "the recordings")
	f.BoolVar(&o.Quick, "quick", false, "fewer tasks, seeds and documents, and shorter crawls")
	f.Func("only", "`NAMES` of papers (hmm, cgs, crf, panorama, thesus; default all)", verb.Names(&o.Only, "hmm", "cgs", "crf", "panorama", "thesus"))
	f.StringVar(&o.Keep, "keep", "", "`DIR` to keep the result of each paper in; those that are there already are not measured again")
	f.StringVar(&o.Docs, "docs", "", "`DIR` to write the page to (default docs of the source tree)")
}

func (o *options) Run(ctx context.Context, env *command.Env, _ []string) error {
	if o.Docs == "" {
		root, err := devtool.Root()
		if err != nil {
			return err
		}
		o.Docs = filepath.Join(root, "docs")
	}
	p := results{Quick: o.Quick, Measured: devtool.Measured(verb.Line(env, "papers", o.Corpora, o.Docs, o.Keep))}
	s := &study{lib: bench.NewLibrary(o.Corpora, nil), dir: o.Corpora, quick: o.Quick, log: env.Stderr, began: time.Now()}
	s.crawled = sync.OnceValues(func() ([]*trial, error) { return s.crawl(ctx) })
	all := []paper{{"hmm", s.hmm}, {"cgs", s.cgs}, {"crf", s.crf}, {"panorama", s.panorama}, {"thesus", s.thesus}}
	all = slices.DeleteFunc(all, func(one paper) bool { return len(o.Only) > 0 && !slices.Contains(o.Only, one.name) })
	p.Sections = make([]section, len(all))
	err := each(len(all), func(i int) (err error) {
		if p.Sections[i], err = s.kept(ctx, o.Keep, all[i]); err != nil {
			return fmt.Errorf("%s: %w", all[i].name, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return p.write(o.Docs)
}

// kept is the result of a paper: that of an earlier run if the folder keeps one, otherwise it is measured and kept.
func (s *study) kept(ctx context.Context, dir string, p paper) (sec section, err error) {
	file := filepath.Join(dir, fmt.Sprintf("%s-quick-%t.json", p.name, s.quick))
	if text, err := os.ReadFile(file); dir != "" && err == nil {
		return sec, json.Unmarshal(text, &sec)
	}
	began := time.Now()
	if sec, err = p.measure(ctx); err != nil || dir == "" {
		return sec, err
	}
	s.tell("%s took %s", p.name, time.Since(began).Round(time.Second))
	text, err := json.Marshal(sec)
	if err != nil {
		return sec, err
	}
	return sec, os.WriteFile(file, text, 0o644)
}

// paper is what measures one.
type paper struct {
	name    string
	measure func(context.Context) (section, error)
}

// study is what the papers share.
type study struct {
	lib   *bench.Library
	dir   string // of the recordings
	quick bool
	log   io.Writer
	began time.Time

	crawled func() ([]*trial, error) // crawls for [HMM], [CGS] and [CRF], made once
	mu      sync.Mutex
	webs    map[string]*web
}

// lacks says which of some files of the recordings is missing, "" when none is.
func (s *study) lacks(files ...string) string {
	for _, f := range files {
		if _, err := os.Stat(filepath.Join(s.dir, filepath.FromSlash(f))); s.dir == "" || err != nil {
			return "the recording " + f + " is missing"
		}
	}
	return ""
}

// tell says on the terminal how far the measurement is.
func (s *study) tell(format string, args ...any) {
	fmt.Fprintf(s.log, "papers: %4.0f s  %s\n", time.Since(s.began).Seconds(), fmt.Sprintf(format, args...))
}

// pick is a number of the full run, or of the quick one.
func (s *study) pick(full, quick int) int {
	if s.quick {
		return quick
	}
	return full
}

// each calls work for 0 to n-1, as many at a time as there are processors, and returns the first error.
func each(n int, work func(i int) error) error {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		group.Go(func() error { return work(i) })
	}
	return group.Wait()
}
