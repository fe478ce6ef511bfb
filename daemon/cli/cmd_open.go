package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"nightjar/daemon/app"
)

var openCommand = command{
	name:    "open",
	args:    "[--print] [--data DIR]",
	summary: "open the dashboard in the browser",
	help: `Opens the dashboard of the running daemon in the default browser, logged in. With --print, it only prints the
one-time link, which works once and for one minute.`,
	verb: of[openOptions],
}

type openOptions struct {
	app.Config
	print bool
}

func (o *openOptions) define(f *flag.FlagSet) {
	dataFlag(f, &o.Config)
	f.BoolVar(&o.print, "print", false, "print the link instead of opening it")
}

func (o *openOptions) run(ctx context.Context, env *environment, _ []string) error {
	if err := complete(&o.Config, env); err != nil {
		return err
	}
	var answer struct{ URL string }
	err := app.Call(ctx, o.Data, "/control/login", nil, &answer)
	if errors.Is(err, app.ErrNotRunning) {
		return notRunning(fmt.Errorf("%w on %s", err, o.Data), o.Data)
	}
	if err != nil {
		return fmt.Errorf("open dashboard: %w", err)
	}
	if o.print || openBrowser(answer.URL) != nil {
		fmt.Fprintln(env.stdout, answer.URL)
	}
	return nil
}

// notRunning adds what the person can do next: a demonstration that is running is likely what they look for.
func notRunning(err error, data string) error {
	demos, _ := filepath.Glob(filepath.Join(os.TempDir(), demoFolder+"*")) // the pattern is valid
	for _, dir := range demos {
		if app.Running(dir) {
			return app.WithHint(err, "a demonstration is running; open it with: nightjar open --data %s", dir)
		}
	}
	return app.WithHint(err, "start one with: nightjar serve --data %s", data)
}

// openBrowser opens a link in the person's browser.
func openBrowser(url string) error {
	name, args := "xdg-open", []string{url}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", url}
	}
	return exec.Command(name, args...).Start()
}
