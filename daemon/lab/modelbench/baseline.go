package main

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

// script is the baseline, from the root of the source tree.
const script = "model/testdata/sklearn_baseline.py"

// noSklearn is the script's exit status when scikit-learn is missing.
const noSklearn = 3

// errNoSklearn says that there is no scikit-learn here, in words.
var errNoSklearn = errors.New("scikit-learn is not installed: apt-get install python3-sklearn")

// runBaseline has scikit-learn do the steps on the texts that measure left, with as many dimensions as our model has.
// errNoSklearn is its error where Python or scikit-learn is missing.
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

// limit gives the environment variables that hold the libraries below scikit-learn to so many threads.
func limit(n int) []string {
	var vars []string
	for _, name := range []string{"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"} {
		vars = append(vars, fmt.Sprintf("%s=%d", name, n))
	}
	return vars
}

// findPython finds the Python that is asked for; else the system's own, for which scikit-learn is a package of the
// system; else any.
func findPython(asked string) (string, error) {
	if asked != "" {
		return exec.LookPath(asked)
	}
	for _, name := range []string{"/usr/bin/python3", "python3"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errNoSklearn
}
