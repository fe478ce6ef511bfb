package cli

import (
	"errors"
	"flag"
	"io"
	"strings"

	"nightjar/daemon/app"
)

// parse parses args with the flags that define declares and returns the remaining arguments. A wrong flag is a usage error.
func parse(name string, args []string, define func(*flag.FlagSet)) ([]string, error) {
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	define(set)
	var rest []string
	for {
		if err := set.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			return nil, &usageError{text: err.Error()}
		}
		if set.NArg() == 0 {
			return rest, nil
		}
		// Flags may also follow arguments.
		rest, args = append(rest, set.Arg(0)), set.Args()[1:]
	}
}

// dataFlag declares the flags that every command on a data folder has.
func dataFlag(f *flag.FlagSet, c *app.Config) {
	f.StringVar(&c.Data, "data", "", "data folder `DIR` (default $NIGHTJAR_DATA or $XDG_DATA_HOME/nightjar)")
	f.BoolVar(&c.AsRoot, "as-root", false, "run although you are root, as in a container without another user (or NIGHTJAR_AS_ROOT=1)")
}

// complete completes a configuration from the environment. A wrong --listen is a usage error.
func complete(c *app.Config, env *environment) error {
	err := c.Complete(env.getenv)
	if wrong, ok := errors.AsType[*app.AddressError](err); ok {
		return &usageError{text: wrong.Error(), hint: "for example --listen " + app.DefaultListen}
	}
	return err
}

// listFlag is a flag that may be repeated and takes commas.
type listFlag struct {
	values *[]string
	urls   bool // a comma separates only before http:// or https://
}

func (l listFlag) String() string {
	if l.values == nil {
		return ""
	}
	return strings.Join(*l.values, ",")
}

// Set adds the values of one occurrence.
func (l listFlag) Set(text string) error {
	split := strings.Split
	if l.urls {
		split = splitURLs
	}
	for _, one := range split(text, ",") {
		if one = strings.TrimSpace(one); one != "" {
			*l.values = append(*l.values, one)
		}
	}
	return nil
}

// splitURLs splits only at commas before a scheme, since a URL may contain commas.
func splitURLs(text, comma string) []string {
	var all []string
	for _, part := range strings.Split(text, comma) {
		p := strings.TrimSpace(part)
		if len(all) == 0 || strings.HasPrefix(p, "http://") || strings.HasPrefix(p, "https://") {
			all = append(all, p)
			continue
		}
		all[len(all)-1] += comma + part
	}
	return all
}
