package cli

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/keep/doctor"
)

var doctorCommand = command.Command{
	Name:    "doctor",
	Args:    "[--json] [--full] [--data DIR]",
	Summary: "check for problems, and say how to fix them",
	Help:    help("doctor"),
	Verb:    command.Of[doctorOptions],
}

type doctorOptions struct {
	app.Config
	json, full bool
}

func (o *doctorOptions) Define(f *flag.FlagSet) {
	o.DataFlags(f)
	f.StringVar(&o.Listen, "listen", app.DefaultListen, "loopback `ADDR:PORT` where the daemon would serve")
	f.BoolVar(&o.json, "json", false, "print JSON")
	f.BoolVar(&o.full, "full", false, "check the whole database, however long it takes")
}

func (o *doctorOptions) Run(ctx context.Context, env *command.Env, _ []string) error {
	limit := time.Duration(0)
	if o.full {
		limit = -1
		fmt.Fprintln(env.Stderr, "nightjar: checking the whole database")
	}
	report, err := app.Examine(ctx, o.Config, limit)
	if err != nil {
		return fmt.Errorf("examine %s: %w", o.Data, err)
	}
	if o.json {
		err = json.NewEncoder(env.Stdout).Encode(report)
	} else {
		err = printReport(env.Stdout, report)
	}
	if n := report.Count(doctor.Broken); err == nil && n > 0 {
		err = fmt.Errorf("%d of %d checks say that something is broken", n, len(report.Checks))
	}
	return err
}

// printReport writes a line for each check, and below it what there is to do.
func printReport(w io.Writer, r doctor.Report) error {
	var b strings.Builder
	for _, c := range r.Checks {
		fmt.Fprintf(&b, "%-8s %-22s %s\n", c.State, c.Name, c.Says)
		for _, more := range c.More {
			fmt.Fprintf(&b, "%31s %s\n", "", more)
		}
		if c.Fix != "" {
			fmt.Fprintf(&b, "%31s -> %s\n", "", c.Fix)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
