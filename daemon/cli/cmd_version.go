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
	flags:   func(f *flag.FlagSet) { versionFlags(f, new(bool)) },
	run:     runVersion,
}

func versionFlags(f *flag.FlagSet, asJSON *bool) { f.BoolVar(asJSON, "json", false, "print JSON") }

func runVersion(_ context.Context, env *environment, args []string) error {
	var asJSON bool
	if _, err := parse("version", args, func(f *flag.FlagSet) { versionFlags(f, &asJSON) }); err != nil {
		return err
	}
	if asJSON {
		return json.NewEncoder(env.stdout).Encode(map[string]any{
			"version": app.Version, "go": runtime.Version(), "protocol": protocol.Version, "model_format": model.FormatVersion,
		})
	}
	_, err := fmt.Fprintf(env.stdout, "nightjar %s (%s, protocol %d, model format %d)\n",
		app.Version, runtime.Version(), protocol.Version, model.FormatVersion)
	return err
}
