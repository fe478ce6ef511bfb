package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/base/leftovers"
	"nightjar/daemon/base/terminal"
)

var openCommand = command.Command{
	Name:    "open",
	Args:    "[--print] [--data DIR]",
	Summary: "open the dashboard in the browser",
	Help:    help("open"),
	Verb:    command.Of[openOptions],
}

// loginLink is what one-time links look like. Nothing else is printed as one.
var loginLink = regexp.MustCompile(`^http://nightjar-[0-9a-f]{32}\.localhost:[0-9]{1,5}/login\?code=[A-Za-z0-9_-]{43}$`)

type openOptions struct {
	app.Config
	print bool
}

func (o *openOptions) Define(f *flag.FlagSet) {
	o.DataFlags(f)
	f.BoolVar(&o.print, "print", false, "print the link instead of opening it")
}

func (o *openOptions) Run(ctx context.Context, env *command.Env, _ []string) error {
	if !o.print {
		page, err := app.LoginPage(ctx, o.Data, loginFolder(ctx, o.Data))
		if err == nil {
			err = openFile(ctx, page)
		}
		switch {
		case err == nil:
			_, err = fmt.Fprintln(env.Stdout, "The dashboard opens in your browser. If it does not: "+terminal.On(o.Data, "open --print"))
			return err
		case errors.Is(err, app.ErrNotRunning):
			return notRunning(fmt.Errorf("%w on %s", err, o.Data), o.Data)
		}
		fmt.Fprintf(env.Stderr, "nightjar: the browser could not be opened (%v); copy this link into it, which works once and for one minute:\n", err)
	}
	return o.printLink(ctx, env)
}

// printLink prints a one-time link.
func (o *openOptions) printLink(ctx context.Context, env *command.Env) error {
	var answer struct{ URL string }
	err := app.Call(ctx, o.Data, "/control/login", nil, &answer)
	if errors.Is(err, app.ErrNotRunning) {
		return notRunning(fmt.Errorf("%w on %s", err, o.Data), o.Data)
	}
	if err == nil && !loginLink.MatchString(answer.URL) {
		err = errors.New("the daemon answered with something else than a link to its dashboard")
	}
	if err != nil {
		return fmt.Errorf("open dashboard: %w", err)
	}
	_, err = fmt.Fprintln(env.Stdout, answer.URL)
	return err
}

// notRunning adds what the person can do next: a demonstration that is running is likely what they look for.
func notRunning(err error, data string) error {
	demos, _ := filepath.Glob(filepath.Join(os.TempDir(), leftovers.Demo+"*")) // the pattern is valid
	for _, dir := range demos {
		if app.Running(dir) {
			return command.WithHint(err, "a demonstration is running; open it with: %s", terminal.On(dir, "open"))
		}
	}
	return command.WithHint(err, "start one with: %s", terminal.On(data, "serve"))
}
