package cli

import (
	"errors"
	"flag"
	"io"
	"log/slog"
	"os"

	"golang.org/x/term"

	"nightjar/daemon/app"
	"nightjar/daemon/command"
)

// dataFlag declares the flags that every command on a data folder has.
func dataFlag(f *flag.FlagSet, c *app.Config) {
	f.StringVar(&c.Data, "data", "", "data folder `DIR` (default $NIGHTJAR_DATA or $XDG_DATA_HOME/nightjar)")
	f.BoolVar(&c.AsRoot, "as-root", false, "run although you are root, as in a container without another user (or NIGHTJAR_AS_ROOT=1)")
}

// complete completes a configuration from the environment. A wrong --listen is a usage error.
func complete(c *app.Config, env *command.Env) error {
	err := c.Complete(env.Getenv)
	if wrong, ok := errors.AsType[*app.AddressError](err); ok {
		return command.UsageHint(wrong.Error(), "for example --listen "+app.DefaultListen)
	}
	return err
}

// newLogger logs to w. URLs, titles and page text are private: they are logged at debug level only.
func newLogger(w io.Writer, level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}

// isTerminal reports whether the file is a terminal.
func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
