package pages

import (
	"strings"
	"testing"

	"nightjar/daemon/morning/api"
)

func TestAPIPage(t *testing.T) {
	f := seed(t)
	page := f.Page(t, "/api")
	paths, err := api.Describe()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range paths {
		if !strings.Contains(page.Find("main").Text(), "GET "+p.Path) {
			t.Errorf("lacks %s", p.Path)
		}
	}
	if w := f.Get("/api/v1/openapi.json"); w.Code != 200 {
		t.Errorf("its link leads to %d", w.Code)
	}
}
