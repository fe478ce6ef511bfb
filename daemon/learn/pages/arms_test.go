package pages

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"nightjar/daemon/lab/effort"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/night/scheduler"
)

// TestTopicStrategyForm: the Model page says why two strategies are not compared yet, and takes the person's choice of one;
// what the nights chose can be undone there.
func TestTopicStrategyForm(t *testing.T) {
	effort.Long(t)
	s := seed(t)
	page := fmt.Sprintf("/model/%d", s.Topic)
	if got := webtest.Text(s.Page(t, page).Find("#arms")); !strings.Contains(got, "No crawl of this topic has compared two strategies yet") || !strings.Contains(got, "the strategy of Settings, link-value.") {
		t.Error(got)
	}
	send := func(path, strategy string) {
		t.Helper()
		if w := s.Post(fmt.Sprintf("/topics/%d/strategy%s", s.Topic, path), url.Values{"strategy": {strategy}}); w.Code != http.StatusSeeOther {
			t.Fatalf("%s: %d", path, w.Code)
		}
	}
	says := func(want string) {
		t.Helper()
		if got := webtest.Text(s.Page(t, page).Find("#arms")); !strings.Contains(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
	send("", "hmm")
	says("crawled by hmm, as you chose.")
	send("", "")
	says("the strategy of Settings, link-value, and its nights do not change that.")
	send("", "free")
	says("the strategy of Settings, link-value.")
	if err := scheduler.ChooseStrategy(t.Context(), s.Store.DB, s.Topic, scheduler.TopicStrategy{ChosenBy: scheduler.ByNights, Strategy: "hmm", Second: "link-value"}); err != nil {
		t.Fatal(err)
	}
	says("crawled by hmm, since it brought more than link-value by more than chance.")
	send("/undo", "")
	says("and its nights do not change that.")
	if w := s.Post(fmt.Sprintf("/topics/%d/strategy", s.Topic), url.Values{"strategy": {"guess"}}); w.Code != http.StatusUnprocessableEntity && w.Code != http.StatusBadRequest {
		t.Errorf("an unknown strategy: %d", w.Code)
	}
}
