package e2e

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// TestSearchFlow: a page that was found is found again by search, with the keyboard alone.
func TestSearchFlow(t *testing.T) {
	t.Parallel()
	b := startBoard(t)
	d := startDemo(t)
	title := d.text("SELECT title FROM finds ORDER BY useful DESC LIMIT 1")
	d.holds("all pages are indexed", "0", "SELECT count(*) FROM search_queue")
	u := (&user{t: t, pictures: newPictures("search")}).open(b)
	u.address(d.login)
	u.sees("nav [aria-current]", "Finds") // the page after logging in leads there by itself
	u.address(d.origin(u) + "/sessions")

	u.front().click("h1", "Sessions") // so that the page has the keyboard
	u.keys("/" + title + "\n")
	u.sees("h1", "Search")
	u.sees(".results", title)
	longest := slices.MaxFunc(strings.Fields(title), func(a, b string) int { return len(a) - len(b) })
	u.sees(".result mark", strings.Trim(longest, ",.:;"))
	u.keys("j")
	u.eventually("see a result focused", func() error { return u.focused(".result h3 a") })
	u.look("results")

	u.click(".result .meta a", "More like this")
	u.sees(".search-words", "They share words")
	u.look("more-like-this")

	u.address(d.origin(u) + "/crawls")
	u.click("h1", "Nights")
	u.keys("/" + d.text("SELECT url FROM pages ORDER BY id LIMIT 1") + "\n")
	u.sees("#here-title", "Was I here?")
	u.sees(".here", "Yes,")
	u.look("was-i-here")
	u.click(".here li a", "a session about")
	u.sees("nav [aria-current]", "Sessions")
}

// origin is the dashboard's scheme, host and port.
func (d *daemon) origin(u *user) (at string) {
	d.t.Helper()
	u.must(u.tab.Eval("location.origin", &at), "read the address")
	return at
}

// focused returns an error unless the focus is on an element that a selector selects.
func (u *user) focused(selector string) error {
	var is bool
	if err := u.tab.Eval("!!document.activeElement?.matches("+quote(selector)+")", &is); err != nil {
		return err
	}
	if !is {
		return errors.New("the focus is elsewhere")
	}
	return nil
}
