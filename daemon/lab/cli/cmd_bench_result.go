package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"nightjar/daemon/command"
	"nightjar/daemon/lab/bench"
)

// printBench prints the table of a task.
func printBench(w io.Writer, r *bench.Result) error {
	fmt.Fprintf(w, "%s%s from the same start pages, %s; %.4g relevant pages (%s) can be reached; missing links are %s",
		strings.TrimPrefix(r.Task+": ", ": "), command.Plural(r.Budget, "page"), command.Plural(len(r.Seeds), "seed"), r.RelevantTotal, r.Relevant, map[string]string{bench.Free: "free", bench.Cost: "paid for"}[r.Missing])
	if r.Feedback != "" {
		fmt.Fprintf(w, "; feedback %s", r.Feedback)
	}
	fmt.Fprintln(w)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "strategy\trecall\tof union\tarea\tof oracle's\tinterval\tharvest\tsimilarity\tseconds\tMiB\t")
	for _, s := range r.Strategies {
		harvest := 0.0
		if n := len(s.Harvest); n > 0 {
			harvest = s.Harvest[n-1][1]
		}
		union := "-"
		if s.Name != bench.Oracle {
			union = fmt.Sprintf("%.3f", s.OfUnion)
		}
		fmt.Fprintf(table, "%s\t%.3f\t%s\t%.3f\t%.3f\t%.3f-%.3f\t%.3f\t%.3f\t%.1f\t%d\t\n",
			s.Name, s.Recall, union, s.Area, s.AreaVsOracle, s.Low, s.High, harvest, s.Similarity, s.Seconds, s.PeakRSS>>20)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	return printStopping(w, r)
}

// printStopping prints what ending crawls early would have saved and lost, for strategies that were asked.
func printStopping(w io.Writer, r *bench.Result) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	rows := 0
	for _, s := range r.Strategies {
		if s.Stopping == nil {
			continue
		}
		if rows == 0 {
			fmt.Fprintln(table, "ended early\tbelow\tcrawls\tpages saved\tat best\tfinds lost\tsaid\tcame\theld\t")
		}
		for i, at := range s.Stopping.At {
			rows++
			fmt.Fprintf(table, "%s\t%g\t%.2f\t%.3f\t%.3f\t%.3f\t", s.Name, at.Below, at.Stopped, at.Saved, s.Stopping.Best, at.Lost)
			if t := s.Stopping.Foretold; t != nil && i == 0 {
				fmt.Fprintf(table, "%.2f\t%.2f\t%.2f\t", t.Said, t.Came, t.Held)
			} else {
				fmt.Fprint(table, "\t\t\t")
			}
			fmt.Fprintln(table)
		}
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
		fmt.Fprintf(w, "%s, mean of %s; missing links: %s\n", g.Group, command.Plural(g.Tasks, "task"), g.Missing)
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
	for _, m := range s.Stopping {
		what := "the others"
		if m.LookedAt {
			what = "looked at"
		}
		fmt.Fprintf(w, "%s ended early, mean of %s (%s); at best %.3f of the pages saved; said %.2f, came %.2f, held %.2f\n",
			m.Strategy, command.Plural(m.Tasks, "task"), what, m.Best, m.Foretold.Said, m.Foretold.Came, m.Foretold.Held)
		for _, at := range m.At {
			fmt.Fprintf(w, "  below %-5g %.2f of the crawls end, %.3f of the pages saved, %.3f of the finds lost\n", at.Below, at.Stopped, at.Saved, at.Lost)
		}
	}
	if s.Before != nil {
		if err := printBefore(w, s.Before); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%s: %.1f minutes\n", s.Command, s.Minutes)
	return err
}

// printBefore prints how the strategies changed over each group.
func printBefore(w io.Writer, b *bench.Before) error {
	fmt.Fprintln(w, "of oracle's area, before and now")
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "group\tmissing links\tstrategy\ttasks\tbefore\tnow\tdifference\tinterval\t")
	for _, c := range b.Groups {
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%.3f\t%.3f\t%+.3f\t%+.3f to %+.3f\t\n", c.Name, c.Missing, c.Strategy, c.Tasks, c.Before, c.Now, c.Difference, c.Low, c.High)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, name := range b.New {
		fmt.Fprintf(w, "new: %s\n", name)
	}
	for _, name := range b.Other {
		fmt.Fprintf(w, "not compared: %s\n", name)
	}
	fmt.Fprintln(w)
	return nil
}
