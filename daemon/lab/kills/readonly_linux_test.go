package kills

import (
	"strings"
	"testing"
)

// TestSickReadOnly starts a daemon in a data folder whose disk is mounted read-only. It waits and says what is wrong, as the doctor
// does; it changes nothing, and starts when the disk can be written again. A disk that a program has files to write open on
// cannot be mounted so: the system refuses it.
func TestSickReadOnly(t *testing.T) {
	needSick(t)
	template := fullFolder(t)
	const words = "Nightjar may not write to its data folder"
	d := newDisk(t, 96)
	data := d.put(template)
	before := rowsOf(t, data)
	d.remount(true)
	l := serve(t, plan{}, data)
	soon(l, "it says what is wrong", func() bool { return strings.Contains(l.out.String(), words) || !l.alive() })
	if !l.alive() {
		t.Fatalf("the program ended by itself: %v\n%s", l.cmd.ProcessState, l.out)
	}
	if said := doctorSays(t, data); !strings.Contains(said, "Nothing can be written to "+data+": read-only file system") {
		t.Errorf("the doctor says:\n%s", said)
	}
	d.remount(false)
	if !l.ready() {
		t.Fatal("the program ended by itself")
	}
	l.well(data, login(t, l), words)
	l.stop()
	whole(t, data)
	same(t, "the rows", rowsOf(t, data), before)
}
