package command

import (
	"fmt"
	"io"
	"log/slog"
	"os"

	"golang.org/x/term"

	"nightjar/crawler/durable"
)

// WriteFile writes a file whole or not at all.
func WriteFile(name string, content []byte) error {
	if err := durable.WriteFile(name, content); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// NewLogger logs to w. URLs, titles and page text are private: they are logged at debug level only.
func NewLogger(w io.Writer, level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}

// IsTerminal reports whether the file is a terminal.
func IsTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
