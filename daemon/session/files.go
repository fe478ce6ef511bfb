package session

import (
	"bytes"
	"errors"
	"fmt"
	"os"
)

// ReadFiles reads the sessions of several session files, in their order. It is an error when none of them holds a session
// that was not discarded.
func ReadFiles(paths []string) ([]*Session, error) {
	var recs []*Session
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read session: %w", err)
		}
		events, err := Read(bytes.NewReader(text))
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
		return nil, errors.New("the session files hold no session that was not discarded")
	}
	return recs, nil
}
