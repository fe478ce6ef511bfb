package e2e

import (
	"fmt"
	"os"
	"path/filepath"

	"nightjar/daemon/cli/demo/demoweb"
)

// seesExtension checks that the folder named on the page is one that a browser can load.
func (j *job) seesExtension() {
	j.t.Helper()
	var path string
	j.board.must(j.board.tab.Eval(`document.querySelector("#extension-path").value`, &path), "read the path")
	if path != filepath.Join(j.d.data, "extension") {
		j.t.Errorf("the page names %s", path)
	}
	if _, err := os.Stat(filepath.Join(path, "manifest.json")); err != nil {
		j.t.Error(err)
	}
}

// short is the begin of a script, up to its third useful page.
func short(steps []demoweb.Step) []demoweb.Step {
	useful := 0
	for i, step := range steps {
		if step.Do == demoweb.Useful {
			useful++
		}
		if useful == 3 {
			return steps[:i+1]
		}
	}
	return steps
}

// shots takes pictures of a page at three widths, in light and dark, when pictures are asked for, and asks axe-core about a page of
// the extension, which no other test does.
func (j *job) shots(at *user, name string) {
	j.t.Helper()
	if os.Getenv("NIGHTJAR_SCREENSHOTS") == "" {
		return
	}
	for _, colours := range []string{"light", "dark"} {
		for _, width := range []int{360, 1280, 2560} {
			at.must(at.tab.View(width, 2000, colours), "set the window")
			at.look(fmt.Sprintf("%s-%d-%s", name, width, colours))
			if _, ok := at.tab.(*chromiumTab); ok && at != j.board {
				at.axe(j.t, fmt.Sprintf("%s, %d, %s", name, width, colours))
			}
		}
	}
	at.must(at.tab.View(1280, 900, "light"), "set the window")
}
