package render

import (
	"errors"
	"fmt"
	"os/exec"
	"runtime"
)

// ErrNoBrowser says that no suitable browser is installed.
var ErrNoBrowser = errors.New("rendering pages needs Chromium, Chrome or Edge, and none was found")

// names are the names and paths of Chromium and its relatives, by operating system; the empty key is for all others.
var names = map[string][]string{
	"darwin": {
		"/Applications/Chromium.app/Contents/MacOS/Chromium",
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
		"/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
	},
	"windows": {
		"chrome", `C:\Program Files\Google\Chrome\Application\chrome.exe`, `C:\Program Files (x86)\Google\Chrome\Application\chrome.exe`,
		"msedge", `C:\Program Files\Microsoft\Edge\Application\msedge.exe`, `C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`,
	},
	"": {
		"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge", "microsoft-edge-stable",
		"/opt/google/chrome/chrome", "/usr/lib/chromium/chromium", "/snap/bin/chromium",
	},
}

// Find returns the path of an installed Chromium, Chrome or Edge. The error wraps ErrNoBrowser.
func Find() (string, error) {
	list := names[runtime.GOOS]
	if list == nil {
		list = names[""]
	}
	for _, name := range list {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	for _, name := range []string{"firefox", "firefox-esr", "/Applications/Firefox.app/Contents/MacOS/firefox"} {
		if _, err := exec.LookPath(name); err == nil {
			return "", fmt.Errorf("%w: Firefox is here, but its access to the network cannot be blocked; install Chromium, or switch rendering off", ErrNoBrowser)
		}
	}
	return "", fmt.Errorf("%w: install Chromium, or switch rendering off", ErrNoBrowser)
}
