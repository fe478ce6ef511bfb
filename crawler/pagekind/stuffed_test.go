package pagekind

import (
	"fmt"
	"strings"
	"testing"

	"nightjar/crawler/page"
)

func TestStuffed(t *testing.T) {
	prose := `The crease is the area in front of the goal where the keeper may not be hindered. A player of the other side who
		stands in it while a goal is shot spoils the goal, unless a defender pushed him there. It was painted blue in 1990, since
		the red line alone was hard to see for officials at the far end, and has had the shape of half a circle ever since. `
	words := strings.Fields("hockey goal puck skate stick league rink ice keeper playoff season score")
	var many []string
	for i := range 60 {
		many = append(many, words[i%12]+string(rune('a'+i%26)))
	}
	var table strings.Builder
	for i := range 80 {
		fmt.Fprintf(&table, "%02d:%02d %d.%d m %s water\n", i*7%24, i*37%60, i*3%5, i*7%10, []string{"high", "low"}[i%2])
	}
	for _, tt := range []struct {
		name, text string
		want       bool
	}{
		{"prose", prose + strings.ToUpper(prose[:100]) + " Another rule of the same year is about the length of sticks, which may not be longer than a man is tall.", false},
		{"a dozen words", strings.Repeat(strings.Join(words, " ")+" ", 20), true},
		{"sixty words without a sentence", strings.Repeat(strings.Join(many, " ")+" ", 5), false},
		{"forty words without a sentence", strings.Repeat(strings.Join(many[:40], " ")+" ", 5), true},
		{"a short text", strings.Repeat(strings.Join(words, " ")+" ", 8), false},
		{"numbers", "results " + strings.Repeat("3 2 1 0 ", 200), false},
		{"a table", table.String(), false},
		{"a few words with numbers", strings.Repeat(strings.Join(words, " 1 2 3 ")+" ", 20), true},
		{"a few words with a number each line", strings.Repeat(strings.Join(words, " ")+" 49 ", 20), true},
		{"nothing", "", false},
	} {
		if got := Stuffed(&page.Page{Text: tt.text}); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
