package e2e

import (
	"errors"
	"path/filepath"
	"testing"

	"nightjar/daemon/cli/demo/demoweb"
	"nightjar/daemon/store"
)

// TestRunNowWatched: one press starts a crawl and leads to its page. There, without a reload, pages are counted, finds come, and a
// mark by a key changes the order of what comes next. Stop ends it.
func TestRunNowWatched(t *testing.T) {
	t.Parallel()
	web := serveWeb(t, demoweb.Generate(1))
	data := copyDemo(t)
	slow(t, data)
	d := serveData(t, data, web)
	first := &user{t: t, pictures: newPictures("watch")}
	board := first.open(startBoard(t))
	board.address(d.login)
	board.address(d.origin(board) + "/tonight")
	board.click("button", "Run ")
	board.sees("#crawl .far", " of 180 pages")
	board.must(board.tab.Eval(`window.stays = true`, new(bool)), "remember that the page stays")
	board.sees("#crawl-finds > li", "likely")
	board.sees("#crawl-next", "Mark a find")
	board.sees("#crawl-trail figcaption", "The last ")
	board.sees("#crawl .far", "left")
	board.axe(t, "a running crawl")

	board.keys("jx")
	board.sees("#crawl-finds .verdict", "Marked Not useful")
	d.holds("the mark is stored", "1", "SELECT count(*) FROM finds WHERE mark = 'not-useful'")
	board.sees("#crawl-next", "In the order that your last marks made")
	board.look("watched")
	before := d.number("SELECT max(fetched) FROM crawls WHERE status = 'running'")
	board.eventually("see more pages without a reload", func() error {
		var now int
		err := board.tab.Eval(`window.stays && document.querySelector("#crawl progress")?.value || 0`, &now)
		if err == nil && now <= before {
			err = errors.New("no more pages came")
		}
		return err
	})
	board.click(".page-head button", "Stop")
	board.sees("#crawl [role=status]", "Stopped by you.")
	d.holds("the crawl is stopped", "stopped by you", "SELECT stop_reason FROM crawls ORDER BY id DESC LIMIT 1")
}

// slow lets crawls pause between two pages of a host.
func slow(t *testing.T, data string) {
	t.Helper()
	st, err := store.Open(t.Context(), filepath.Join(data, "nightjar.db"))
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := st.Settings(t.Context())
	if err == nil {
		chosen.Delay = .5
		err = st.SaveSettings(t.Context(), chosen)
	}
	if err = errors.Join(err, st.Close()); err != nil {
		t.Fatal(err)
	}
}
