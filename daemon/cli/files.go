package cli

import (
	"bytes"
	"fmt"

	"github.com/natefinch/atomic"
)

// writeFile writes a file whole or not at all.
func writeFile(name string, content []byte) error {
	if err := atomic.WriteFile(name, bytes.NewReader(content)); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}
