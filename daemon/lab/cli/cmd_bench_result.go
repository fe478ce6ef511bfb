package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"nightjar/crawler/texts"
	"nightjar/daemon/lab/bench"
)

// printBench prints the table of a task.
func printBench(w io.Writer, r *bench.Result) error {
	fmt.Fprintf(w, "%s%s from the same start pages, %s; %.4g relevant pages (%s) can be reached; missing links are %s",
		strings.TrimPrefix(r.Task+": ", ": "), texts.Plural(r.Budget, "page"), texts.Plural(len(r.Seeds), "seed"), r.RelevantTotal, r.Relevant, map[string]string{bench.Free: "free\n", bench.Cost: "paid for\n"}[r.Missing])
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "strategy\trecall\tarea\tof oracle's\tinterval\tharvest\tsimilarity\tseconds\tMiB\t")
	for _, s := range r.Strategies {
		harvest := 0.0
		if n := len(s.Harvest); n > 0 {
			harvest = s.Harvest[n-1][1]
		}
		fmt.Fprintf(table, "%s\t%.3f\t%.3f\t%.3f\t%.3f-%.3f\t%.3f\t%.3f\t%.1f\t%d\t\n",
			s.Name, s.Recall, s.Area, s.AreaVsOracle, s.Low, s.High, harvest, s.Similarity, s.Seconds, s.PeakRSS>>20)
	}
	return table.Flush()
}

// printSuite prints the tables of a suite's tasks and of its groups.
func printSuite(w io.Writer, s *bench.SuiteResult) error {
	for i := range s.Results {
		if err := printBench(w, &s.Results[i]); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	for _, g := range s.Groups {
		fmt.Fprintf(w, "%s, mean of %s; missing links: %s\n", g.Group, texts.Plural(g.Tasks, "task"), g.Missing)
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(table, "strategy\tof oracle's\tinterval\t")
		for _, one := range g.Strategies {
			fmt.Fprintf(table, "%s\t%.3f\t%.3f-%.3f\t\n", one.Name, one.AreaVsOracle, one.Low, one.High)
		}
		if err := table.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	_, err := fmt.Fprintf(w, "%s: %.1f minutes\n", s.Command, s.Minutes)
	return err
}
