package models

import "nightjar/daemon/lab/devtool"

// result is everything that was measured, as --json prints it.
type result struct {
	Seed    uint64        `json:"seed"`
	Cores   int           `json:"cores"`
	Go      string        `json:"go"`
	Sizes   []*measured   `json:"sizes"`
	Missing string        `json:"sklearn_missing,omitempty"` // why scikit-learn did not run
	Aims    []devtool.Aim `json:"aims"`
}

// measured is what the training of one session cost.
type measured struct {
	Size       int `json:"size"`  // pages requested
	Pages      int `json:"pages"` // pages that the session has
	Targets    int `json:"targets"`
	Edges      int `json:"edges"`
	Terms      int `json:"terms"`
	Rank       int `json:"rank"`
	Clusters   int `json:"clusters"`
	Features   int `json:"features"` // terms that the soft emission and the judge read
	Background int `json:"background"`

	Stages  []stage `json:"stages"`        // of the training, in the order of their reports
	Seconds float64 `json:"total_seconds"` // of the training
	Base    int64   `json:"base_bytes"`    // memory before the training, with the session
	Peak    int64   `json:"peak_bytes"`    // peak memory of training and report
	Bundle  int     `json:"bundle_bytes"`

	Report        []stage `json:"report_stages,omitempty"`
	ReportSeconds float64 `json:"report_seconds,omitempty"` // of the report alone
	Folds         int     `json:"report_folds,omitempty"`

	Sklearn *baseline  `json:"sklearn,omitempty"`
	Compare []compared `json:"comparison,omitempty"`
}

// quicken takes over what was faster in another run of the same training.
func (m *measured) quicken(other *measured) {
	least(m.Stages, other.Stages)
	least(m.Report, other.Report)
	m.Seconds, m.ReportSeconds = min(m.Seconds, other.Seconds), min(m.ReportSeconds, other.ReportSeconds)
}

// least takes over the smaller seconds of stages with the same name.
func least(stages, others []stage) {
	for i := range stages {
		for _, o := range others {
			if s := &stages[i]; s.Name == o.Name {
				s.Seconds, s.CPU = min(s.Seconds, o.Seconds), min(s.CPU, o.CPU)
			}
		}
	}
}

// stage is one stage of a training.
type stage struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu_seconds"` // of all processors
	Peak    int64   `json:"peak_bytes"`  // peak memory while it ran, or since the start where the system cannot reset it
}

// baseline is what sklearn_baseline.py prints; after several runs, with the fastest run of each step.
type baseline struct {
	Version  string `json:"version"`
	Pages    int    `json:"pages"`
	Terms    int    `json:"terms"`
	Rank     int    `json:"rank"`
	Clusters int    `json:"clusters"`
	Steps    []step `json:"steps"`
	Peak     int64  `json:"peak_bytes"`
	Import   int64  `json:"import_bytes"` // memory of the libraries, before the first step
}

// step is one step of the baseline.
type step struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu_seconds"`
}

// compared relates a stage of ours to the same work by scikit-learn.
type compared struct {
	Ours    string  `json:"ours"`
	Theirs  string  `json:"theirs"`
	Seconds float64 `json:"our_seconds"`
	Sklearn float64 `json:"their_seconds"`
	Ratio   float64 `json:"ratio"`     // ours / theirs; below 1 ours is faster
	CPU     float64 `json:"cpu_ratio"` // the same for processor time, which other load on the machine affects less
}
