package ingest

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/cli/demo/client"
	"nightjar/daemon/store"
)

// lockEnv makes the test binary hold the database at its value until its input ends.
const lockEnv = "NIGHTJAR_TEST_LOCK"

func TestMain(m *testing.M) {
	if path := os.Getenv(lockEnv); path != "" {
		if err := holdLock(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m) // no goroutine is left when the tests have ended
}

// holdLock takes the database for itself, says so, and gives it back when its input ends.
func holdLock(path string) error {
	db, err := sql.Open("sqlite", store.FileURL(path)+"?_pragma=busy_timeout(5000)")
	if err != nil {
		return err
	}
	defer db.Close()
	conn, err := db.Conn(context.Background())
	if err != nil {
		return err
	}
	if _, err := conn.ExecContext(context.Background(), "BEGIN EXCLUSIVE"); err != nil {
		return err
	}
	fmt.Println("locked")
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	_, err = conn.ExecContext(context.Background(), "COMMIT")
	return err
}

// TestLockedDatabase: while another program holds the database, nothing is acknowledged, the connection stays and reading goes
// on; afterwards every event is stored once. NIGHTJAR_LOCKS names other times in seconds, such as 1,5,30.
func TestLockedDatabase(t *testing.T) {
	times := os.Getenv("NIGHTJAR_LOCKS")
	if times == "" {
		times = "1"
	}
	for text := range strings.SplitSeq(times, ",") {
		seconds := must(strconv.Atoi(text))(t)
		t.Run(text+" s", func(t *testing.T) { lockedFor(t, time.Duration(seconds)*time.Second) })
	}
}

func lockedFor(t *testing.T, hold time.Duration) {
	d := newDaemon(t)
	who := d.mustPair(t, "0190f6c4-1111-4000-8000-000000000001", chromeOrigin)
	c := d.mustConnect(t, who, client.Options{})
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), lockEnv+"="+d.store.Path())
	cmd.Stderr = os.Stderr
	release, ierr := cmd.StdinPipe()
	out, oerr := cmd.StdoutPipe()
	if ierr != nil || oerr != nil {
		t.Fatal(ierr, oerr)
	}
	ok(t, cmd.Start())
	defer func() { _ = cmd.Process.Kill() }() // it has ended, unless the test failed
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "locked\n" {
		t.Fatalf("the other program says %q, %v", line, err)
	}
	events := evening(maker(1, who.Client), 8)
	sent := make(chan error, 1)
	go func() { sent <- c.Send(within(t, hold+time.Minute), events...) }()
	select {
	case err := <-sent:
		t.Fatalf("acknowledged while nothing can be stored, %v", err)
	case <-c.Done():
		t.Fatalf("the connection ended: %v", c.Err())
	case <-time.After(hold):
	}
	if _, err := topics.List(t.Context(), d.store.DB); err != nil {
		t.Errorf("reading: %v", err)
	}
	ok(t, release.Close())
	ok(t, cmd.Wait())
	if err := <-sent; err != nil {
		t.Fatalf("after the lock: %v", err)
	}
	newest := must(sessions.Newest(t.Context(), d.store.DB, who.Client))(t)
	stored, err := sessions.Events(t.Context(), d.store.DB, newest.ID)
	if err != nil || len(stored) != len(events) {
		t.Errorf("%d of %d events are stored, %v", len(stored), len(events), err)
	}
}
