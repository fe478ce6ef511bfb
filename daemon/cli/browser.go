package cli

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"nightjar/daemon/app"
)

// errOpen says that the browser was not opened.
var errOpen = errors.New("no browser could be opened")

// loginFolder is the folder in which a page has to be for the person's browser to read it.
func loginFolder(ctx context.Context, data string) string {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	var desktop string
	if runtime.GOOS == "linux" {
		out, _ := exec.CommandContext(ctx, "xdg-settings", "get", "default-web-browser").Output() // "" where it is not known
		desktop = strings.TrimSpace(string(out))
	}
	home, _ := os.UserHomeDir() // the same
	return app.LoginFolder(data, home, desktop)
}

// openerTime is how long the program that opens the browser may take to say that it cannot.
const openerTime = 2 * time.Second

// openFile opens a file in the person's browser. No link is ever opened: every user of the machine can read the arguments of a
// program.
func openFile(ctx context.Context, name string) error {
	opener, args := "xdg-open", []string{name}
	switch runtime.GOOS {
	case "darwin":
		opener = "open"
	case "windows":
		opener, args = "rundll32", []string{"url.dll,FileProtocolHandler", name}
	}
	cmd := exec.Command(opener, args...)
	if err := cmd.Start(); err != nil {
		return errors.Join(errOpen, err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			return errors.Join(errOpen, err)
		}
	case <-time.After(openerTime): // it is the browser itself
	case <-ctx.Done():
	}
	return nil
}
