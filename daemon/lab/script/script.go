// Package script runs test scripts, in which the programs are used as a person would at a terminal: the files in testdata/script
// of a package read like a session. See testscript for their language, and Commands for what they can do besides.
package script

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"nightjar/daemon/app"
	"nightjar/daemon/cli"
	"nightjar/daemon/lab/alone"
	lab "nightjar/daemon/lab/cli"
	"nightjar/daemon/lab/effort"
)

// Main is the TestMain of a package with scripts: it lets them start the programs nightjar and lab.
func Main(m *testing.M) {
	testscript.Main(alone.Tests(m), map[string]func(){
		"nightjar": func() { os.Exit(cli.Main(os.Args[1:])) },
		"lab":      func() { os.Exit(lab.Main(os.Args[1:])) },
	})
}

// Run runs the scripts in testdata/script, side by side, but not under -short: they use the whole program. They find no WordNet of
// this computer; $TINY is a made-up one.
func Run(t *testing.T, tiny string) {
	effort.Long(t)
	tiny, err := filepath.Abs(tiny)
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("TINY", tiny)
			env.Setenv(app.AsRoot, "1")
			env.Setenv("XDG_DATA_DIRS", env.WorkDir)
			return nil
		},
		Cmds: Commands(),
	})
}

// Commands are what scripts can do besides running programs, by name.
func Commands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"madeup": madeUp, "serveweb": serveWeb, "record": record, "shorten": shorten, "exits": exits, "alter": alter, "object": object,
		"putbyte": putByte, "library": library, "awaits": awaits, "cite": cite, "searxng": searXNG, "scan": scan,
	}
}
