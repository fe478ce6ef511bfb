package speed

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// serve starts a farm in its own process; end stops it.
func (b *benchmark) serve(ctx context.Context, spec serveSpec) (s *served, end func() error, err error) {
	cmd, err := b.children.Command(ctx, "speed serve", spec)
	if err != nil {
		return nil, nil, err
	}
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
		return nil, nil, errors.Join(fmt.Errorf("the farm printed %q: %w", line, err), end())
	}
	return s, end, nil
}
