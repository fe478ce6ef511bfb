package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"time"

	"golang.org/x/term"

	"nightjar/crawler/durable"
	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/keep/service"
)

var serviceCommand = command.Command{
	Name:    "service",
	Args:    "install|uninstall|status [FLAGS]",
	Summary: "run the daemon at login, stop doing so, or see whether it is running",
	Help:    help("service"),
	Below:   []command.Command{serviceInstallCommand, serviceUninstallCommand, serviceStatusCommand},
}

var serviceInstallCommand = command.Command{
	Name:    "service install",
	Args:    "[--listen ADDR:PORT] [--data DIR]",
	Summary: "run the daemon from now on and at each login",
	Help:    help("service-install"),
	Verb:    command.Of[serviceInstallOptions],
}

type serviceInstallOptions struct{ app.Config }

func (o *serviceInstallOptions) Define(f *flag.FlagSet) {
	o.DataFlags(f)
	f.StringVar(&o.Listen, "listen", app.DefaultListen, "loopback `ADDR:PORT` to serve on")
}

func (o *serviceInstallOptions) Run(ctx context.Context, env *command.Env, _ []string) error {
	program, err := installed()
	if err != nil {
		return err
	}
	now, err := service.Status()
	if err != nil {
		return unsupported(err)
	}
	if !now.Running && app.Running(o.Data) {
		return command.WithHint(fmt.Errorf("a nightjar that is no service serves %s", o.Data), "stop it with Ctrl-C, then install the service again")
	}
	options := service.Options{Program: program, Data: o.Data, Args: []string{"--listen", o.Listen}}
	if runtime.GOOS == "windows" {
		if options.Account, options.Password, err = askPassword(env); err != nil {
			return err
		}
	}
	if err := durable.MkdirAll(o.Data); err != nil { // the sandbox names it
		return fmt.Errorf("create data folder %s: %w", o.Data, err)
	}
	sandboxed, err := service.Install(ctx, options)
	if err != nil {
		return command.WithHint(err, "%s says what is wrong", terminal.On(o.Data, "serve --no-open"))
	}
	if err := answers(ctx, o.Data); err != nil {
		return err
	}
	return o.tell(env, sandboxed)
}

// tell says what was installed.
func (o *serviceInstallOptions) tell(env *command.Env, sandboxed bool) error {
	fmt.Fprintf(env.Stdout, "Nightjar is running, and starts at each login; everything is in %s\n", o.Data)
	if runtime.GOOS == "linux" {
		if sandboxed {
			fmt.Fprintln(env.Stdout, "It runs in a sandbox, and can write to that folder only.")
		} else {
			fmt.Fprintln(env.Stdout, "It runs without a sandbox: this system does not let you make one.")
		}
		fmt.Fprintln(env.Stdout, "It stops when you log out. To let it run at night anyway: loginctl enable-linger")
	}
	_, err := fmt.Fprintln(env.Stdout, terminal.On(o.Data, "open")+" opens the dashboard; "+terminal.Command("service uninstall")+" ends this.")
	return err
}

// installed returns the path of this program. One that "go run" built is deleted when it ends.
func installed() (string, error) {
	program, err := os.Executable()
	if err == nil {
		program, err = filepath.EvalSymlinks(program)
	}
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	if terminal.FromGoRun(program) {
		return "", command.WithHint(errors.New("this program is deleted when it ends"),
			"build it where it can stay, then install the service: go build -o ~/.local/bin/nightjar ./daemon && ~/.local/bin/nightjar service install")
	}
	return program, nil
}

// answers waits until the daemon of a data folder answers.
func answers(ctx context.Context, data string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		if app.Running(data) {
			return nil
		}
		select {
		case <-ctx.Done():
			hint := "%s says what is wrong; stop it again with Ctrl-C"
			if runtime.GOOS == "linux" {
				hint = "journalctl --user --unit nightjar shows what it said; %s may say more"
			}
			return command.WithHint(errors.New("the service was started, but the daemon does not answer"), hint, terminal.On(data, "serve --no-open"))
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// askPassword asks for the password of the person's account, without showing it.
func askPassword(env *command.Env) (account, password string, err error) {
	who, err := user.Current()
	if err != nil {
		return "", "", fmt.Errorf("find your account: %w", err)
	}
	in, ok := env.Stdin.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return "", "", errors.New("service install asks for a password: run it in a terminal")
	}
	fmt.Fprintf(env.Stderr, "Password of %s, for Windows to start the service as you: ", who.Username)
	text, err := term.ReadPassword(int(in.Fd()))
	fmt.Fprintln(env.Stderr)
	return who.Username, string(text), err
}

var serviceUninstallCommand = command.Command{
	Name:    "service uninstall",
	Summary: "stop the daemon, and no longer start it at login",
	Help:    `Stops the service and removes it. Your data stays.`,
	Verb:    command.Of[serviceUninstallOptions],
}

type serviceUninstallOptions struct{}

func (*serviceUninstallOptions) Define(*flag.FlagSet) {}

func (*serviceUninstallOptions) Run(_ context.Context, env *command.Env, _ []string) error {
	if err := service.Uninstall(); err != nil {
		return unsupported(err)
	}
	_, err := fmt.Fprintln(env.Stdout, "Nightjar is stopped and no longer starts at login. Your data is kept.")
	return err
}

var serviceStatusCommand = command.Command{
	Name:    "service status",
	Args:    "[--json]",
	Summary: "show whether the service is installed and running",
	Help:    `Asks the system about the service. It exits with 1 when the service is not installed or does not run.`,
	Verb:    command.Of[serviceStatusOptions],
}

type serviceStatusOptions struct{ json bool }

func (o *serviceStatusOptions) Define(f *flag.FlagSet) {
	f.BoolVar(&o.json, "json", false, "print JSON")
}

func (o *serviceStatusOptions) Run(_ context.Context, env *command.Env, _ []string) error {
	now, err := service.Status()
	if err != nil {
		return unsupported(err)
	}
	if o.json {
		if err := json.NewEncoder(env.Stdout).Encode(now); err != nil {
			return err
		}
	}
	switch {
	case !now.Installed:
		return command.WithHint(service.ErrNotInstalled, "%s", terminal.Command("service install"))
	case !now.Running:
		return command.WithHint(fmt.Errorf("the service is installed, but does not run: %s", cmp.Or(now.Problem, "it was stopped")), "%s starts it again", terminal.Command("service install"))
	}
	if !o.json {
		fmt.Fprintln(env.Stdout, "The service is installed and running.")
		if now.File != "" {
			fmt.Fprintf(env.Stdout, "It is described in %s\n", now.File)
		}
	}
	return nil
}

// unsupported adds what a person can do on a system without services of a person.
func unsupported(err error) error {
	switch {
	case errors.Is(err, service.ErrUnsupported):
		return command.WithHint(err, "add \"%s\" to the programs that your desktop starts at login", terminal.Command("serve --no-open"))
	case errors.Is(err, service.ErrNotInstalled):
		return command.WithHint(err, "%s", terminal.Command("service install"))
	}
	return err
}
