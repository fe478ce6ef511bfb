package e2e

import "errors"

// pause runs a slow crawl, pauses it, lets it go on and stops it, by keyboard alone; each time the page says how it
// stands.
func (j *job) pause() {
	j.t.Helper()
	const last = " FROM crawls ORDER BY id DESC LIMIT 1"
	j.board.click("nav a", "Settings")
	j.board.write("#delay", "2")
	j.board.click("button", "Save settings")
	j.board.sees(".banner", "aved")
	j.board.click("nav a", "Nights")
	j.board.click("button", "Run ")
	j.d.holds("another crawl runs", "running", "SELECT status"+last)
	j.board.sees(".page-head", "Pause")

	j.press("pause")
	j.d.holds("the crawl is paused", "paused by you", "SELECT paused"+last)
	j.board.sees("#crawl [role=status]", "Paused by you.")
	j.board.look("dashboard-crawl-paused")
	j.press("resume")
	j.d.holds("the crawl goes on", "running ", "SELECT status || ' ' || paused"+last)
	j.board.sees("#crawl [role=status]", "running")
	j.press("stop")
	j.d.holds("the crawl is stopped", "stopped by you", "SELECT stop_reason"+last)
	j.board.sees("#crawl [role=status]", "Stopped by you.")
}

// press goes to the button that does something to the crawl, as the Tab key would, and presses Enter.
func (j *job) press(what string) {
	j.t.Helper()
	j.board.eventually("go to the button that does "+what, func() error {
		var there bool
		err := j.board.tab.Eval(`(() => {
			const button = document.querySelector('.page-head form[action$="/`+what+`"] button');
			button?.focus();
			return !!button && button.tabIndex >= 0 && document.activeElement === button;
		})()`, &there)
		if err == nil && !there {
			err = errors.New("it cannot be reached")
		}
		return err
	})
	j.board.keys("\n")
}
