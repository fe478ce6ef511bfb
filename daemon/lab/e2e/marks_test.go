package e2e

import (
	"errors"
	"testing"
)

// TestWrongFindCorrected goes through the list of finds of the demonstration: a find is marked by a key, the echo says what
// that changed, undoing takes it back; then several are selected and marked at once, and one press takes them all back. In
// the end a round of questions is begun.
func TestWrongFindCorrected(t *testing.T) {
	t.Parallel()
	d := startDemo(t)
	first := &user{t: t, pictures: newPictures("marks")}
	board := first.open(startBoard(t))
	board.address(d.login)
	board.sees(".scripted h1", "Finds") // with the scripts at work
	finds := d.number("SELECT count(*) FROM finds")
	if finds < 4 {
		t.Fatalf("the demonstration has %d finds", finds)
	}
	none := func(doing string) {
		t.Helper()
		d.holds(doing, "0", "SELECT count(*) FROM finds WHERE mark <> 'none'")
	}

	board.keys("jx")
	board.sees("#echo", "Marked Not useful")
	board.sees("#echo", "Tidal power")
	board.sees("#echo", "first 10 links")
	board.look("marks-echo")
	d.holds("the mark is stored", "1", "SELECT count(*) FROM finds WHERE mark = 'not-useful'")
	board.keys("z")
	board.seesNoMore("Marked Not useful")
	none("the mark is taken back")

	board.keys("c")
	var gone bool
	board.must(board.tab.Eval(`document.activeElement.blur() ?? document.activeElement === document.body`, &gone), "leave the list")
	if !gone {
		t.Fatal("the find kept the focus")
	}
	board.keys("JJ") // keys go on from the find that had the focus
	board.sees("#bulk", "3 selected")
	board.look("marks-selected")
	board.keys("l")
	board.sees("#echo", "Saved for later: 3 finds")
	d.holds("three finds are put off", "3", "SELECT count(*) FROM finds WHERE mark = 'later'")
	board.address(board.url()) // what can be undone survives it
	board.sees("#echo", "Saved for later: 3 finds")
	board.keys("z")
	board.seesNoMore("Saved for later")
	none("all three are taken back")

	board.keys("jb")
	board.sees("#echo", "Never again")
	board.keys("z")
	board.seesNoMore("Never again")
	d.holds("the site is allowed again", "0", "SELECT count(*) FROM refused")
	board.eventually("what was on the screen counts as seen", func() error {
		if d.number("SELECT count(*) FROM finds WHERE seen_at IS NOT NULL") == 0 {
			return errors.New("no find is seen")
		}
		return nil
	})

	board.click(".run h2 a", "teach it")
	board.sees("h1", "Teach")
	if board.read("#teach .question") == "" {
		board.click("#teach button", "Find pages")
	}
	board.sees("#teach .question", "Useful")
	board.look("teach")
	board.keys("u")
	board.sees("#teach", "1 of")
	board.keys("z")
	board.sees("#teach", "0 of")
	none("the answer is taken back")
}
