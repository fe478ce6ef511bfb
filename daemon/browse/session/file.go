package session

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"nightjar/daemon/browse/protocol"
)

// ErrEmpty says that a session file contains no event.
var ErrEmpty = errors.New("the file holds no event")

// Read reads a session file. Every line must be blank or a valid event of at most protocol.MaxMessage bytes; the error
// names the first line that is not. There are no comments. An event that occurs twice is read once; different events
// with the same id are an error.
func Read(r io.Reader) ([]protocol.Event, error) {
	var events []protocol.Event
	err := readEvents(r, func(e protocol.Event) { events = append(events, e) })
	if err != nil {
		return nil, err
	}
	return events, nil
}

// readEvents calls take for each event of a session file.
func readEvents(r io.Reader, take func(e protocol.Event)) error {
	lines := linesOf(r)
	seen := map[string]protocol.Event{}
	for n := 1; ; n++ {
		line, err := readLine(lines, nil)
		if err != nil && err != io.EOF {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			e, bad := protocol.Decode(text)
			if bad != nil {
				return fmt.Errorf("line %d: %w", n, bad)
			}
			before, twice := seen[e.ID]
			switch {
			case !twice:
				seen[e.ID] = e
				take(e)
			case !same(before, e):
				return fmt.Errorf("line %d: event id %s is used by another event", n, e.ID)
			}
		}
		if err == io.EOF {
			break
		}
	}
	if len(seen) == 0 {
		return ErrEmpty
	}
	return nil
}

// linesOf reads a session file from its first line on, after the mark that some editors begin a file with.
func linesOf(r io.Reader) *bufio.Reader {
	const mark = "\ufeff"
	lines := bufio.NewReaderSize(r, 64<<10)
	if head, err := lines.Peek(len(mark)); err == nil && string(head) == mark {
		_, _ = lines.Discard(len(mark)) // they are there
	}
	return lines
}

// readLine appends to line up to and including the next line feed. It stops reading a line that is too long.
func readLine(r *bufio.Reader, line []byte) ([]byte, error) {
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
