package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"nightjar/daemon/lab/devtool"
)

// The part of daemon/lab/reports/EXPLORE.md that is written anew is between these lines.
const (
	partBegins = "<!-- written by go run ./daemon/lab/explorebench --report -->"
	partEnds   = "<!-- end of what explorebench writes -->"
)

// writeReport writes the tables to daemon/lab/reports/EXPLORE.md.
func (r *result) writeReport() error {
	root, err := devtool.Root()
	if err != nil {
		return err
	}
	file := filepath.Join(root, "daemon", "lab", "reports", "EXPLORE.md")
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	whole, err := replacePart(string(old), r.markdown(time.Now()))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, []byte(whole), 0o644)
}

// replacePart replaces what is between the lines partBegins and partEnds.
func replacePart(text, part string) (string, error) {
	before, rest, begins := strings.Cut(text, partBegins+"\n")
	_, after, ends := strings.Cut(rest, partEnds)
	if !begins || !ends {
		return "", errors.New("it lacks the lines between which the tables are written: " + partBegins + " and " + partEnds)
	}
	return before + partBegins + "\n" + part + partEnds + after, nil
}

// markdown is the tables, each under a heading.
func (r *result) markdown(now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nMeasured on %s by\n\n    %s\n\nwith WordNet %s on %s, %s. %d pages with %d links, in which there are %d different words.\n",
		now.UTC().Format(time.DateOnly), r.Command, r.WordNet, r.Machine, r.Go, r.Pages, r.Links, r.Words)
	for _, table := range r.tables() {
		fmt.Fprintf(&b, "\n### %s\n\n", table.Title)
		for i, row := range table.Rows {
			fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
			if i == 0 {
				b.WriteString("|" + strings.Repeat("---|", len(row)) + "\n")
			}
		}
	}
	b.WriteString("\n")
	return b.String()
}
