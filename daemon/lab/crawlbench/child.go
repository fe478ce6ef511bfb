package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// child runs a verb in a process of its own and reads what it printed into result, unless that is nil.
func (b *benchmark) child(ctx context.Context, name string, spec, result any) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	raw, err := json.Marshal(spec)
	if err != nil {
		return err
	}
	return b.start(exec.CommandContext(ctx, self, name, string(raw)), result)
}

// start runs a command to its end.
func (b *benchmark) start(cmd *exec.Cmd, result any) error {
	var stdout bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, b.log
	cmd.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", b.options.Cores))
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(cmd.Args[0]), err)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(stdout.Bytes(), result)
}

// serve starts a farm in a process of its own; end stops it.
func (b *benchmark) serve(ctx context.Context, spec serveSpec) (s *served, end func() error, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	raw, err := json.Marshal(spec)
	if err != nil {
		return nil, nil, err
	}
	cmd := exec.CommandContext(ctx, self, "serve", string(raw))
	cmd.Stderr = b.log
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	end = func() error { return errors.Join(stdin.Close(), cmd.Wait()) }
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	if err != nil && err != io.EOF {
		return nil, nil, errors.Join(err, end())
	}
	s = new(served)
	if err := json.Unmarshal(line, s); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("the farm said %q: %w", line, err), end())
	}
	return s, end, nil
}
