package e2e

import (
	"fmt"
	"strings"
)

// move is a way of moving, and what the database must have of it: visits as "URL how from URL for requested URL", frames as
// "frame URL in URL" and steps as "back to URL from URL", separated by semicolons; "" for nothing.
type move struct {
	way     string
	do      func(w *walk)
	want    string
	firefox string // what Firefox must have, where the browsers differ
}

// basicMoves are the first moves: addresses, links, Back and Forward.
const basicMoves = 10

// moves are made in this order, in one session.
var moves = []move{
	{"the page that was open when the session began", nil, "a.test/ other", ""},
	{"typed address", typed("b.test/"), "b.test/ typed", ""},
	{"typed address of another site", typed("a.test/"), "a.test/ typed", ""},
	{"link", click("One"), "a.test/one link from a.test/", ""},
	{"Back", steps(-1), "back to a.test/ from a.test/one", ""},
	{"Forward", steps(1), "forward to a.test/one from a.test/", ""},
	{"link after Forward", click("Two"), "a.test/two link from a.test/one", ""},
	{"two steps back by a button of the page", click("Two steps back"), "back to a.test/ from a.test/two", ""},
	{"two steps forward by the browser", steps(2), "forward to a.test/two from a.test/", ""},
	{"two steps back by the browser", steps(-2), "back to a.test/ from a.test/two", ""},
	{"reload", func(w *walk) { w.u.must(w.hand.reload(w.u.tab), "reload") }, "a.test/ reload", ""},
	{"form with GET", fill("#q", "ice\n"), "a.test/find?q=ice form from a.test/", ""},
	{"link on the page of results", click("One"), "a.test/one link from a.test/find?q=ice", ""},
	{"Back to the results, and to the form", steps(-2), "back to a.test/ from a.test/one", ""},
	{"form with POST", fill("#text", "hello\n"), "a.test/posted form from a.test/", ""},
	{"Back to the form", steps(-1), "back to a.test/ from a.test/posted", ""},
	{"bookmark", func(w *walk) { w.u.must(w.hand.bookmark(w.u.tab, "http://a.test/three"), "open a bookmark") }, "a.test/three bookmark", ""},
	{"Back from a bookmark", steps(-1), "back to a.test/ from a.test/three", ""},

	{"middle click", press("One", 1, false), "a.test/one new-tab from a.test/", ""},
	{"link in the new tab", func(w *walk) { w.goTo("http://a.test/one"); click("Two")(w) }, "a.test/two link from a.test/one", ""},
	{"link in the first tab", func(w *walk) { w.leave(); click("To b")(w) }, "b.test/ link from a.test/", ""},
	{"Back from another site", steps(-1), "back to a.test/ from b.test/", ""},
	{"click with Ctrl", press("Two", 0, true), "a.test/two new-tab from a.test/", ""},
	{"link with target=_blank", click("In a new tab"), "a.test/blank new-tab from a.test/", ""},
	{"window.open", func(w *walk) { w.goTo("http://a.test/blank"); w.leave(); click("Open a window")(w) }, "a.test/opened new-tab from a.test/", ""},
	{"back to the first tab", func(w *walk) { w.goTo("http://a.test/opened"); w.leave() }, "", ""},

	{"redirect with 301", click("Moved for good"), "a.test/target link from a.test/ for a.test/moved", ""},
	{"Back from a redirect", steps(-1), "back to a.test/ from a.test/target", ""},
	{"redirect with 302", click("Found elsewhere"), "a.test/target link from a.test/ for a.test/found", ""},
	{"Back", steps(-1), "back to a.test/ from a.test/target", ""},
	{"redirect to another site", click("Found on another site"), "b.test/landed link from a.test/ for a.test/away", ""},
	{"Back", steps(-1), "back to a.test/ from b.test/landed", ""},
	{"meta refresh", click("Refreshed"), "a.test/target link from a.test/ for a.test/soon", ""},
	{"Back", steps(-1), "back to a.test/ from a.test/target", ""},
	{"location.replace", click("Moved by a script"), "a.test/target link from a.test/ for a.test/script", ""},
	{"Back", steps(-1), "back to a.test/ from a.test/target", ""},
	{"a page that may not be cached", click("Never stored"), "a.test/fresh link from a.test/", ""},
	{"link from it", click("One"), "a.test/one link from a.test/fresh", ""},
	{"Back to it: it loads again", steps(-1), "back to a.test/fresh from a.test/one", ""},
	{"Back", steps(-1), "back to a.test/ from a.test/fresh", ""},

	{"iframes of the same site and of another", click("With frames inside"), "a.test/holder link from a.test/; iframe a.test/inner in a.test/holder", ""},
	{"link in an iframe", click("Deeper"), "iframe a.test/deeper in a.test/holder", ""},
	{"Back in an iframe", steps(-1), "back to a.test/inner from a.test/deeper", ""},
	{"Back from a page with iframes", steps(-1), "back to a.test/ from a.test/holder", ""},
	{"frameset", click("A frameset"), "frames.test/ link from a.test/; frame frames.test/menu in frames.test/; frame frames.test/first in frames.test/", ""},
	{"link into the frame beside", click("Second"), "frame frames.test/second in frames.test/", ""},
	{"Back in a frame", steps(-1), "back to frames.test/first from frames.test/second", ""},
	{"Forward in a frame", steps(1), "forward to frames.test/second from frames.test/first", ""},
	{"link out of a frame", click("Whole"), "frames.test/whole link from frames.test/menu", ""},
	{"Back to the frameset", steps(-1), "back to frames.test/ from frames.test/whole", ""},
	{"typed address", typed("a.test/"), "a.test/ typed", ""},

	{"an app's first page", click("App"), "app.test/ link from a.test/", ""},
	{"pushState", click("Teams"), "app.test/teams link from app.test/", ""},
	{"pushState again", click("Team 7"), "app.test/teams/7 link from app.test/teams", ""},
	{"other content at the same address", click("More"), "", ""},
	{"place in the page", click("Down"), "", ""},
	{"another address of the same content", click("Sorted"), "", ""},
	{"Back past them", steps(-3), "back to app.test/teams from app.test/teams/7", ""},
	{"Forward", steps(1), "forward to app.test/teams/7 from app.test/teams", ""},
	{"replaceState with other content", click("Team 8 instead"), "app.test/teams/8 link from app.test/teams/7", ""},
	{"Back", steps(-2), "back to app.test/ from app.test/teams/8", ""},
	{"Back out of the app", steps(-1), "back to a.test/ from app.test/", ""},
	{"Forward into the app", steps(1), "forward to app.test/ from a.test/", ""},
	{"Forward in the app", steps(1), "forward to app.test/teams from app.test/", ""},
	{"typed address", typed("a.test/"), "a.test/ typed", ""},

	{"an app with routes", click("App with routes"), "app.test/routes link from a.test/", ""},
	{"route", click("Rinks"), "app.test/routes#/rinks link from app.test/routes", ""},
	{"route with a secret", click("Rink 3"), "app.test/routes#/rinks/3?access_token=redacted link from app.test/routes#/rinks", ""},
	{"route that begins with #!", click("News"), "app.test/routes#!/news link from app.test/routes#/rinks/3?access_token=redacted", ""},
	{"two steps back between routes", click("Two steps back"), "back to app.test/routes#/rinks from app.test/routes#!/news", ""},
	{"Forward between routes", steps(1), "forward to app.test/routes#/rinks/3?access_token=redacted from app.test/routes#/rinks", ""},
	{"typed route", typed("app.test/routes#!/news"), "app.test/routes#!/news typed", ""},
	{"reload of a route", func(w *walk) { w.u.must(w.hand.reload(w.u.tab), "reload") }, "app.test/routes#!/news reload", ""},
	{"typed address", typed("a.test/"), "a.test/ typed", ""},

	{"download", click("A file"), "", ""},
	{"link after a download", click("One"), "a.test/one link from a.test/", ""},
	{"Back", steps(-1), "back to a.test/ from a.test/one", ""},
	{"host that does not answer", func(w *walk) { click("Nobody there")(w); w.failed() }, "", ""},
	{"typed address after it", typed("a.test/"), "a.test/ typed", ""},

	{"two windows: a page in each", func(w *walk) { w.newWindow(); typed("b.test/")(w) }, "b.test/ typed", ""},
	{"link in the first window", func(w *walk) { w.swap(); click("One")(w) }, "a.test/one link from a.test/", ""},
	{"link in the second", func(w *walk) { w.swap(); click("Next")(w) }, "b.test/next link from b.test/", ""},
	{"Back in the first", func(w *walk) { w.swap(); steps(-1)(w) }, "back to a.test/ from a.test/one", ""},
	{"Back in the second", func(w *walk) { w.swap(); steps(-1)(w) }, "back to b.test/ from b.test/next", ""},
	{"close the second, go on in the first", func(w *walk) { w.leave(); click("Two")(w) }, "a.test/two link from a.test/", ""},
}

