package verb

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"nightjar/daemon/base/command"
)

// Job is a verb below another that its Run starts in a process of its own. The job's only argument is its specification in JSON.
func Job[S any](name string, run func(ctx context.Context, env *command.Env, spec *S) error) command.Command {
	return command.Command{Name: name, Args: "SPECIFICATION", Help: "Runs in a process of its own.", Files: true,
		Verb: func() command.Verb { return job[S](run) }}
}

type job[S any] func(ctx context.Context, env *command.Env, spec *S) error

func (job[S]) Define(*flag.FlagSet) {}

func (j job[S]) Run(ctx context.Context, env *command.Env, files []string) error {
	if len(files) != 1 {
		return command.Usagef("a job needs one specification")
	}
	spec := new(S)
	if err := json.Unmarshal([]byte(files[0]), spec); err != nil {
		return err
	}
	return j(ctx, env, spec)
}

// Answer makes the function of a Job that prints in JSON what work returns.
func Answer[S, R any](work func(ctx context.Context, spec *S) (R, error)) func(ctx context.Context, env *command.Env, spec *S) error {
	return func(ctx context.Context, env *command.Env, spec *S) error {
		result, err := work(ctx, spec)
		if err != nil {
			return err
		}
		return json.NewEncoder(env.Stdout).Encode(result)
	}
}

// Child says how jobs run.
type Child struct {
	Cores int // processors that a job may use
	Log   io.Writer
}

// Run runs a job and reads what it prints into result, unless that is nil.
func (c Child) Run(ctx context.Context, job string, spec, result any) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	raw, err := json.Marshal(spec)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, self, append(strings.Fields(job), string(raw))...)
	var stdout bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, c.Log
	cmd.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", c.Cores))
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(self), err)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(stdout.Bytes(), result)
}
