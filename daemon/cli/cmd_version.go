package cli

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"runtime"

	"nightjar/daemon/app"
	"nightjar/daemon/protocol"
	"nightjar/model"
)

var versionCommand = command{
	name:    "version",
	args:    "[--json]",
	summary: "print the version",
	help:    `Prints the versions of the program, of the wire format and of the model format.`,
	verb:    of[versionOptions],
}

type versionOptions struct{ json bool }

func (o *versionOptions) define(f *flag.FlagSet) { f.BoolVar(&o.json, "json", false, "print JSON") }

func (o *versionOptions) run(_ context.Context, env *environment, _ []string) error {
	if o.json {
		return json.NewEncoder(env.stdout).Encode(map[string]any{
			"version": app.Version, "go": runtime.Version(), "protocol": protocol.Version, "model_format": model.FormatVersion,
		})
	}
	_, err := fmt.Fprintf(env.stdout, "nightjar %s (%s, protocol %d, model format %d)\n",
		app.Version, runtime.Version(), protocol.Version, model.FormatVersion)
	return err
}
