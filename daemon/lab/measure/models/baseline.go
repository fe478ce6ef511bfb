package models

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"nightjar/daemon/lab/devtool"
)

// script is the baseline's path below the root of the source tree.
const script = "model/testdata/sklearn_baseline.py"

// noSklearn is the script's exit code when scikit-learn is missing.
const noSklearn = 3

var errNoSklearn = errors.New("scikit-learn is not installed: apt-get install python3-sklearn")

// runBaseline runs scikit-learn's steps on the texts that measureSize wrote, with as many dimensions as our model has. Its
// error is errNoSklearn when Python or scikit-learn is missing.
func runBaseline(ctx context.Context, o *options, texts string, rank, threads int) (*baseline, error) {
	root, err := devtool.Root()
	if err != nil {
		return nil, err
	}
	python, err := findPython(o.Python)
	if err != nil {
		return nil, err
	}
	in, err := os.Open(texts)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // only read from
	cmd := exec.CommandContext(ctx, python, filepath.Join(root, filepath.FromSlash(script)),
		"--rank", strconv.Itoa(rank), "--seed", strconv.FormatUint(o.Seed%(1<<32), 10))
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, &stdout, &stderr
	cmd.Env = append(os.Environ(), limit(threads)...)
	err = cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == noSklearn {
		return nil, errNoSklearn
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", python, script, err, strings.TrimSpace(stderr.String()))
	}
	result := new(baseline)
	if err := json.Unmarshal(stdout.Bytes(), result); err != nil {
		return nil, fmt.Errorf("%s: %w", script, err)
	}
	return result, nil
}

// limit returns environment variables that limit the threads of the libraries that scikit-learn uses.
func limit(n int) []string {
	var vars []string
	for _, name := range []string{"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"} {
		vars = append(vars, fmt.Sprintf("%s=%d", name, n))
	}
	return vars
}

// findPython finds the named Python. Without a name it prefers the system's, which has the system's scikit-learn package.
func findPython(name string) (string, error) {
	if name != "" {
		return exec.LookPath(name)
	}
	for _, name := range []string{"/usr/bin/python3", "python3"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errNoSklearn
}
