package e2e

const stepName = "team page"

// milestone calls the page in front by a name in the popup, first by a wrong one, which is taken back.
func (j *job) milestone() {
	j.t.Helper()
	const names = "SELECT coalesce(group_concat(coalesce(body ->> '$.name', '-'), ', '), '') FROM (SELECT body FROM events WHERE type = 'label' ORDER BY seq)"
	j.reader.front()
	j.popup.front().sees("#milestone-facts", "A name for pages")
	j.popup.write("#milestone", "wrong")
	j.popup.click("#milestone-form button", "Save")
	j.popup.sees("#milestone-facts", "wrong")
	j.popup.look("popup-milestone")
	j.popup.click("#milestone-form button", "Undo")
	j.popup.sees("#milestone-facts", "A name for pages")
	j.popup.write("#milestone", " team  page")
	j.popup.click("#milestone-form button", "Save")
	j.popup.sees("#milestone-facts", stepName)
	j.d.holds("the page has a name", "wrong, -, "+stepName, names)
	j.reader.front().seesBar(stepName)
	j.reader.look("bar-milestone")
}

// nameInDashboard finds the name of the page in the dashboard, gives it to another page and takes that back.
func (j *job) nameInDashboard() {
	j.t.Helper()
	j.board.front().click("nav a", "Topics")
	j.board.click("nav a", "Sessions")
	j.board.sees("nav [aria-current]", "Sessions")
	j.board.click("table a", j.topic)
	j.board.sees("h2", "Web graph")
	j.board.click(".rows-parts a:last-child", "") // where the last page is
	j.board.sees(".name-it", stepName)
	j.board.click(".rows-parts a:first-child", "")
	j.board.click("#page-2 .name-it", "")
	j.board.write("#page-2 .naming input[type=text]", "club")
	j.board.look("dashboard-naming")
	j.board.click("#page-2 .naming button", "Save")
	j.board.sees(".banner", "is now a milestone")
	j.board.sees("#page-2 .name-it", "club")
	j.board.click("nav a", "Topics")
	j.board.sees("#milestones", "club")
	j.board.sees("#milestones", stepName)
	j.board.click("#milestones li:nth-child(2) summary", "Change")
	j.board.look("dashboard-milestones")
	j.board.click("#milestones form.undo button", "Undo")
	j.board.sees(".banner", "Undone")
	j.d.holds("what was done last is undone", "name undo", "SELECT group_concat(action, ' ') FROM (SELECT action FROM milestones ORDER BY id)")
}
