package service

import (
	"context"
	"encoding/xml"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

// odd has the characters that systemd and XML read as something else.
var odd = Options{
	Program: "/home/ann/.local/bin/nightjar", Data: `/home/ann/my data 100% $HOME "q" <&> \`, Args: []string{"--listen", "127.0.0.1:4774"},
}

// Golden files that a person can compare with systemd.exec(5) and launchd.plist(5). `task test:service` runs the unit in a
// real systemd.
func TestGoldenDescriptions(t *testing.T) {
	for name, got := range map[string]string{
		"sandboxed.service": unit(odd, true), "plain.service": unit(odd, false), "nightjar.plist": agent(odd),
	} {
		path := "testdata/" + name
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// The property list gives back each word of the command line as it was.
func TestAgentKeepsArguments(t *testing.T) {
	var list struct {
		Words []string `xml:"dict>array>string"`
	}
	if err := xml.Unmarshal([]byte(agent(odd)), &list); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(append([]string{odd.Program}, arguments(odd)...), list.Words); diff != "" {
		t.Error(diff)
	}
}

// A line break would begin another option of the unit.
func TestNoOtherLines(t *testing.T) {
	for _, data := range []string{"/a\nExecStartPre=/bin/false", "/a\r", "/a\x00b", "/{{Name}}"} {
		if _, err := of(Options{Program: "/bin/nightjar", Data: data}, true); err == nil || !strings.Contains(err.Error(), "cannot be described") {
			t.Errorf("%q: %v", data, err)
		}
	}
}

// Run hands the context on, and returns what the daemon returned.
func TestRunServes(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Run(ctx, func(ctx context.Context) error { return ctx.Err() }); err != context.Canceled {
		t.Error(err)
	}
}
