package app

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"nightjar/daemon/base/command"
)

// TestTaken: the error names the program on the port as far as that can be told, and a port that is free.
func TestTaken(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	server := func(text string) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, text, http.StatusUpgradeRequired) }))
		t.Cleanup(s.Close)
		return s.Listener.Addr().String()
	}
	for addr, who := range map[string]string{
		silent.Addr().String():                        "taken by another program",
		server("hello"):                               "taken by another web server",
		server("Nightjar: the extension connects..."): "taken by another Nightjar",
	} {
		_, err := listen(net.Listen, addr)
		if err == nil || !strings.Contains(err.Error(), who) {
			t.Errorf("got %v, want %q", err, who)
		}
		if process := strconv.Itoa(os.Getpid()); runtime.GOOS == "linux" && !strings.Contains(err.Error(), "process "+process+")") {
			t.Errorf("%v does not name this process, %s", err, process)
		}
		found := regexp.MustCompile(`--listen (127\.0\.0\.1:\d+) `).FindStringSubmatch(command.Hint(err))
		if found == nil {
			t.Fatalf("hint %q names no port", command.Hint(err))
		}
		l, err := listen(net.Listen, found[1])
		if err != nil {
			t.Errorf("the port of the hint: %v", err)
			continue
		}
		l.Close()
	}
}
