package bench

import (
	"slices"
	"testing"

	"nightjar/crawler/weburl"
)

// TestLeasesOut: with no task out, pages of hosts of their own are found as on the recorded hosts; with many out, the crawl ends,
// and finds no more.
func TestLeasesOut(t *testing.T) {
	dir, task := madeUp(t), evenings(1)
	task.Budget = 200
	all, err := runner(t, dir).LeasesOut(t.Context(), task, "best-first", []int{0, 1, 40}, 1)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := runner(t, dir).CompareArms(t.Context(), task, ArmsPlan{First: "best-first", Second: "breadth-first"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 3 || all[0].Recall != all[1].Recall || all[0].Area != all[1].Area || all[0].Area <= 0 || all[0].Area > all[0].Recall {
		t.Fatalf("%+v", all)
	}
	if all[0].Recall == 0 || all[2].Recall == 0 || alone.Alone == 0 {
		t.Errorf("%+v, on the recorded hosts %+v", all, alone)
	}
	if _, err := runner(t, dir).LeasesOut(t.Context(), task, "guess", []int{0}, 1); err == nil {
		t.Error("an unknown strategy is no error")
	}
}

// TestDelayed: a page is read when the one that links to it is back, and the others go first.
func TestDelayed(t *testing.T) {
	pages := []read{{0, 1, false}, {1, 1, false}, {2, 1, true}, {3, 1, true}, {1, 1, false}, {1, 0, false}, {1, 1, false}}
	for out, want := range map[int][]int{
		0: {0, 0, 1, 2, 2, 2},
		1: {0, 0, 1, 2, 2, 2},
		2: {0, 0, 0, 1, 2, 2}, // 1; 2; 5; 3; 6, which costs nothing; 4; 7
		9: {0, 0, 0, 0, 1, 2}, // 1; 2, 5, 6, 7; 3; 4
	} {
		if got := delayed(pages, out); !slices.Equal(got, want) {
			t.Errorf("with %d out: %v, want %v", out, got, want)
		}
	}
}

func TestApart(t *testing.T) {
	seen := map[string]bool{}
	for _, url := range []string{"http://a.example.org/", "http://a.example.org/x?y=1", "https://a.example.org/", "http://www.b.co.uk/"} {
		other := apart(url)
		if original(other) != url || apart(url) != other || weburl.Site(other) != weburl.Site(url) || seen[weburl.Host(other)] {
			t.Errorf("%s is at %s", url, other)
		}
		seen[weburl.Host(other)] = true
	}
}
