package devtool

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// Verb is a part of a program that runs in a process of its own. It reads a specification in JSON and prints JSON.
type Verb func(ctx context.Context, spec string, stdin io.Reader, stdout io.Writer) error

// Verbs are the verbs of a program by name.
type Verbs map[string]Verb

// Find returns the verb that a command line "NAME SPECIFICATION" starts.
func (v Verbs) Find(args []string) (verb Verb, ok bool) {
	if len(args) == 2 {
		verb, ok = v[args[0]]
	}
	return verb, ok
}

// NewVerb makes a verb of a function; what the function returns is printed.
func NewVerb[S, R any](work func(ctx context.Context, spec *S) (R, error)) Verb {
	return func(ctx context.Context, raw string, _ io.Reader, stdout io.Writer) error {
		spec := new(S)
		if err := json.Unmarshal([]byte(raw), spec); err != nil {
			return err
		}
		result, err := work(ctx, spec)
		if err != nil {
			return err
		}
		return json.NewEncoder(stdout).Encode(result)
	}
}

// Child says how child processes run.
type Child struct {
	Cores int // processors that a child may use
	Log   io.Writer
}

// Run runs a verb of this program and reads what it prints into result, unless that is nil.
func (c Child) Run(ctx context.Context, verb string, spec, result any) error {
	cmd, err := c.Command(ctx, verb, spec)
	if err != nil {
		return err
	}
	return c.Output(cmd, result)
}

// Command prepares a verb of this program.
func (c Child) Command(ctx context.Context, verb string, spec any) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(spec)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, verb, string(raw))
	cmd.Stderr = c.Log
	return cmd, nil
}

// Output runs a command to its end and reads what it prints into result, unless that is nil.
func (c Child) Output(cmd *exec.Cmd, result any) error {
	var stdout bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, c.Log
	cmd.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", c.Cores))
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(cmd.Args[0]), err)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(stdout.Bytes(), result)
}
