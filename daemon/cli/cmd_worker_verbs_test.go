package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/work"
	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/workers/broker/join"
)

// TestWorkerVerbs invites a worker of a running daemon, lists it and revokes it.
func TestWorkerVerbs(t *testing.T) {
	dir := t.TempDir()
	serveApp(t, app.Config{Data: dir})
	var out, errs bytes.Buffer
	call := func(want int, args ...string) string {
		t.Helper()
		out.Reset()
		errs.Reset()
		env := &command.Env{Stdout: &out, Stderr: &errs, Getenv: os.Getenv}
		if code := program().Run(t.Context(), env, append(append([]string{"worker"}, args...), "--data", dir)); code != want {
			t.Fatalf("worker %q: exit %d, want %d: %s%s", args, code, want, out.String(), errs.String())
		}
		return out.String()
	}
	if got := call(0, "list"); !strings.Contains(got, "switched off") || !strings.Contains(got, "nightjar worker invite NAME") {
		t.Errorf("without workers: %s", got)
	}
	invite, err := join.Parse([]byte(call(0, "invite", "attic")))
	if err != nil || invite.Name != "attic" {
		t.Errorf("what is printed is no invitation: %v", err)
	}
	if !strings.Contains(errs.String(), "switched off at present") {
		t.Errorf("that workers are switched off is not said: %s", errs.String())
	}
	name := filepath.Join(dir, "cellar.invitation")
	if got := call(0, "invite", "cellar", "--out", name); got != "" {
		t.Errorf("with --out it prints %q", got)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v %v", info, err)
	}
	if i, err := join.ReadFile(name); err != nil || i.Name != "cellar" {
		t.Errorf("the file is no invitation: %v", err)
	}
	call(1, "invite", "attic")
	if !strings.Contains(errs.String(), "choose another") {
		t.Errorf("a name that is taken: %s", errs.String())
	}
	call(1, "invite", "loft", "--out", name) // the file is there
	call(1, "invite", "a.b", "--out", filepath.Join(dir, "bad.invitation"))
	if _, err := os.Stat(filepath.Join(dir, "bad.invitation")); err == nil {
		t.Error("a refused invitation leaves a file")
	}
	var list workersList
	if err := json.Unmarshal([]byte(call(0, "list", "--json")), &list); err != nil {
		t.Fatal(err)
	}
	if len(list.Workers) != 2 || list.Workers[0].Name != "attic" || list.Workers[0].State != work.StateInvited || list.On {
		t.Errorf("listed are %+v", list)
	}
	if got := call(0, "revoke", "attic"); !strings.Contains(got, "attic was revoked") {
		t.Error(got)
	}
	if got := call(0, "list"); !strings.Contains(got, "attic            revoked") {
		t.Errorf("after it was revoked: %s", got)
	}
	call(1, "revoke", "nobody")
	if !strings.Contains(errs.String(), "worker list") {
		t.Errorf("a worker that is not there: %s", errs.String())
	}
	call(2, "invite")
	call(2, "revoke", "a", "b")
}

func TestWorkerVerbsWithoutDaemon(t *testing.T) {
	var out, errs bytes.Buffer
	env := &command.Env{Stdout: &out, Stderr: &errs, Getenv: os.Getenv}
	if code := program().Run(t.Context(), env, []string{"worker", "list", "--data", t.TempDir()}); code != 1 || !strings.Contains(errs.String(), "nightjar serve") {
		t.Errorf("exit %d: %s", code, errs.String())
	}
}

// What workers say is printed on lines of their own, without control characters.
func TestWorkersArePrinted(t *testing.T) {
	a := &app.WorkersAnswer{Broker: work.BrokerStatus{On: true, Address: "0.0.0.0:4775"}, Status: work.Status{Workers: []work.WorkerStatus{
		{Name: "attic", State: work.StateReady, Program: "1\x1b[31m", Pages: 1, Rate: 2.25, Running: 3, Since: time.Unix(9, 0)},
		{Name: "old", State: work.StateRefused, Refused: "update\nit", Trouble: "x\ry"},
	}}}
	var b strings.Builder
	if err := printWorkers(&b, a); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	want := "Workers connect to 0.0.0.0:4775.\nattic            connected  1 page, 2.2 pages/s, 3 tasks, version 1"
	if !strings.HasPrefix(got, want) || strings.ContainsAny(got, "\x1b\r") || strings.Count(got, "\n") != 5 {
		t.Errorf("printed: %q", got)
	}
}
