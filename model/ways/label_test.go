package ways

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// path makes a path of pages "name", "name:hop" or ":hop"; the URL is the position unless the name is followed by @url.
func path(positive bool, pages ...string) Path {
	p := Path{Kind: Marked, Positive: positive, Count: 1}
	for i, text := range pages {
		s := Step{URL: fmt.Sprintf("https://a.test/%p/%d", &p, i), Hop: 9}
		name, hop, found := strings.Cut(text, ":")
		if found {
			fmt.Sscan(hop, &s.Hop)
		}
		s.Name = name
		p.Steps = append(p.Steps, s)
	}
	return p
}

// labelsOf are the labels of each path in words.
func labelsOf(l *Labelled) [][]string {
	var all [][]string
	for _, of := range l.Of {
		var words []string
		for _, y := range of {
			words = append(words, l.Labels[y])
		}
		all = append(all, words)
	}
	return all
}

// TestMilestones: unlabelled pages take the name of the label that comes next; those after the last name lead to the end.
func TestMilestones(t *testing.T) {
	l, err := LabelPaths([]Path{
		path(true, "", "", "department", "", "faculty", "", ":1"),
		path(true, "department", "faculty", "course"),
		path(false, "", "department", "", ""),
		path(true, "", "faculty:0", "", ""),
		path(false, "faculty"),
	}, 4)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"pre-department", "pre-department", "department", "pre-faculty", "faculty", "pre-goal", "goal"},
		{"department", "faculty", "goal"}, // the last page is the goal, whatever its name
		{"pre-department", "department", "pre-fail", "fail"},
		{"pre-goal", "goal", "pre-goal", "goal"}, // so is a useful page on the way
		{"fail"},
	}
	if got := labelsOf(l); !reflect.DeepEqual(got, want) {
		t.Errorf("labels %q\nwant %q", got, want)
	}
	if l.Labelling != Milestones || l.Goal != 0 || !slices.Equal(l.Labels, []string{"goal", "department", "faculty", "fail", "pre-department", "pre-faculty", "pre-fail", "pre-goal"}) {
		t.Errorf("%s labels %q, goal %d", l.Labelling, l.Labels, l.Goal)
	}
}

// TestReservedNames: a page that the person calls like one of our labels does not become one.
func TestReservedNames(t *testing.T) {
	paths := []Path{path(true, "fail", "goal", "pre-course", ""), path(false, "fail", "goal", "")}
	l, err := LabelPaths(paths, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"“fail”", "“goal”", "“pre-course”", "goal"}, {"“fail”", "“goal”", "fail"}}
	if got := labelsOf(l); !reflect.DeepEqual(got, want) {
		t.Errorf("labels %q, want %q", got, want)
	}
}

// TestHops: a leaf keeps its layer, layers end at n-1, and what the person left is not useful.
func TestHops(t *testing.T) {
	paths := []Path{path(true, ":7", ":2", ":1", ":1"), path(false, ":2", ":1"), path(false, ":1", ":0")}
	l, err := LabelPaths(paths, 4)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := labelsOf(l), [][]string{{"T3", "T2", "T1", "T0"}, {"T2", "T1"}, {"T1", "T3"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("labels %q, want %q", got, want)
	}
	if l.Labelling != Hops || l.Goal != 0 || !slices.Equal(l.Labels, []string{"T0", "T1", "T2", "T3"}) {
		t.Errorf("%s labels %q, goal %d", l.Labelling, l.Labels, l.Goal)
	}
	if l, err = LabelPaths(paths, 0); err != nil || l.Labels[len(l.Labels)-1] != "T7" {
		t.Errorf("without a number of states: %+v, %v", l, err)
	}
}

func TestHop(t *testing.T) {
	for label, want := range map[string]int{"T0": 0, "T12": 12, "T": -1, "T-1": -1, "T01": -1, "t1": -1, "goal": -1, "T+1": -1} {
		if hop, ok := Hop(label); ok != (want >= 0) || ok && hop != want {
			t.Errorf("Hop(%q) = %d, %v", label, hop, ok)
		}
	}
}

// TestWhichLabelling: milestones need two names on two pages each.
func TestWhichLabelling(t *testing.T) {
	one := []Path{path(true, "a", "b", ""), path(false, "a", "")}
	two := append(slices.Clone(one), path(false, "b", ""))
	same := []Path{one[0], one[0], path(false, ":3")}
	for name, c := range map[string]struct {
		paths []Path
		want  Labelling
		err   error
	}{
		"one name on two pages": {one, Hops, nil},
		"two names":             {two, Milestones, nil},
		"the same page twice":   {same, Hops, nil},
		"one label":             {[]Path{path(true, ""), path(true, "")}, "", ErrOneLabel},
	} {
		l, err := LabelPaths(c.paths, 4)
		if !errors.Is(err, c.err) || err == nil && l.Labelling != c.want {
			t.Errorf("%s: %+v, %v", name, l, err)
		}
		if err != nil && !Unlearnable(err) {
			t.Errorf("%s: %v is not the paths' fault", name, err)
		}
	}
}

// TestTooManyLabels: the message lists the names with the number of their pages, rarest first.
func TestTooManyLabels(t *testing.T) {
	var paths []Path
	for i := range MaxNames - 1 { // with goal and fail that is one too many
		paths = append(paths, path(true, fmt.Sprintf("name%02d", i), fmt.Sprintf("name%02d", i/2), ""), path(false, ":3"))
	}
	l, err := LabelPaths(paths, 4)
	var many *TooManyLabelsError
	if l != nil || !errors.As(err, &many) || !Unlearnable(err) || many.Labels != MaxNames+1 || len(many.Names) != MaxNames-1 {
		t.Fatalf("%+v, %v", l, err)
	}
	if first, last := many.Names[0], many.Names[len(many.Names)-1]; first != (NameCount{"name20", 1}) || last != (NameCount{"name18", 3}) {
		t.Errorf("from %v to %v", first, last)
	}
	if !strings.Contains(err.Error(), "41 labels, at most 40") || !strings.Contains(err.Error(), "name20 (1), name21 (1)") {
		t.Errorf("told %q", err)
	}
	var far []Path
	for i := range 45 {
		far = append(far, path(true, fmt.Sprintf(":%d", i), ":0"))
	}
	if _, err := LabelPaths(far, 60); err == nil || !strings.Contains(err.Error(), "45 hop labels are more than 40") {
		t.Errorf("45 layers: %v", err)
	}
}
