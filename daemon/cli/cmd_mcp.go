package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"

	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/morning/api"
	"nightjar/daemon/morning/assistant"
	"nightjar/daemon/morning/orders"
)

var mcpCommand = command.Command{
	Name:    "mcp",
	Args:    "[--data DIR]",
	Summary: "let assistants on this machine read finds and ask for searches (Model Context Protocol over stdio)",
	Help:    help("mcp"),
	Verb:    command.Of[mcpOptions],
}

// tokenVariable is the environment variable with the token of an assistant that may write.
const tokenVariable = "NIGHTJAR_TOKEN"

type mcpOptions struct{ app.Config }

func (o *mcpOptions) Define(f *flag.FlagSet) { o.DataFlags(f) }

func (o *mcpOptions) Run(ctx context.Context, env *command.Env, _ []string) error {
	read := func(ctx context.Context, path string, values url.Values, into any) error {
		return hintedError(app.Read(ctx, o.Data, path, values, into))
	}
	var status api.Status
	if err := app.Read(ctx, o.Data, "/status", nil, &status); err != nil { // better now than at the first question
		return fmt.Errorf("mcp: %w", err)
	}
	var write assistant.Write
	if text := os.Getenv(tokenVariable); text != "" {
		write = func(ctx context.Context, ask orders.Ask, into any) error {
			ask.Token = text
			err := app.Call(ctx, o.Data, "/control/order", ask, into)
			if errors.Is(err, app.ErrNotRunning) {
				err = command.WithHint(err, "the person starts it with: %s", terminal.On(o.Data, "serve"))
			}
			return hintedError(err)
		}
	}
	return assistant.Serve(ctx, read, write, app.Version, env.Stdin, env.Stdout)
}

// hintedError puts the hint of an error into its text, for a reader who sees the text alone.
func hintedError(err error) error {
	if hint := command.Hint(err); hint != "" {
		return fmt.Errorf("%w (hint: %s)", err, hint)
	}
	return err
}
