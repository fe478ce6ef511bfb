package cli

import (
	"context"
	"flag"
	"fmt"
	"log/slog"

	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/keep/service"
)

var serveCommand = command.Command{
	Name:    "serve",
	Args:    "[--listen ADDR:PORT] [--data DIR] [FLAGS]",
	Summary: "run the daemon",
	Help:    help("serve"),
	Verb:    command.Of[serveOptions],
}

type serveOptions struct {
	app.Config
	verbose bool
	noLink  bool
	noOpen  bool
	plain   bool // without a command: it also says how to go on
}

func (o *serveOptions) Define(f *flag.FlagSet) {
	o.DataFlags(f)
	f.StringVar(&o.Listen, "listen", app.DefaultListen, "loopback `ADDR:PORT` to serve on")
	f.Var(command.List{Values: &o.Resolve}, "resolve", "`PATTERN=ADDR:PORT`: crawl hosts that match at this address (*.test=127.0.0.1:8080)")
	f.Var(command.List{Values: &o.AllowPrivate}, "allow-private", "`CIDR` of private addresses that may be crawled")
	f.StringVar(&o.WorkerFlags.Listen, "workers-listen", "", "`ADDR:PORT` at which workers on other machines connect; the settings' without it")
	f.StringVar(&o.WorkerFlags.TLS, "workers-tls", "", "`DIR` of the certificates for --workers-listen, made when missing; in the data folder without it")
	f.StringVar(&o.WorkerFlags.Broker, "broker", "", "`nats://A,B,C`: a NATS cluster between this daemon and workers")
	f.StringVar(&o.WorkerFlags.Creds, "broker-creds", "", "`FILE` with the cluster's credentials for this daemon")
	f.BoolVar(&o.noLink, "no-link", false, "print no one-time link, where the output is kept in a log")
	f.BoolVar(&o.noOpen, "no-open", false, "do not open the dashboard in the browser")
	f.BoolVar(&o.verbose, "verbose", false, "log more; may name pages you visited")
}

func (o *serveOptions) Run(ctx context.Context, env *command.Env, _ []string) error {
	level := slog.LevelInfo
	if o.verbose {
		level = slog.LevelDebug
	}
	return service.Run(ctx, func(ctx context.Context) error {
		door := &door{env: env, say: env.Stdout, data: o.Data, opens: !o.noOpen && !o.noLink && opens(env)}
		return app.Serve(ctx, o.Config, command.NewLogger(env.Stderr, level), func(daemon *app.App, again bool) {
			door.leadsTo(daemon)
			if again {
				return
			}
			o.announce(env, door)
			if !o.noLink {
				go o.receive(ctx, env, door)
			}
		})
	})
}

// receive opens the dashboard, and makes another link at each Enter.
func (o *serveOptions) receive(ctx context.Context, env *command.Env, door *door) {
	door.open(ctx)
	if canPress(env.Stdin) {
		_ = door.answer(ctx, lines(env.Stdin), nil) // nothing ends it but ctx
	}
}

// announce says where the daemon can be reached.
func (o *serveOptions) announce(env *command.Env, door *door) {
	daemon := door.daemon.Load()
	fmt.Fprintf(env.Stdout, "Nightjar %s keeps everything in %s\n", app.Version, o.Data)
	if !o.noLink {
		door.show()
		if canPress(env.Stdin) {
			fmt.Fprintf(env.Stdout, "Enter makes another link, as does: %s\n", terminal.On(o.Data, "open"))
		}
	}
	fmt.Fprintf(env.Stdout, "Extension connects to:     ws://%s/ws\n", daemon.Addr())
	if o.plain {
		o.tell(env, door.opens)
	}
	if len(o.Resolve)+len(o.AllowPrivate) > 0 {
		daemon.Log.Warn("the crawler may fetch from addresses that are otherwise refused", "resolve", o.Resolve, "allow_private", o.AllowPrivate)
	}
}

// plainCommand is what nightjar does without a command.
var plainCommand = command.Command{
	Name: serveCommand.Name,
	Args: serveCommand.Args,
	Help: serveCommand.Help,
	Verb: command.Of[plainOptions],
}

// plainOptions opens the dashboard of the daemon that runs, or else runs one.
type plainOptions struct{ serveOptions }

func (o *plainOptions) Run(ctx context.Context, env *command.Env, _ []string) error {
	if app.Running(o.Data) {
		fmt.Fprintf(env.Stdout, "Nightjar is already running; it keeps everything in %s\n", o.Data)
		if o.noLink {
			return nil
		}
		open := openOptions{Config: o.Config, print: o.noOpen || !opens(env)}
		return open.Run(ctx, env, nil)
	}
	o.plain = true
	return o.serveOptions.Run(ctx, env, nil)
}

// tell says what happens now, and what the person can do next.
func (o *serveOptions) tell(env *command.Env, opens bool) {
	dashboard := "To begin, copy the dashboard's link into your browser."
	if opens {
		dashboard = "The dashboard opens in your browser. If it does not, copy its link there."
	}
	fmt.Fprintf(env.Stdout, `
Nightjar is running. %s
Ctrl-C stops it, and so does closing this terminal. Nothing is lost then.
To run it in the background and at each login, stop it and type: %s
`, dashboard, terminal.On(o.Data, "service install"))
}
