package cli

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"runtime"

	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/browse/protocol"
	"nightjar/model"
)

var versionCommand = command.Command{
	Name:    "version",
	Args:    "[--json]",
	Summary: "print the version",
	Help:    `Prints the versions of the program, of the wire format and of the model format.`,
	Verb:    command.Of[versionOptions],
}

type versionOptions struct{ json bool }

func (o *versionOptions) Define(f *flag.FlagSet) { f.BoolVar(&o.json, "json", false, "print JSON") }

func (o *versionOptions) Run(_ context.Context, env *command.Env, _ []string) error {
	if o.json {
		return json.NewEncoder(env.Stdout).Encode(map[string]any{
			"version": app.Version, "go": runtime.Version(), "protocol": protocol.Version, "model_format": model.FormatVersion,
		})
	}
	_, err := fmt.Fprintf(env.Stdout, "nightjar %s (%s, protocol %d, model format %d)\n",
		app.Version, runtime.Version(), protocol.Version, model.FormatVersion)
	return err
}
