// Package devtool holds what the developers' programs (modelbench, crawlbench, crfsuite, nightsim) share: command
// lines and exit codes, child processes, tables, and programs built from the source tree.
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

// ErrUsage is wrapped by the error of a wrong command line.
var ErrUsage = errors.New("wrong usage")

// Usagef is an error that wraps ErrUsage.
func Usagef(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrUsage, fmt.Errorf(format, args...))
}

// Main runs a program until it ends, cancels it on an interrupt, and exits with its code.
func Main(name string, run func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := Code(name, run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr), os.Stderr)
	stop()
	os.Exit(code)
}

// Code prints a program's error and returns its exit code: 0 for success or help, 1 for a failure, 2 for wrong usage.
func Code(name string, err error, stderr io.Writer) int {
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return 0
	}
	fmt.Fprintf(stderr, "%s: error: %v\n", name, err)
	if errors.Is(err, ErrUsage) {
		return 2
	}
	return 1
}

// Parse reads a command line that has flags only. Its error wraps ErrUsage or flag.ErrHelp.
func Parse(f *flag.FlagSet, args []string, stderr io.Writer) error {
	f.SetOutput(stderr)
	err := f.Parse(args)
	switch {
	case err == nil && f.NArg() > 0:
		return Usagef("unexpected argument %q", f.Arg(0))
	case err == nil || errors.Is(err, flag.ErrHelp):
		return err
	}
	return Usagef("%w", err)
}