// typed types an address.
func typed(url string) func(w *walk) {
	return func(w *walk) {
		w.u.must(w.hand.typed(w.u.tab, "http://"+url), "type "+url)
		w.u.arrives("http://" + url)
	}
}

// click clicks a link or button.
func click(text string) func(w *walk) {
	return func(w *walk) { w.u.click("a, button", text) }
}

// fill writes into a field; "\n" sends its form.
func fill(field, text string) func(w *walk) {
	return func(w *walk) { w.u.write(field, text) }
}

// steps goes through the history by the browser.
func steps(n int) func(w *walk) {
	return func(w *walk) { w.u.must(w.hand.steps(w.u.tab, n), fmt.Sprint("go ", n)) }
}

// press clicks a link that opens a tab behind this one.
func press(text string, button int, control bool) func(w *walk) {
	return func(w *walk) {
		w.u.eventually("press "+text, func() error {
			at, err := locate(w.u.tab, target{Selector: "a", Text: text}, false)
			if err == nil {
				err = w.hand.press(w.u.tab, at, button, control)
			}
			return err
		})
	}
}

// goTo goes to a tab that was opened from this one.
func (w *walk) goTo(url string) {
	w.t.Helper()
	w.past = append(w.past, w.u)
	w.u = w.tab(url)
}

// newWindow opens a window.
func (w *walk) newWindow() {
	w.t.Helper()
	t, err := w.hand.window()
	w.u.must(err, "open a window")
	w.past = append(w.past, w.u)
	w.u = &user{t: w.t, tab: t, pictures: w.u.pictures}
}

// leave closes the tab and goes back to the one before.
func (w *walk) leave() {
	w.t.Helper()
	w.u.must(w.hand.closes(w.u.tab), "close the tab")
	w.u = w.past[len(w.past)-1].front()
	w.past = w.past[:len(w.past)-1]
}

// swap goes to the other window.
func (w *walk) swap() {
	w.t.Helper()
	last := len(w.past) - 1
	w.u, w.past[last] = w.past[last].front(), w.u
}

// failed waits until the browser says that it found no page.
func (w *walk) failed() {
	w.t.Helper()
	w.u.eventually("see that there is no page", func() error {
		// Firefox counts an address that is typed before its error page is there as typed for that page.
		var at string
		err := w.u.tab.Eval("document.documentURI", &at)
		if err == nil && !strings.HasPrefix(at, "about:neterror") && !strings.HasPrefix(at, "chrome-error:") {
			err = fmt.Errorf("at %q", at)
		}
		return err
	})
}
