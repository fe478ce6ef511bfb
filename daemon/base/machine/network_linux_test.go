package machine

import (
	"bufio"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/prop"
)

// mustBus starts a bus of the test's own and returns its address.
func mustBus(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("dbus-daemon")
	if err != nil {
		t.Skip("dbus-daemon is not installed")
	}
	socket := filepath.Join(t.TempDir(), "bus")
	cmd := exec.Command(program, "--session", "--nofork", "--nopidfile", "--print-address", "--address=unix:path="+socket)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the bus did not start: %v", err)
	}
	return strings.TrimSpace(line)
}

// TestMetered asks a bus on which somebody answers as NetworkManager does.
func TestMetered(t *testing.T) {
	address := mustBus(t)
	m := New(Options{SystemBus: address, Fresh: -1})
	if got := m.State(t.Context()).Metered; got != Unknown {
		t.Errorf("without NetworkManager: %v", got)
	}
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const manager = "org.freedesktop.NetworkManager"
	values := prop.Map{manager: {"Metered": {Value: uint32(0), Emit: prop.EmitFalse}}}
	served, err := prop.Export(conn, "/org/freedesktop/NetworkManager", values)
	if err != nil {
		t.Fatal(err)
	}
	if reply, err := conn.RequestName(manager, dbus.NameFlagDoNotQueue); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatalf("take the name: %v, %v", reply, err)
	}
	for value, want := range []Answer{Unknown, Yes, No, Yes, No, Unknown} {
		served.SetMust(manager, "Metered", uint32(value))
		if got := m.State(t.Context()).Metered; got != want {
			t.Errorf("Metered = %d: %v, want %v", value, got, want)
		}
	}
	if got := New(Options{SystemBus: "unix:path=/nonexistent"}).State(t.Context()).Metered; got != Unknown {
		t.Errorf("without a bus: %v", got)
	}
}
