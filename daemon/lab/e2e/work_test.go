package e2e

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// Operator times of the keystroke-level model in seconds: Card, Moran and Newell, The Keystroke-Level Model for User
// Performance Time with Interactive Systems, CACM 23(7), 1980, figure 1.
const (
	keyTime   = .28 // K: a key, by a person who types 40 words a minute
	clickTime = .2  // K: a mouse button, pressed and released
	pointTime = 1.1 // P
	homeTime  = .4  // H: the hand from the mouse to the keyboard, or back
	thinkTime = 1.35
	readTime  = 60. / 238 // a word read silently: Brysbaert, Journal of Memory and Language 109, 2019; not part of the model
)

// work is what a person does for a task. Its methods do nothing on nil.
type work struct {
	clicks, keys, words int
	pages, texts        int // pages looked at; texts typed
	waited              time.Duration
	began               time.Time
}

func (w *work) click() {
	if w != nil {
		w.clicks++
	}
}

// press counts a text that is typed, or a key.
func (w *work) press(text string) {
	if w != nil {
		w.keys += len([]rune(text))
		w.texts++
	}
}

// wait counts the time since a moment in which the person could only wait for the machine.
func (w *work) wait(since time.Time) {
	if w != nil {
		w.waited += time.Since(since)
	}
}

// person is how many seconds a person takes for the work: for a click M P K, for a text typed M H K…K H, and for reading.
func (w *work) person() (acting, reading float64) {
	acting = float64(w.clicks)*(thinkTime+pointTime+clickTime) + float64(w.texts)*(thinkTime+2*homeTime) + float64(w.keys)*keyTime
	return acting, float64(w.words) * readTime
}

// reads counts the words of what is read on the page, each selector's, once they are there.
func (u *user) reads(selectors ...string) {
	u.t.Helper()
	u.work.pages++
	for _, s := range selectors {
		var words int
		u.eventually("read "+s, func() error {
			if words = len(strings.Fields(u.read(s))); words == 0 {
				return errors.New("there is nothing to read")
			}
			return nil
		})
		u.work.words += words
	}
}

// task begins to count anew, does something, and writes down what it took.
func (u *user) task(name string, do func()) {
	u.t.Helper()
	*u.work = work{began: time.Now()}
	do()
	acting, reading := u.work.person()
	line := fmt.Sprintf("%-34s %3d clicks %4d keys %4d words %2d pages; machine %5.1f s of %5.1f s; person %4.0f s acting, %4.0f s reading",
		name, u.work.clicks, u.work.keys, u.work.words, u.work.pages, u.work.waited.Seconds(), time.Since(u.work.began).Seconds(), acting, reading)
	u.t.Log(line)
}

// TestOperators: the estimate of two clicks and a word of four letters.
func TestOperators(t *testing.T) {
	var w work
	w.click()
	w.click()
	w.press("tide")
	w.words = 238
	if acting, reading := w.person(); fmt.Sprintf("%.2f %.0f", acting, reading) != "8.57 60" {
		t.Errorf("%.2f s, %.0f s", acting, reading)
	}
	(*work)(nil).click()
}
