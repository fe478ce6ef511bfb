package cli

import (
	"context"
	"errors"
	"flag"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"nightjar/crawler/fetch"
	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/panorama/document"
	"nightjar/daemon/workers/broker/join"
	"nightjar/daemon/workers/worker"
)

var workerCommand = command.Command{
	Name:    "worker",
	Args:    "INVITATION [--parallel NUMBER] [--max-mbit NUMBER] [--hours FROM-TO]  |  VERB [ARGUMENTS]",
	Summary: "fetch pages for a daemon on another machine",
	Help:    help("worker"),
	Files:   true,
	Verb:    command.Of[workerOptions],
	Below:   []command.Command{workerInviteCommand, workerRevokeCommand, workerListCommand},
}

type workerOptions struct {
	join     []string
	creds    string
	name     string
	parallel int
	mbit     float64
	hours    string
	resolve  []string
	private  []string
	verbose  bool
}

func (o *workerOptions) Define(f *flag.FlagSet) {
	f.Var(command.List{Values: &o.join}, "join", "`URL` of the daemon or of a cluster, if not that of the invitation (nats://HOST:4775)")
	f.StringVar(&o.creds, "creds", "", "`FILE` of an invitation, or of credentials of a cluster")
	f.StringVar(&o.name, "name", "", "`NAME` of the worker, with credentials of a cluster")
	f.IntVar(&o.parallel, "parallel", worker.DefaultParallel, "`NUMBER` of pages at once")
	f.Float64Var(&o.mbit, "max-mbit", 0, "`NUMBER` of Mbit/s that all pages together may take (default no limit)")
	f.StringVar(&o.hours, "hours", "", "`FROM-TO`: work only at these hours of this machine's clock (22:00-06:00)")
	f.Var(command.List{Values: &o.resolve}, "resolve", "`PATTERN=ADDR:PORT`: fetch from hosts that match at this address (*.test=127.0.0.1:8080)")
	f.Var(command.List{Values: &o.private}, "allow-private", "`CIDR` of private addresses that may be fetched from")
	f.BoolVar(&o.verbose, "verbose", false, "log more")
}

func (o *workerOptions) Run(ctx context.Context, env *command.Env, files []string) error {
	level := slog.LevelInfo
	if o.verbose {
		level = slog.LevelDebug
	}
	log := command.NewLogger(env.Stderr, level)
	to, err := o.joins(files)
	if err != nil {
		return err
	}
	to.Log = log
	of, err := o.options()
	if err != nil {
		return err
	}
	worker.HoldMemory(env.Getenv)
	now, end := untilSecondSignal(ctx)
	defer end()
	conn, err := join.Dial(ctx, to)
	if ctx.Err() != nil {
		return nil // told to end before anything began
	}
	if err != nil {
		return err
	}
	defer conn.Close()
	of.Broker, of.Name, of.Log = conn, to.Invite.Name, log
	log.Info("connected", "as", of.Name, "parallel", o.parallel)
	return worker.Run(now, ctx.Done(), of)
}

// joins returns how to connect.
func (o *workerOptions) joins(files []string) (join.Options, error) {
	to := join.Options{Servers: o.join}
	if len(files) == 1 && o.creds == "" {
		o.creds, files = files[0], nil
	}
	switch {
	case len(files) > 0:
		return to, command.Usagef("unexpected argument %q", files[0])
	case o.creds == "":
		return to, command.UsageHint("which invitation?", "make one on the daemon's machine: nightjar worker invite NAME; then here: "+terminal.Command("worker FILE"))
	}
	invite, err := join.ReadFile(o.creds)
	switch {
	case err == nil:
		to.Invite = invite
		return to, nil
	case !errors.Is(err, join.ErrInvite) || len(o.join) == 0:
		return to, err
	case o.name == "":
		return to, command.Usagef("with credentials of a cluster, --name says which worker this is")
	}
	to.Creds, to.Invite.Name = o.creds, o.name
	return to, nil
}

// options returns the worker's own settings.
func (o *workerOptions) options() (of worker.Options, err error) {
	of = worker.Options{Program: app.Version, Parallel: o.parallel, MaxMbit: o.mbit, Hours: o.hours, Page: document.Page}
	if o.parallel < 1 || o.parallel > worker.MaxParallel {
		return of, command.Usagef("--parallel must be between 1 and %d, not %d", worker.MaxParallel, o.parallel)
	}
	if !(o.mbit >= 0) {
		return of, command.Usagef("--max-mbit must be a number above 0")
	}
	if _, err := worker.ParseHours(o.hours); err != nil {
		return of, command.Usagef("--hours: %v", err)
	}
	var live fetch.LiveOptions
	if err := live.Open(o.resolve, o.private); err != nil {
		return of, command.Usagef("%v", err)
	}
	of.Resolve, of.AllowPrivate = live.Resolve, live.AllowPrivate
	return of, nil
}

// untilSecondSignal returns a context that outlives ctx until the process is interrupted a second time.
func untilSecondSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	now, cancel := context.WithCancel(context.WithoutCancel(ctx))
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		defer signal.Stop(signals)
		for range 2 {
			select {
			case <-signals:
			case <-now.Done():
				return
			}
		}
		cancel()
	}()
	return now, cancel
}
