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
	Help: `Serves the Model Context Protocol on standard input and output, for an assistant that starts it. The assistant can search
what you visited and what crawls fetched, list finds and topics, and ask why a page is a find. It can change nothing.

Name the command in the assistant's settings, for example:

  {"mcpServers": {"nightjar": {"command": "nightjar", "args": ["mcp"]}}}

It asks the daemon that serves the data folder; when none runs, it reads the database. Texts of pages are marked as
written by strangers, but an assistant sees them: it may pass them on to whoever runs it.

A message is one line of at most 1 MiB. A line that is no message is answered with an error. When the input ends, what was
asked is answered first.`,
	Verb: command.Of[mcpOptions],
}

type mcpOptions struct{ app.Config }

func (o *mcpOptions) Define(f *flag.FlagSet) { o.DataFlags(f) }

func (o *mcpOptions) Run(ctx context.Context, env *command.Env, _ []string) error {
	if err := complete(&o.Config, env); err != nil {
		return err
	}
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
