package e2e

import (
	"fmt"
	"strings"
	"testing"

	"nightjar/daemon/lab/effort"
)

// addresses are the first n pages of the made-up web's script that are different.
func (j *job) addresses(n int) (urls []string) {
	j.t.Helper()
	seen := map[string]bool{}
	for _, step := range j.web.Script() {
		if url := step.URL; url != "" && final(j.web, url) == url && !seen[url] && len(urls) < n {
			seen[url] = true
			urls = append(urls, url)
		}
	}
	if len(urls) < n {
		j.t.Fatalf("the script has %d pages, want %d", len(urls), n)
	}
	return urls
}

// visited waits until a page was visited so often and its text has come.
func (j *job) visited(url string, times int) {
	j.t.Helper()
	j.d.holds("visits of "+url, fmt.Sprint(times), `SELECT count(DISTINCT v.load) FROM visits v JOIN pages p ON p.id = v.page_id
		JOIN events e ON e.page = v.load AND e.type = 'snapshot' WHERE p.url = ?`, url)
}

// TestTwoBrowsers records one session with Chromium and Firefox. Neither has enough to learn from; together they have.
func TestTwoBrowsers(t *testing.T) {
	t.Parallel()
	effort.AtNight(t)
	a := newJob(t, "together", startChromium, 2)
	a.connect()
	a.begin()
	pages := a.addresses(4)
	a.reader.front().address(pages[1])
	a.visited(pages[1], 1)
	a.mark()

	b := &job{t: t, web: a.web, d: a.d, b: startFirefox(t, a.webAddr), topic: a.topic, board: a.board}
	first := &user{t: t, pictures: newPictures("together-firefox")}
	b.reader = first.open(b.b)
	b.pair(b.agree())
	b.reader.front().address(pages[2])
	b.popup = b.reader.open(b.b)
	b.popup.address(b.b.ExtensionPage("popup/popup.html"))
	b.popup.sees("#join-list", "Join “"+a.topic+"” (Chromium on Linux")
	b.popup.look("popup-join")
	b.popup.click("#join-list button", "Join")
	b.popup.sees("#session-browsers", "Chromium on Linux")
	b.visited(pages[2], 1)
	b.reader.front().address(pages[3])
	b.visited(pages[3], 1)
	b.popup.front().sees("#session-facts", "4 pages, 1 useful")
	b.popup.look("popup-together")

	a.popup.front().sees("#session-facts", "4 pages, 1 useful")
	a.popup.sees("#session-browsers", "Firefox on Linux")
	a.board.front().click("nav a", "Topics")
	a.board.click("nav a", "Sessions")
	a.board.sees("#sessions tbody", "Chromium on Linux, Firefox on Linux")
	if rows := strings.Count(a.board.read("#sessions tbody"), a.topic+", "); rows != 1 {
		t.Errorf("the dashboard lists %d sessions, want 1", rows)
	}
	a.board.look("dashboard-together")
	a.reader.front()
	a.submit()
	a.d.holds("both browsers submitted", "2", "SELECT count(*) FROM events WHERE type = 'submit'")
	a.d.holds("both sessions are submitted", "submitted submitted", "SELECT group_concat(status, ' ') FROM sessions WHERE ended_seq IS NOT NULL")
	b.popup.front().sees("#training-text", "finished")
	if n := a.d.number("SELECT count(*) FROM models"); n != 1 {
		t.Errorf("%d trainings, want one over both", n)
	}
	learned := a.d.text("SELECT json_array_length(facts, '$.sessions') || ' sessions' FROM models")
	if learned != "2 sessions" {
		t.Errorf("the model learned from %s", learned)
	}
}
