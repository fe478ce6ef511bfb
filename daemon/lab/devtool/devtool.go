// Package devtool is what the developers' programs (modelbench, crawlbench, contentbench, nightsim) share: how they end,
// and how they find and build what lies in the source tree.
package devtool

import (
	"errors"
	"flag"
	"fmt"
	"io"
)

// ErrUsage is wrapped by the error of a command line that makes no sense.
var ErrUsage = errors.New("wrong usage")

// Code is the exit code for how a program ended, after it said what went wrong: 0 good, or only help was asked for; 1
// failed; 2 wrong usage.
func Code(name string, err error, stderr io.Writer) int {
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, ErrUsage):
		fmt.Fprintf(stderr, "%s: error: %v\n", name, err)
		return 2
	}
	fmt.Fprintf(stderr, "%s: error: %v\n", name, err)
	return 1
}
