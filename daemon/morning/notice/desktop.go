package notice

import (
	"bytes"
	"context"
	_ "embed" // of the program
	"errors"
	"fmt"
	"html"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// desktopTime is the time after which a notifier that hangs is ended.
const desktopTime = 20 * time.Second

// toast is the program for PowerShell. It gets the texts by the environment, so that they are never part of a program.
//
//go:embed toast.ps1
var toast string

// notifier is a program that shows a notice, with the texts as arguments or in the environment, never in a command line
// that a shell reads.
type notifier struct {
	name string
	args []string
	env  []string
	fix  string // when the program is missing or fails
}

func notifierOf(system string, t Text) notifier {
	switch system {
	case "darwin":
		return notifier{name: "osascript", args: []string{"-e", "on run argv",
			"-e", `display notification (item 2 of argv) with title ("Nightjar: " & item 1 of argv)`, "-e", "end run", "--", t.Title, t.Body},
			fix: "allow notifications of Script Editor in the System Settings"}
	case "windows":
		return notifier{name: "powershell.exe", args: []string{"-NoProfile", "-NonInteractive", "-Command", toast},
			env: []string{"NIGHTJAR_NOTICE_TITLE=" + t.Title, "NIGHTJAR_NOTICE_BODY=" + t.Body},
			fix: "allow notifications in the Settings of Windows"}
	}
	// Notification servers read markup in the body (Desktop Notifications Specification, Markup).
	return notifier{name: "notify-send", args: []string{"--app-name=Nightjar", "--", "Nightjar: " + t.Title, html.EscapeString(t.Body)},
		fix: "install notify-send (the package libnotify-bin or libnotify), and run the daemon in your desktop session"}
}

// Desktop shows a notice by the notifier of the operating system. Its error is a Failure.
func Desktop(ctx context.Context, t Text) error {
	n := notifierOf(runtime.GOOS, t)
	ctx, cancel := context.WithTimeout(ctx, desktopTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, n.name, n.args...)
	cmd.Env = append(os.Environ(), n.env...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	switch {
	case err == nil:
		return nil
	case errors.Is(err, exec.ErrNotFound):
		return &Failure{fmt.Sprintf("the program %s was not found", n.name), n.fix}
	}
	text := strings.Join(strings.Fields(said.String()), " ")
	return &Failure{fmt.Sprintf("%s failed: %v %.200s", n.name, err, text), n.fix}
}
