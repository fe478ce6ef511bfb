//go:build !race

package pages

import (
	"fmt"
	"strings"
	"testing"

	"nightjar/daemon/lab/webtest"
)

// TestSteps follows the way by the links that the step buttons are without a script.
func TestSteps(t *testing.T) {
	s := seed(t)
	d := s.Page(t, "/sessions/"+s.Session)
	all := len(strings.Fields(d.Find(".web-pages").AttrOr("data-steps", "")))
	seen := map[string]bool{}
	for n := 1; n <= all; n++ {
		next, _, _ := strings.Cut(d.Find("[data-step=forward]").AttrOr("href", ""), "#")
		d = s.Page(t, next)
		says := webtest.Text(d.Find("#web-step"))
		if !strings.HasPrefix(says, fmt.Sprintf("Step %d of %d: ", n, all)) || seen[says] {
			t.Fatalf("step %d says %q", n, says)
		}
		seen[says] = true
		if d.Find(".web-pages a.now").Length() != 1 || d.Find(".web-lines .now").AttrOr("d", "") == "" {
			t.Fatalf("step %d is not drawn", n)
		}
		back := strings.Contains(says, ": back from")
		if curved := strings.Contains(d.Find(".web-lines .now").AttrOr("d", ""), "q"); curved != back {
			t.Errorf("step %d: %q is drawn as %q", n, says, d.Find(".web-lines .now").AttrOr("d", ""))
		}
	}
	if s.Page(t, "/sessions/"+s.Session+"?step=9999").Find(".web-pages a.now").Length() != 0 {
		t.Error("a step that is not there is shown")
	}
}
