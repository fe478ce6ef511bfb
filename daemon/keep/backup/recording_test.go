package backup

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/store"
)

// TestBackupWhileRecording: a backup that is made while 200 events a second are stored has all events up to some moment, none
// after it, and each as it is in the database. NIGHTJAR_BACKUPS names another number of backups than 3.
func TestBackupWhileRecording(t *testing.T) {
	rounds := 3
	if text := os.Getenv("NIGHTJAR_BACKUPS"); text != "" {
		var err error
		if rounds, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	st, err := store.Open(t.Context(), filepath.Join(folder(t, "Old"), Database))
	must(t, err)
	defer st.Close()
	m := sessiontest.NewMaker(5, at)
	stop, ended := make(chan struct{}), make(chan error, 1)
	ingest := func(e protocol.Event) error {
		one, err := session.Admit(e, nil)
		if err == nil {
			_, err = sessions.Ingest(t.Context(), st, []session.Event{one})
		}
		return err
	}
	must(t, ingest(m.Start("Curling")))
	go func() {
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for n := 0; ; n++ {
			select {
			case <-stop:
				ended <- nil
				return
			case <-tick.C:
			}
			if err := ingest(m.Visit(fmt.Sprintf("http://ice.test/%d", n), "A page", protocol.HowLink, "")); err != nil {
				ended <- err
				return
			}
		}
	}()
	var files []string
	for n := range rounds {
		var out bytes.Buffer
		must(t, Write(t.Context(), &out, st, Options{Program: "test", Now: at}))
		name := filepath.Join(t.TempDir(), strconv.Itoa(n)+Suffix)
		must(t, os.WriteFile(name, out.Bytes(), 0o600))
		files = append(files, name)
	}
	close(stop)
	must(t, <-ended)
	all := eventsOf(t, st)
	for _, name := range files {
		dir := t.TempDir()
		_, err := Stage(t.Context(), name, dir, at)
		must(t, err)
		_, err = Apply(dir)
		must(t, err)
		restored, err := store.Open(t.Context(), filepath.Join(dir, Database))
		must(t, err)
		got := eventsOf(t, restored)
		must(t, errors.Join(restored.Check(t.Context()), restored.Close()))
		if len(got) == 0 || len(got) > len(all) || !reflect.DeepEqual(got, all[:len(got)]) {
			t.Errorf("a backup has %d events, which are not the first of %d", len(got), len(all))
		}
	}
}

func eventsOf(t *testing.T, st *store.Store) []protocol.Event {
	t.Helper()
	all, err := sessions.Events(t.Context(), st.DB, 1)
	must(t, err)
	return all
}
