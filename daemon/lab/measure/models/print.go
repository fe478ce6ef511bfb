package models

import (
	"fmt"

	"nightjar/daemon/lab/devtool"
)

func (r *result) heading() string {
	text := fmt.Sprintf("Trainings on made-up pages, seed %d, %d cores, %s", r.Seed, r.Cores, r.Go)
	if r.Missing != "" {
		text += "\n" + r.Missing
	}
	return text
}

func (r *result) tables() (all []devtool.Table) {
	for _, m := range r.Sizes {
		all = append(all, m.stages())
		if m.Sklearn != nil {
			all = append(all, m.baseline())
		}
	}
	return append(all, devtool.AimTable(r.Aims))
}

// stages is what the training of a session took.
func (m *measured) stages() devtool.Table {
	t := devtool.Table{Title: fmt.Sprintf("%d pages: %d useful, %d links, %d terms in %d dimensions, %d clusters, %d features, %d background pages",
		m.Pages, m.Targets, m.Edges, m.Terms, m.Rank, m.Clusters, m.Features, m.Background)}
	t.Add("stage", "seconds", "CPU", "peak MiB")
	row := func(name string, seconds, cpu float64, peak int64, more string) {
		t.Add(name, fmt.Sprintf("%.3f", seconds), fmt.Sprintf("%.3f", cpu), fmt.Sprintf("%.0f", devtool.MiB(peak)), more)
	}
	for _, s := range m.Stages {
		row(s.Name, s.Seconds, s.CPU, s.Peak, "")
	}
	row("total", m.Seconds, cpuOf(m.Stages), m.Peak, fmt.Sprintf("%.0f of it before the training", devtool.MiB(m.Base)))
	for _, s := range m.Report {
		row("report: "+s.Name, s.Seconds, s.CPU, s.Peak, "")
	}
	if len(m.Report) > 0 {
		row("with the report", m.Seconds+m.ReportSeconds, cpuOf(m.Stages)+cpuOf(m.Report), m.Peak, fmt.Sprintf("of %d folds", m.Folds))
	}
	return t
}

// baseline is what scikit-learn took, and the ratios.
func (m *measured) baseline() devtool.Table {
	b := m.Sklearn
	t := devtool.Table{Title: fmt.Sprintf("scikit-learn %s: %d terms, peak %.0f MiB, %.0f of it before the first step", b.Version, b.Terms, devtool.MiB(b.Peak), devtool.MiB(b.Import))}
	t.Add("step", "seconds", "CPU")
	for _, s := range b.Steps {
		t.Add(s.Name, fmt.Sprintf("%.3f", s.Seconds), fmt.Sprintf("%.3f", s.CPU))
	}
	t.Add("ours / scikit-learn", "ours", "theirs", "ratio", "of CPU")
	for _, c := range m.Compare {
		t.Add(c.Ours+" / "+c.Theirs, fmt.Sprintf("%.3f", c.Seconds), fmt.Sprintf("%.3f", c.Sklearn), fmt.Sprintf("%.2f", c.Ratio), fmt.Sprintf("%.2f", c.CPU))
	}
	return t
}

// cpuOf sums up processor time.
func cpuOf(stages []stage) float64 {
	sum := 0.0
	for _, s := range stages {
		sum += s.CPU
	}
	return sum
}
