package models

import "nightjar/daemon/lab/devtool"

// result is everything that was measured, as --json prints it.
type result struct {
	Source  string        `json:"source"` // "corpora" or "generated"
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

	Scoring scoring    `json:"scoring"`
	Sklearn *baseline  `json:"sklearn,omitempty"`
	Compare []compared `json:"comparison,omitempty"`
}

// quicken takes over what was faster in another run of the same training.
func (m *measured) quicken(other *measured) {
	least(m.Stages, other.Stages)
	least(m.Report, other.Report)
	m.Seconds, m.ReportSeconds = min(m.Seconds, other.Seconds), min(m.ReportSeconds, other.ReportSeconds)
	if other.Scoring.Total.Median < m.Scoring.Total.Median {
		m.Scoring = other.Scoring
	}
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

// scoring is the cost of reading one fetched page, in milliseconds.
type scoring struct {
	Pages   int      `json:"pages"`
	Bytes   int      `json:"median_bytes"` // HTML of a page
	Parse   quantile `json:"parse_ms"`     // HTML to text and links
	Judge   quantile `json:"judge_ms"`     // fold in, classify, filter, judge, and a priority for each link
	Total   quantile `json:"total_ms"`
	CPU     quantile `json:"cpu_ms"`  // of all processors, with garbage collection
	Load    float64  `json:"load_ms"` // once: reading the bundle and indexing its vocabulary
	Against string   `json:"strategy"`
}

// quantile holds two quantiles of many measurements.
type quantile struct {
	Median float64 `json:"median"`
	P95    float64 `json:"p95"`
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
