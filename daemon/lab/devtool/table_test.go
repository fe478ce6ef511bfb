package devtool

import (
	"fmt"
	"strings"
	"testing"
)

func TestTables(t *testing.T) {
	table := Table{Title: "Pages", Rows: [][]string{{"what", "n"}}}
	table.Add("long name", 3)
	var text strings.Builder
	if err := WriteText(&text, "All", []Table{table}); err != nil || text.String() != "All\n\nPages\n  what       n\n  long name  3\n" {
		t.Errorf("%q, %v", text.String(), err)
	}
	if got := table.Markdown("###"); got != "\n### Pages\n\n| what | n |\n| --- | --- |\n| long name | 3 |\n" {
		t.Errorf("%q", got)
	}
}

func TestAims(t *testing.T) {
	all := []Aim{AtMost("memory", 1500, 1024, "MiB"), AtMost("a page", 2, 2, "ms"), AtLeast("share", .94, .95, ""), AtLeast("rate", 1.5, 1.5, "")}
	want := "[[ measured aim ] [memory 1.5e+03 MiB at most 1024 MiB missed] [a page 2 ms at most 2 ms met] [share 0.94 at least 0.95 missed] [rate 1.5 at least 1.5 met]]"
	if got := fmt.Sprint(AimTable(all).Rows); got != want || all[0].Met || !all[1].Met || all[2].Met || !all[3].Met {
		t.Errorf("%s\n%+v", got, all)
	}
}
