package wordnet

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// adderVariable makes this test program add WordNets for ever: it names the data folder and the folders to add.
const adderVariable = "NIGHTJAR_TEST_ADDS"

func TestMain(m *testing.M) {
	if list := filepath.SplitList(os.Getenv(adderVariable)); len(list) == 3 {
		l := New(Options{Dir: list[0]})
		for i := 1; ; i = 3 - i {
			if err := l.Add(context.Background(), list[i]); err != nil {
				panic(err)
			}
			os.Stdout.WriteString("added\n")
		}
	}
	os.Exit(m.Run())
}

// TestKilled: a process that adds one WordNet after the other is killed at any moment. There is always one of the two, and
// the next addition removes what was left over.
func TestKilled(t *testing.T) {
	l, _ := library(t)
	other := copyTiny(t, t.TempDir(), "noun.exc")
	prints := map[string]bool{}
	for _, dir := range []string{other, tiny} {
		if err := l.Add(context.Background(), dir); err != nil {
			t.Fatal(err)
		}
		prints[l.Fingerprint()] = true
	}
	if len(prints) != 2 {
		t.Fatal("the two WordNets have the same fingerprint")
	}
	for i := range 25 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), adderVariable+"="+filepath.Dir(l.dir)+string(filepath.ListSeparator)+other+string(filepath.ListSeparator)+tiny)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if !bufio.NewScanner(out).Scan() {
			t.Fatal("the process added nothing")
		}
		time.Sleep(time.Duration(i) * 700 * time.Microsecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed
		if after := New(Options{Dir: filepath.Dir(l.dir)}); !prints[after.Fingerprint()] || after.State().From != FromData {
			t.Fatalf("after a kill: %+v", after.State())
		}
	}
	if err := l.Add(context.Background(), tiny); err != nil {
		t.Fatal(err)
	}
	if got := entriesOf(t, l.dir); len(got) != 3 {
		t.Errorf("the folder has %q, want an edition, its name and the lock", got)
	}
}
