package cli

import (
	"errors"

	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
)

// complete completes a configuration from the environment. A wrong --listen is a usage error.
func complete(c *app.Config, env *command.Env) error {
	err := c.Complete(env.Getenv)
	if wrong, ok := errors.AsType[*app.AddressError](err); ok {
		return command.UsageHint(wrong.Error(), "for example --listen "+app.DefaultListen)
	}
	return err
}
