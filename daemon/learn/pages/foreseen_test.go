package pages

import (
	"fmt"
	"strings"
	"testing"

	"nightjar/daemon/chart"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/learn/calibration"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/night/forecast"
	"nightjar/daemon/night/tonight"
)

// TestForeseenNight: Tonight and the model's page tell what the night brings, by the session or by the last night, and what to do
// when too little is known.
func TestForeseenNight(t *testing.T) {
	s := seed(t)
	s.Exec(t, `DELETE FROM crawls`)
	says := func(path string) string {
		t.Helper()
		return webtest.Text(s.Page(t, path).Find(".foreseen").First())
	}
	model := fmt.Sprintf("/model/%d", s.Topic)
	s.learnedFrom(t, 60, 4)
	for _, path := range []string{"/tonight", model} {
		if got := says(path); !strings.Contains(got, "too little to tell") || !strings.Contains(got, "Mark at least 5 pages Useful") {
			t.Errorf("%s with four useful pages: %q", path, got)
		}
	}
	s.learnedFrom(t, 60, 9)
	f, _ := forecast.Make(forecast.Inputs{Pages: 60, Useful: 9, Budget: 1000, Strategy: forecast.Followed})
	for _, path := range []string{"/tonight", model} {
		got := says(path)
		if want := strings.Join(strings.Fields(tonight.Expects(f, 1000)), " "); !strings.Contains(got, want) || !strings.Contains(got, "on your session alone") {
			t.Errorf("%s before the first night: %q, want %q", path, got, tonight.Expects(f, 1000))
		}
	}
	s.Exec(t, `INSERT INTO crawls (topic_id, model_id, strategy, options, status, stop_reason, fetched, created_at)
		SELECT topic_id, max(id), 'link-value', '{"starts":["http://elsewhere.test/"]}', 'ended', 'done', 400, 1 FROM models WHERE topic_id = ?`, s.Topic)
	if got := says("/tonight"); !strings.Contains(got, "The last night brought about 0 useful pages of 400 from other start pages") {
		t.Errorf("after a night: %q", got)
	}
}

// TestLeft: Finds, Tonight and the topic's page say how many useful pages were found and how many more are likely, and offer to
// widen the search when these are few.
func TestLeft(t *testing.T) {
	s := seed(t)
	model := fmt.Sprintf("/model/%d", s.Topic)
	all, err := calibration.TopicYield(t.Context(), s.Store.DB, s.Topic)
	if err != nil || all.Finds == 0 {
		t.Fatal(all, err)
	}
	found := chart.Plural(all.About(), "useful page", "useful pages") + " found so far, "
	for _, little := range []bool{true, false} {
		s.Exec(t, `UPDATE crawls SET status = 'ended', fetched = 100, stop_reason = ?`, map[bool]string{true: "no links left", false: "done"}[little])
		for _, path := range []string{"/", "/tonight", model} {
			left := s.Page(t, path).Find(".left").First()
			if got := webtest.Text(left); !strings.Contains(got, found) || !strings.Contains(got, "likely in the next 5 nights.") || strings.Contains(got, "Little is left") != little ||
				left.Find("a").Length() != map[bool]int{true: 2}[little] {
				t.Errorf("%s, little is left: %v: %q", path, little, got)
			}
		}
	}
	s.Exec(t, `UPDATE crawls SET fetched = 0`)
	for _, path := range []string{"/", "/tonight", model} {
		if got := webtest.Text(s.Page(t, path).Find(".left")); got != "" {
			t.Errorf("%s before the first night: %q", path, got)
		}
	}
}

// learnedFrom stores the topic's model as a training on so many pages does.
func (s *fixture) learnedFrom(t *testing.T, pages, useful int) {
	t.Helper()
	facts := models.Facts{Facts: s.Bundle.Facts}
	facts.Pages, facts.Targets = pages, useful
	if _, err := models.Save(t.Context(), s.Store.DB, s.Store.Erasures(), s.Topic, s.Bundle, facts); err != nil {
		t.Fatal(err)
	}
}
