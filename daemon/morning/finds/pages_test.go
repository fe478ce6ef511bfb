package finds

import (
	"slices"
	"testing"

	"nightjar/daemon/db/plans"
	"nightjar/daemon/store/storetest"
)

func TestFindsBefore(t *testing.T) {
	v := newViewed(t)
	v.crawl(1, 1, "", 10, "a", "b", "c")
	v.crawl(2, 2, "", 20, "d", "e")
	var got []string
	f := Page{Filter: Filter{Limit: 2}}
	for {
		page := storetest.Must(Before(t.Context(), v.DB, f))(t)
		for _, one := range page {
			got = append(got, one.Title)
		}
		if len(page) < 2 {
			break
		}
		f.Before = page[1].ID
	}
	if want := []string{"e", "d", "c", "b", "a"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	chosen, err := Before(t.Context(), v.DB, Page{Filter: Filter{Topic: 1}, IDs: []int64{1, 4, 77}})
	if err != nil || len(chosen) != 1 || chosen[0].Title != "a" {
		t.Errorf("chosen %+v, %v", chosen, err)
	}
	if none, err := Before(t.Context(), v.DB, Page{IDs: []int64{}}); err != nil || len(none) != 0 {
		t.Errorf("no ids: %+v, %v", none, err)
	}
	counts, last, err := NewAfter(t.Context(), v.DB, 1)
	if err != nil || last != 5 || !slices.Equal(counts, []TopicCount{{"Baking", 2}, {"Hockey", 2}}) {
		t.Errorf("%v, %d, %v", counts, last, err)
	}
}

// TestFindPagePlans: no statement about pages of finds reads a growing table whole.
func TestFindPagePlans(t *testing.T) {
	v := newViewed(t)
	plans.NoFullScans(t, v.Readers, map[string][]any{
		findRows + ` AND f.id < ?` + findsByID:                                 {5, 5},
		findRows + ` AND f.id IN (SELECT value FROM json_each(?))` + findsByID: {"[1]", 5},
		newFinds: {1, 5},
	})
}
