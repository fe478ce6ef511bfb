package report

import (
	"slices"
	"strconv"

	strategies "nightjar/crawler/strategy"
)

// ink is a line's colour, with a contrast of 4.5:1 to the background, light and dark.
type ink struct{ Class, Light, Dark string }

var inks = []ink{
	{"c1", "#3566b8", "#7ea6ee"}, {"c2", "#b06a00", "#e0a04a"}, {"c3", "#2d7d5a", "#6cc49b"}, {"c4", "#8a4fb0", "#c39be4"},
	{"c5", "#0f7f8f", "#63c3d1"}, {"c6", "#a8476f", "#e28db1"}, {"c7", "#6b6f1f", "#bfc266"}, {"c8", "#5a5f73", "#a7adc4"},
	{"c9", "#c4272f", "#ff7f83"}, {"c10", "#7a4e2d", "#d3a583"}, {"c11", "#4a7a00", "#9ccc52"}, {"c12", "#b3329a", "#f08bdc"},
}

// dash is a line's pattern, which distinguishes it without colour. The lines of best strategy and oracle have none.
type dash struct{ Class, Array string }

var dashes = []dash{
	{"d1", "9 3"}, {"d2", "2 2.5"}, {"d3", "12 3 2 3"}, {"d4", "5 3"}, {"d5", "15 4"}, {"d6", "7 3 2 3 2 3"},
	{"d7", "1.5 4"}, {"d8", "15 3 5 3"}, {"d9", "4 1.5"}, {"d10", "12 3 2 3 2 3 2 3"}, {"d11", "3 5"}, {"d12", "7 2 3 2"},
}

// look is the number of the colour and pattern of a strategy, so that it looks the same in every picture; -1 without one.
func look(name string) int {
	for _, k := range strategies.Kinds() {
		if k.Name == name && k.Look < min(len(inks), len(dashes)) {
			return k.Look
		}
	}
	return -1
}

// classes are the style classes of each name; unknown strategies get unused looks.
func classes(names []string, best string) []string {
	looks := make([]int, len(names))
	var used []int
	for i, name := range names {
		if looks[i] = look(name); looks[i] >= 0 && !slices.Contains(used, looks[i]) {
			used = append(used, looks[i])
		}
	}
	out := make([]string, len(names))
	for i, name := range names {
		if looks[i] < 0 {
			looks[i] = unused(&used, len(inks), i)
		}
		out[i] = inks[looks[i]].Class + " " + dashes[looks[i]].Class
		switch name {
		case oracle:
			out[i] = "oracle"
		case best:
			out[i] += " best"
		}
	}
	return out
}

// unused takes the first unused of n looks, or a used one if there is none.
func unused(used *[]int, n, or int) int {
	for i := range n {
		if !slices.Contains(*used, i) {
			*used = append(*used, i)
			return i
		}
	}
	return or % n
}

// count formats a number of things: 1 task, 2 tasks.
func count(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return strconv.Itoa(n) + " " + of + "s"
}
