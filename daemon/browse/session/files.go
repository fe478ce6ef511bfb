package session

import (
	"errors"
	"fmt"
	"os"

	"nightjar/daemon/browse/protocol"
)

// ReadFiles reads several session files in order and returns their sessions, without discarded ones. It is an error if
// there are none.
func ReadFiles(paths []string) ([]*Session, error) {
	var recs []*Session
	for _, path := range paths {
		events, err := readFile(path)
		if err != nil {
			return nil, fmt.Errorf("read session %s: %w", path, err)
		}
		folded, err := Fold(events)
		if err != nil {
			return nil, fmt.Errorf("read session %s: %w", path, err)
		}
		recs = append(recs, folded...)
	}
	if len(recs) == 0 {
		return nil, errors.New("the session files contain no session, or only discarded ones")
	}
	return recs, nil
}

func readFile(path string) ([]protocol.Event, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read from
	return Read(f)
}
