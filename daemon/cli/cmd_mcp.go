package cli

import (
	"context"
	"flag"
	"fmt"
	"net/url"

	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/morning/api"
	"nightjar/daemon/morning/assistant"
)

var mcpCommand = command.Command{
	Name:    "mcp",
	Args:    "[--data DIR]",
	Summary: "let assistants on this machine read finds (Model Context Protocol over stdio)",
	Help:    help("mcp"),
	Verb:    command.Of[mcpOptions],
}

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
	return assistant.Serve(ctx, read, app.Version, env.Stdin, env.Stdout)
}

// hintedError puts the hint of an error into its text, for a reader who sees the text alone.
func hintedError(err error) error {
	if hint := command.Hint(err); hint != "" {
		return fmt.Errorf("%w (hint: %s)", err, hint)
	}
	return err
}
