package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// process runs a job in its own process on so many processors, and returns its runs.
func (r *Runner) process(ctx context.Context, file string, cores int, fetched func(pages int)) ([]*run, error) {
	cmd := exec.CommandContext(ctx, r.Program[0], slices.Concat(r.Program[1:], []string{file})...)
	cmd.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", cores))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	runs, readErr := readRuns(out, fetched)
	_, _ = io.Copy(io.Discard, out) // unread output would block the process
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(stderr.String()))
	case readErr != nil:
		return nil, fmt.Errorf("read its results: %w", readErr)
	}
	return runs, nil
}

// readRuns reads the messages of a job.
func readRuns(out io.Reader, fetched func(pages int)) ([]*run, error) {
	var runs []*run
	lines := json.NewDecoder(bufio.NewReader(out))
	for {
		var m message
		if err := lines.Decode(&m); err == io.EOF {
			return runs, nil
		} else if err != nil {
			return nil, err
		}
		if m.Run != nil {
			runs = append(runs, m.Run)
		}
		fetched(m.Fetched)
	}
}
