package session

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"nightjar/daemon/protocol"
)

// ErrEmpty is returned for a session file without a single event.
var ErrEmpty = errors.New("the file holds no event")

// Read reads a session file. Every line must be a valid event of at most protocol.MaxMessage bytes; the error names the
// first line that is not, and what is wrong with it. Blank lines are nothing; a line with # is no comment. An event that
// stands twice is read once; another event under the same id is an error.
func Read(r io.Reader) ([]protocol.Event, error) {
	lines := bufio.NewReaderSize(r, 64<<10)
	var events []protocol.Event
	seen := map[string]int{}
	for n := 1; ; n++ {
		line, err := readLine(lines)
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			e, bad := protocol.Decode(text)
			if bad != nil {
				return nil, fmt.Errorf("line %d: %w", n, bad)
			}
			at, twice := seen[e.ID]
			switch {
			case !twice:
				seen[e.ID] = len(events)
				events = append(events, e)
			case !same(events[at], e):
				return nil, fmt.Errorf("line %d: event id %s stands for another event before", n, e.ID)
			}
		}
		if err == io.EOF {
			break
		}
	}
	if len(events) == 0 {
		return nil, ErrEmpty
	}
	return events, nil
}

// readLine reads up to and with the next line feed. A line beyond the limit is not read to its end.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > protocol.MaxMessage+2 {
			return nil, fmt.Errorf("longer than %d bytes", protocol.MaxMessage)
		}
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}

func same(a, b protocol.Event) bool {
	x, err1 := json.Marshal(a)
	y, err2 := json.Marshal(b)
	return err1 == nil && err2 == nil && bytes.Equal(x, y)
}

// Write writes events as a session file.
func Write(w io.Writer, events []protocol.Event) error {
	out := bufio.NewWriter(w)
	for _, e := range events {
		line, err := json.Marshal(e)
		if err != nil {
			return fmt.Errorf("write event %s: %w", e.ID, err)
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return fmt.Errorf("write events: %w", err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write events: %w", err)
	}
	return nil
}
