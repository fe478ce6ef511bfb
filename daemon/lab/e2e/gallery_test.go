package e2e

import (
	"errors"
	"fmt"
	"os"
)

// gallery takes pictures of the dashboard's pages, whole, at the widths of a telephone, a laptop and a large screen, in
// light and dark. It also holds that no page is wider than its window.
func (j *job) gallery() {
	j.t.Helper()
	if os.Getenv("NIGHTJAR_SCREENSHOTS") == "" {
		return
	}
	pages := []struct{ name, nav, link, then string }{
		{"finds", "Finds", "", ""}, {"sessions", "Sessions", "", ""}, {"session", "Sessions", j.topic, ""},
		{"model", "Model", "", ""}, {"crawls", "Crawls", "", ""}, {"crawl", "Crawls", "1", ""},
		{"hosts", "Crawls", "1", "hosts"}, {"settings", "Settings", "", ""},
	}
	j.board.front()
	for _, colours := range []string{"light", "dark"} {
		for _, width := range []int{360, 1280, 2560} {
			for _, page := range pages {
				j.board.must(j.board.tab.View(width, 800, colours), "set the window")
				j.board.click("nav a", page.nav)
				j.board.sees("nav [aria-current]", page.nav)
				if page.link != "" {
					j.board.click("table a", page.link)
					j.board.sees(".crumbs", page.nav)
				}
				if page.then != "" {
					j.board.click(`a.button[href$="/`+page.then+`"]`, "")
					j.board.sees("h1", "Every host")
				}
				j.picture(fmt.Sprintf("%s-%d-%s", page.name, width, colours), width, colours)
			}
		}
	}
}

// picture takes a picture of the whole page.
func (j *job) picture(name string, width int, colours string) {
	j.t.Helper()
	var size struct {
		Width, Height int
		State         string
	}
	const read = `({State: document.readyState, Width: document.documentElement.scrollWidth, Height: document.documentElement.scrollHeight})`
	j.board.eventually("measure the page", func() error {
		err := j.board.tab.Eval(read, &size)
		if err == nil && size.State != "complete" {
			err = errors.New("the page is not loaded")
		}
		return err
	})
	if size.Width > width {
		j.t.Errorf("%s: the page is %d px wide in a window of %d px", name, size.Width, width)
	}
	j.board.must(j.board.tab.View(width, max(800, size.Height), colours), "make the window as high as the page")
	j.board.look(name)
}
