// Package devtool is what the developers' programs (modelbench, crawlbench, contentbench, nightsim) share: how they start,
// read their flags and end, and how they find and build what is in the source tree.
package devtool

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

// ErrUsage is wrapped by the error of a command line that cannot be understood.
var ErrUsage = errors.New("wrong usage")

// Main runs a program, whose context ends when the process is interrupted, and exits with the code that it returns.
func Main(run func(ctx context.Context) int) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx)
	stop()
	os.Exit(code)
}

// Parse reads args by the flags of f, whose help goes to stderr. A wrong flag is an ErrUsage.
func Parse(f *flag.FlagSet, args []string, stderr io.Writer) error {
	f.SetOutput(stderr)
	err := f.Parse(args)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUsage, err)
}

// Code reports how a program ended and returns its exit code: 0 for success and for help, 1 for failure, 2 for wrong
// usage.
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
