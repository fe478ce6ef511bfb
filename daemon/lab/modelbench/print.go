package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"nightjar/daemon/lab/devtool"
)

// print writes the tables for a terminal.
func (r *result) print(to io.Writer) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	pages := "made-up pages"
	if r.Source == "corpora" {
		pages = "recorded pages"
	}
	fmt.Fprintf(w, "Trainings on %s, seed %d, %d cores, %s\n", pages, r.Seed, r.Cores, r.Go)
	for _, m := range r.Sizes {
		m.print(w)
	}
	if r.Missing != "" {
		fmt.Fprintf(w, "\n%s\n", r.Missing)
	}
	fmt.Fprintf(w, "\nAims\n")
	for _, a := range r.Aims {
		verdict := "met"
		if !a.Met {
			verdict = "MISSED"
		}
		fmt.Fprintf(w, "  %s\t%s\t%.3g %s\tat most %g %s\n", verdict, a.Aim, a.Value, a.Unit, a.Limit, a.Unit)
	}
	return w.Flush()
}

// print writes the tables of one size.
func (m *measured) print(w io.Writer) {
	fmt.Fprintf(w, "\n%d pages: %d useful, %d links, %d terms in %d dimensions, %d clusters, %d features, %d background pages\n",
		m.Pages, m.Targets, m.Edges, m.Terms, m.Rank, m.Clusters, m.Features, m.Background)
	fmt.Fprintf(w, "  stage\tseconds\tCPU\tpeak MiB\n")
	for _, s := range m.Stages {
		fmt.Fprintf(w, "  %s\t%.3f\t%.3f\t%.0f\n", s.Name, s.Seconds, s.CPU, devtool.MiB(s.Peak))
	}
	fmt.Fprintf(w, "  total\t%.3f\t%.3f\t%.0f\t%.0f of it before the training\n", m.Seconds, cpuOf(m.Stages), devtool.MiB(m.Peak), devtool.MiB(m.Base))
	for _, s := range m.Report {
		fmt.Fprintf(w, "  report: %s\t%.3f\t%.3f\t%.0f\n", s.Name, s.Seconds, s.CPU, devtool.MiB(s.Peak))
	}
	if len(m.Report) > 0 {
		fmt.Fprintf(w, "  with the report\t%.3f\t%.3f\t%.0f\tof %d folds\n", m.Seconds+m.ReportSeconds, cpuOf(m.Stages)+cpuOf(m.Report), devtool.MiB(m.Peak), m.Folds)
	}
	s := m.Scoring
	fmt.Fprintf(w, "  bundle\t%.2f MiB\tloaded in %.1f ms\n", devtool.MiB(int64(m.Bundle)), s.Load)
	fmt.Fprintf(w, "  scoring %d pages of %d KiB (%s)\tmedian ms\tp95 ms\n", s.Pages, s.Bytes>>10, s.Against)
	for _, q := range []struct {
		name string
		of   quantile
	}{{"parse", s.Parse}, {"judge", s.Judge}, {"together", s.Total}, {"CPU", s.CPU}} {
		fmt.Fprintf(w, "    %s\t%.3f\t%.3f\n", q.name, q.of.Median, q.of.P95)
	}
	if m.Sklearn != nil {
		m.printBaseline(w)
	}
}

// printBaseline writes scikit-learn's figures, and the ratios.
func (m *measured) printBaseline(w io.Writer) {
	b := m.Sklearn
	fmt.Fprintf(w, "  scikit-learn %s: %d terms, peak %.0f MiB, %.0f of it before the first step\n", b.Version, b.Terms, devtool.MiB(b.Peak), devtool.MiB(b.Import))
	for _, s := range b.Steps {
		fmt.Fprintf(w, "    %s\t%.3f\t%.3f\n", s.Name, s.Seconds, s.CPU)
	}
	fmt.Fprintf(w, "  ours / scikit-learn\tours\ttheirs\tratio\tof CPU\n")
	for _, c := range m.Compare {
		fmt.Fprintf(w, "    %s / %s\t%.3f\t%.3f\t%.2f\t%.2f\n", c.Ours, c.Theirs, c.Seconds, c.Sklearn, c.Ratio, c.CPU)
	}
}

// cpuOf sums up processor time.
func cpuOf(stages []stage) float64 {
	sum := 0.0
	for _, s := range stages {
		sum += s.CPU
	}
	return sum
}
