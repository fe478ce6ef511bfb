package dashboard

import (
	"encoding/json"
	"os"
	"testing"

	"nightjar/daemon/lab/alone"
	"nightjar/daemon/lab/verb"
)

func TestMain(m *testing.M) { os.Exit(alone.Tests(m).Run()) }

// TestSmall measures a small database, which has no maps and hardly any finds: every page answers.
func TestSmall(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a database")
	}
	code, out, errs := verb.Call(t.Context(), Command, nil, "--pages", "2000", "--links", "3", "--addresses", "1", "--requests", "2", "--json")
	if code != 0 {
		t.Fatal(errs)
	}
	var r result
	if err := json.Unmarshal([]byte(out), &r); err != nil || len(r.Routes) < 40 {
		t.Fatalf("%d routes, %v", len(r.Routes), err)
	}
	for _, one := range r.Routes {
		if one.Status != 200 || one.Bytes == 0 || one.P95 <= 0 {
			t.Errorf("%+v", one)
		}
	}
}
