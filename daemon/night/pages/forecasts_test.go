package pages

import (
	"fmt"
	"strings"
	"testing"

	"nightjar/daemon/lab/webtest"
)

// TestForecastsBesideWhatCame: the pages of crawls show what was foretold and what came.
func TestForecastsBesideWhatCame(t *testing.T) {
	s := seed(t)
	crawls := s.Count(t, `SELECT count(*) FROM crawls WHERE status = 'ended' AND fetched > 0`)
	if crawls == 0 {
		t.Fatal("no crawl has ended")
	}
	for _, path := range []string{"/crawls", "/crawls/1"} {
		if s.Page(t, path).Find(".forecasts").Length() != 0 {
			t.Errorf("%s shows forecasts where none was made", path)
		}
	}
	s.Exec(t, `INSERT INTO forecasts (crawl_id, made_at, pages, expected, low, high, version, inputs) SELECT id, 1, 500, 140, 80, 240, 1, '{}' FROM crawls`)
	d := s.Page(t, "/crawls")
	if rows := d.Find(".forecasts tbody tr"); rows.Length() != crawls || !strings.Contains(webtest.Text(rows.First()), "80 to 240") {
		t.Errorf("%d rows: %q", rows.Length(), webtest.Text(rows.First()))
	}
	if missed := d.Find(".foretold.missed").Length(); missed != crawls {
		t.Errorf("%d of %d nights are drawn as missed", missed, crawls)
	}
	if got := webtest.Text(d.Find("desc#forecasts-desc")); !strings.Contains(got, "forecast 80 to 240, found ") {
		t.Errorf("the picture says %q", got)
	}
	id := s.Count(t, `SELECT id FROM crawls WHERE status = 'ended' AND fetched > 0 LIMIT 1`)
	if got := webtest.Text(s.Page(t, fmt.Sprintf("/crawls/%d", id)).Find(".facts")); !strings.Contains(got, "forecast about 140, most likely 80 to 240") {
		t.Errorf("a crawl's page says %q", got)
	}
}
