package cli

import (
	"context"
	"flag"
	"fmt"
)

var serveCommand = command{
	name:    "serve",
	args:    "[--listen ADDR:PORT] [--data DIR] [FLAGS]",
	summary: "run the daemon (what nightjar does without a command)",
	help: `Runs the daemon: takes what the browser extension records, trains on Submit, crawls at night, serves the
dashboard. It prints a one-time link to the dashboard; "nightjar open" makes another.

It listens on a loopback address only. Pages are fetched from public addresses only; --resolve and --allow-private
make exceptions for tests and private networks, and the dashboard shows a warning while one is set:

  nightjar serve --resolve '*.test=127.0.0.1:8080'     hosts that match are crawled at that address, and at no other
  nightjar serve --allow-private 192.168.7.0/24        addresses of that network may be crawled

Stop it with Ctrl-C. Whatever is killed when, nothing that was acknowledged is lost.`,
	flags: func(f *flag.FlagSet) { (&Config{}).serveFlags(f) },
	run:   runServe,
}

func runServe(ctx context.Context, env *environment, args []string) error {
	var c Config
	rest, err := parse("serve", args, c.serveFlags)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return usagef("serve takes no arguments, got %q", rest[0])
	}
	if err := c.complete(env.getenv); err != nil {
		return err
	}
	app, err := OpenApp(ctx, c, newLogger(env.stderr, c.Verbose))
	if err != nil {
		return err
	}
	fmt.Fprintf(env.stdout, "Nightjar %s keeps everything in %s\n", version, c.Data)
	fmt.Fprintf(env.stdout, "Dashboard (one-time link): %s\n", app.Web.LoginURL())
	fmt.Fprintf(env.stdout, "Extension connects to:     ws://%s/ws\n", app.addr)
	if len(c.Resolve)+len(c.AllowPrivate) > 0 {
		app.Log.Warn("addresses are opened to the crawler", "resolve", c.Resolve, "allow_private", c.AllowPrivate)
	}
	err = app.Run(ctx)
	if cerr := app.Close(); err == nil {
		err = cerr
	}
	return err
}
