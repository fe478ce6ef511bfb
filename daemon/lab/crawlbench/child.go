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

// buildColly builds the program in the folder colly, a module of its own, and returns its path.
func (b *benchmark) buildColly(ctx context.Context) (string, error) {
	root, err := sourceRoot()
	if err != nil {
		return "", err
	}
	program := filepath.Join(b.dir, "colly")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", program, ".")
	cmd.Dir = filepath.Join(root, "daemon", "crawlbench", "colly")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", cmd.Dir, err, out)
	}
	return program, nil
}

// sourceRoot is the folder of go.mod, above the working folder or that itself.
func sourceRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.tool.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("run it inside the source tree: daemon/lab/crawlbench/colly is needed")
		}
		dir = up
	}
}
