package cli

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"nightjar/crawler/texts"
	"nightjar/crawler/work"
	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/base/terminal"
)

var workerRevokeCommand = command.Command{
	Name:    "worker revoke",
	Args:    "NAME [--data DIR]",
	Summary: "end a worker's connection, and never let it in again",
	Help:    help("worker-revoke"),
	Files:   true,
	Verb:    command.Of[workerRevoke],
}

type workerRevoke struct{ app.Config }

func (o *workerRevoke) Define(f *flag.FlagSet) { o.DataFlags(f) }

func (o *workerRevoke) Run(ctx context.Context, env *command.Env, files []string) error {
	name, err := nameOf("revoke", files)
	if err != nil {
		return err
	}
	if _, err := askWorkers(ctx, o.Data, app.WorkersRequest{Do: app.RevokeWorker, Name: name}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(env.Stdout, "The worker %s was revoked.\n", printable(name))
	return err
}

var workerListCommand = command.Command{
	Name:    "worker list",
	Args:    "[--json] [--data DIR]",
	Summary: "list the workers that were invited",
	Help:    help("worker-list"),
	Verb:    command.Of[workerList],
}

type workerList struct {
	app.Config
	json bool
}

func (o *workerList) Define(f *flag.FlagSet) {
	o.DataFlags(f)
	f.BoolVar(&o.json, "json", false, "print JSON")
}

func (o *workerList) Run(ctx context.Context, env *command.Env, _ []string) error {
	a, err := askWorkers(ctx, o.Data, app.WorkersRequest{Do: app.ListWorkers})
	if err != nil {
		return err
	}
	if o.json {
		return json.NewEncoder(env.Stdout).Encode(workersJSON(a))
	}
	return printWorkers(env.Stdout, a)
}

// printWorkers writes a line for each worker. Their texts come from other machines.
func printWorkers(w io.Writer, a *app.WorkersAnswer) error {
	var b strings.Builder
	switch {
	case a.Broker.Problem != "" && a.Broker.Answers:
		fmt.Fprintf(&b, "Workers can connect, but %s\n", printable(a.Broker.Problem))
	case a.Broker.Problem != "":
		fmt.Fprintf(&b, "No worker can connect: %s\n", printable(a.Broker.Problem))
	case a.Broker.On:
		fmt.Fprintf(&b, "Workers connect to %s.\n", printable(a.Broker.Address))
	default:
		b.WriteString("Workers are switched off. Switch them on in the dashboard, under Settings, Workers.\n")
	}
	if len(a.Status.Workers) == 0 {
		fmt.Fprintf(&b, "No worker is invited: %s\n", terminal.Command("worker invite NAME"))
	}
	for _, one := range a.Status.Workers {
		fmt.Fprintf(&b, "%-16s %-10s %s, %.1f pages/s, %s", printable(one.Name), printable(string(one.State)), texts.Plural(int(one.Pages), "page"), one.Rate, texts.Plural(one.Running, "task"))
		if one.Program != "" {
			fmt.Fprintf(&b, ", version %s", printable(one.Program))
		}
		b.WriteByte('\n')
		for _, why := range []string{one.Refused, one.Trouble} {
			if why != "" {
				fmt.Fprintf(&b, "%27s %s\n", "", printable(why))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// workersList is the JSON form of worker list.
type workersList struct {
	On      bool         `json:"on"`
	Address string       `json:"address"`
	Problem string       `json:"problem"`
	Here    bool         `json:"here"`
	Waiting int          `json:"waiting"`
	Granted int          `json:"granted"`
	Workers []workerJSON `json:"workers"`
}

type workerJSON struct {
	Name     string           `json:"name"`
	State    work.State       `json:"state"`
	Program  string           `json:"program"`
	Since    time.Time        `json:"since,omitzero"`
	Seen     time.Time        `json:"seen,omitzero"`
	Pages    int64            `json:"pages"`
	Rate     float64          `json:"rate"`
	Outcomes map[string]int64 `json:"outcomes"`
	Hosts    []string         `json:"hosts"`
	Lost     int64            `json:"lost"`
	Refused  string           `json:"refused"`
	Trouble  string           `json:"trouble"`
}

func workersJSON(a *app.WorkersAnswer) workersList {
	l := workersList{On: a.Broker.On, Address: a.Broker.Address, Problem: a.Broker.Problem, Here: a.Status.Here,
		Waiting: a.Status.Waiting, Granted: a.Status.Granted, Workers: []workerJSON{}}
	for _, w := range a.Status.Workers {
		one := workerJSON{Name: w.Name, State: w.State, Program: w.Program, Since: w.Since, Seen: w.Seen, Pages: w.Pages, Rate: w.Rate,
			Outcomes: w.Outcomes, Hosts: append([]string{}, w.Hosts...), Lost: w.Lost, Refused: w.Refused, Trouble: w.Trouble}
		if one.Outcomes == nil {
			one.Outcomes = map[string]int64{}
		}
		l.Workers = append(l.Workers, one)
	}
	return l
}
