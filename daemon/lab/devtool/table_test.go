package devtool

import (
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
