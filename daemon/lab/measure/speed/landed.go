package speed

import (
	_ "embed" // of the landed figures
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"nightjar/daemon/lab/devtool"
)

// tolerance is by how much a figure may be worse than the landed one. Medians of three rounds differ by less when the machine
// has little else to do. Otherwise rates suffer, and more so of a crawl that waits for the disk than of one that stores nothing.
const tolerance = 0.15

// landed are the figures of the last report, relative to the bare loop's in the same rounds.
type landed struct {
	Date    string  `json:"date"`
	Source  string  `json:"source"`
	Hosts   int     `json:"hosts"`
	Pages   int     `json:"pages"`
	Workers int     `json:"workers"`
	Cores   int     `json:"cores"`
	Rate    float64 `json:"rate_to_bare"`
	CPU     float64 `json:"cpu_to_bare"`
}

//go:embed landed.json
var landedFile []byte

// change is a figure compared with the landed one.
type change struct {
	What   string  `json:"what"`
	Now    float64 `json:"now"`
	Landed float64 `json:"landed"`
	Worse  bool    `json:"worse"` // by more than the tolerance
}

// errWorse says that a crawl costs more than the landed one.
var errWorse = errors.New("the crawl is worse than the landed figures by more than the tolerance: run it again when the machine is idle, find out why, or land the new figures with --report")

// figures are those of this run; ok is false when it did not measure them.
func (r *result) figures() (f landed, ok bool) {
	c := r.contender(pipeline)
	if c == nil || c.OfBare == 0 {
		return f, false
	}
	return landed{r.Date, r.Source, r.Hosts, r.Pages, r.Workers, r.Cores, c.OfBare, c.CPUBare}, true
}

// against compares this run with the landed one; none when they crawled something else.
func (r *result) against(was *landed) []change {
	now, ok := r.figures()
	like := now
	like.Date, like.Rate, like.CPU = was.Date, was.Rate, was.CPU
	if !ok || like != *was {
		return nil
	}
	return []change{
		{"pages a second, relative to the bare loop", now.Rate, was.Rate, now.Rate < was.Rate/(1+tolerance)},
		{"CPU a page, relative to the bare loop", now.CPU, was.CPU, now.CPU > was.CPU*(1+tolerance)},
	}
}

// readLanded reads the landed figures.
func readLanded() (*landed, error) {
	was := new(landed)
	if err := json.Unmarshal(landedFile, was); err != nil {
		return nil, fmt.Errorf("read landed.json: %w", err)
	}
	return was, nil
}

// land writes the figures of this run to landed.json, for later runs.
func (r *result) land() error {
	now, ok := r.figures()
	if !ok {
		return nil
	}
	root, err := devtool.Root()
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(now, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, "daemon", "lab", "measure", "speed", "landed.json"), append(text, '\n'), 0o644)
}
