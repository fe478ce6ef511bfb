// Package load measures the daemon under load: how many events it loses, how long acknowledgements take, and what memory,
// goroutines and descriptors its process has over time.
//
// The daemon runs in a process of its own, by the code of the program's own commands. Browsers, farm and reader are in this one,
// and take time of the same processors.
package load

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"nightjar/daemon/base/command"
	"nightjar/daemon/lab/verb"
)

// Command is the verb.
var Command = command.Command{
	Name:    "load",
	Args:    "[FLAGS]",
	Summary: "what becomes of 200 events a second, and of a flood",
	Help: `Measures the daemon under load: browsers that send 200 events a second with a burst of 1,000, one that sends as fast as it
can, a crawl of a farm of made-up hosts, and a reader of the dashboard. It prints how many events were lost, how long
acknowledgements took, and what memory, goroutines and descriptors the process had over time.

  lab load --minutes 10 --stored 1000000`,
	Verb:  command.Of[options],
	Below: []command.Command{verb.Job("load daemon", serve)},
}

// options are the flags.
type options struct {
	Minutes float64 // of the steady load
	Flood   int     // events that a browser sends as fast as it can, after that; 0 for none
	Stored  int     // events in the database before
	Rate    int     // events a second of the steady browser
	Burst   int     // events that it sends at once in the middle
	Crawl   bool    // crawl meanwhile
	Dir     string  // folder for the data; "" for a temporary one
	verb.Output
}

func (o *options) Define(f *flag.FlagSet) {
	f.Float64Var(&o.Minutes, "minutes", 1, "`minutes` of steady load")
	f.IntVar(&o.Flood, "flood", 8000, "`events` that one more browser sends as fast as it can at the end (0 for none)")
	f.IntVar(&o.Stored, "stored", 0, "`events` in the database before, a third of them snapshots")
	f.IntVar(&o.Rate, "rate", 200, "events a second of the steady load")
	f.IntVar(&o.Burst, "burst", 1000, "`events` that are sent at once in the middle of the steady load")
	f.BoolVar(&o.Crawl, "crawl", true, "crawl meanwhile")
	f.StringVar(&o.Dir, "data", "", "`folder` for the database; one with stored events is made once and copied (default: a temporary one)")
	o.Flags(f, "")
}

func (o *options) Run(ctx context.Context, env *command.Env, _ []string) error {
	if o.Minutes <= 0 || o.Rate < 1 || o.Burst < 0 || o.Flood < 0 || o.Stored < 0 {
		return command.Usagef("more than 0 minutes and 1 event a second, and no negative numbers")
	}
	work, err := os.MkdirTemp(o.Dir, "load-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }() // a temporary folder
	if err := prepare(ctx, o, work, env.Stderr); err != nil {
		return fmt.Errorf("prepare: %w", err)
	}
	r, err := measure(ctx, o, work, env.Stderr)
	if err != nil {
		return err
	}
	return o.Print(env, r, r.heading(), r.tables())
}

// prepare makes the data folder of the run: with the stored events, browsers that are paired, and a topic to crawl for.
func prepare(ctx context.Context, o *options, work string, log io.Writer) error {
	if o.Stored > 0 {
		begin := time.Now()
		if err := stored(ctx, o, database(work), log); err != nil {
			return err
		}
		fmt.Fprintf(log, "%d stored events are there after %s\n", o.Stored, time.Since(begin).Round(time.Second))
	}
	return settle(ctx, database(work))
}

func database(dir string) string { return filepath.Join(dir, "nightjar.db") }

// stored makes a database with stored events. In a folder that is kept, it is made once.
func stored(ctx context.Context, o *options, name string, log io.Writer) error {
	if o.Dir == "" {
		return fill(ctx, name, o.Stored, longSession, log)
	}
	kept := filepath.Join(o.Dir, fmt.Sprintf("stored-%d.db", o.Stored))
	if _, err := os.Stat(kept); err != nil {
		part := kept + ".part"
		if err := os.RemoveAll(part); err != nil {
			return err
		}
		if err := fill(ctx, part, o.Stored, longSession, log); err != nil {
			return err
		}
		if err := os.Rename(part, kept); err != nil {
			return err
		}
	}
	return copyFile(kept, name)
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // only read from
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		_ = out.Close() // the copy failed already
		return err
	}
	return out.Close()
}
