// Package service makes the daemon a service of one person: it starts at login and again after a crash. On Linux it is a
// unit of the person's systemd with a sandbox, on macOS an agent of launchd, on Windows a service that runs as the person.
package service

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/kardianos/service"
)

// Name is the name of the service.
const Name = "nightjar"

// Options say what the service runs.
type Options struct {
	Program string   // path of the program
	Data    string   // data folder
	Args    []string // further arguments of "serve"

	// On Windows: the account that the service runs as, DOMAIN\NAME, and its password, which only the system keeps.
	Account, Password string
}

// State is what the system says of the service.
type State struct {
	System    string `json:"system"`         // "linux-systemd", "darwin-launchd", "windows-service"
	File      string `json:"file,omitempty"` // that describes the service; "" on Windows
	Installed bool   `json:"installed"`
	Running   bool   `json:"running"`
	Problem   string `json:"problem,omitempty"` // why it does not run though it should
}

// Errors of Install and Uninstall.
var (
	ErrUnsupported  = errors.New("this system has no service manager that Nightjar knows")
	ErrNotInstalled = errors.New("the service is not installed")
)

// errSandbox says that the system cannot make the sandbox.
var errSandbox = errors.New("this system cannot make the sandbox")

// Install installs and starts the service, or replaces it with one that has other options. sandboxed is false when the system
// cannot restrict the service: on other systems than Linux, and where a person may not make namespaces.
func Install(ctx context.Context, o Options) (sandboxed bool, err error) {
	if err := supported(); err != nil {
		return false, err
	}
	if err := Uninstall(); err != nil && !errors.Is(err, ErrNotInstalled) {
		return false, fmt.Errorf("replace the service: %w", err)
	}
	if runtime.GOOS != "linux" {
		return false, install(o, false)
	}
	if err = install(o, true); err == nil {
		err = started(ctx)
	}
	if !errors.Is(err, errSandbox) {
		return err == nil, err
	}
	if err := Uninstall(); err != nil {
		return false, err
	}
	if err := install(o, false); err != nil {
		return false, err
	}
	return false, started(ctx)
}

// install writes the description of the service, and starts it now and at each login.
func install(o Options, sandbox bool) error {
	s, err := of(o, sandbox)
	if err != nil {
		return err
	}
	if err := s.Install(); err != nil {
		return fmt.Errorf("install the service: %w", err)
	}
	if err := s.Start(); err != nil && !sandbox { // with a sandbox, started finds out why
		return fmt.Errorf("start the service: %w", err)
	}
	return nil
}

// Uninstall stops the service and removes it. The data stays.
func Uninstall() error {
	if err := supported(); err != nil {
		return err
	}
	now, err := Status()
	if err != nil {
		return err
	}
	if !now.Installed {
		return ErrNotInstalled
	}
	s, err := of(Options{}, false)
	if err != nil {
		return err
	}
	if err := s.Stop(); err != nil && now.Running {
		return fmt.Errorf("stop the service: %w", err)
	}
	if err := s.Uninstall(); err != nil {
		return fmt.Errorf("remove the service: %w", err)
	}
	return nil
}

// Status asks the system for the state of the service.
func Status() (State, error) {
	if err := supported(); err != nil {
		return State{}, err
	}
	s, err := of(Options{}, false)
	if err != nil {
		return State{}, err
	}
	now := State{System: s.Platform()}
	if now.File, err = file(); err != nil {
		return now, err
	}
	status, err := s.Status()
	now.Running = status == service.StatusRunning
	now.Installed = !errors.Is(err, service.ErrNotInstalled)
	if now.File != "" {
		_, missing := os.Lstat(now.File)
		now.Installed = missing == nil // a manager that does not answer says that nothing is installed
	}
	switch {
	case !now.Installed:
		now.File = ""
	case err != nil:
		now.Problem = err.Error()
	}
	return now, nil
}

// file returns the path of the file that describes the service; "" on Windows, which keeps it in the registry.
func file() (string, error) {
	if runtime.GOOS == "windows" {
		return "", nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "LaunchAgents", Name+".plist"), nil
	}
	return filepath.Join(home, ".config", "systemd", "user", Name+".service"), nil
}

// supported returns ErrUnsupported where the service would have to run as root.
func supported() error {
	switch service.Platform() {
	case "linux-systemd", "darwin-launchd", "windows-service":
		return nil
	}
	return ErrUnsupported
}

// of describes the service to the system.
func of(o Options, sandbox bool) (service.Service, error) {
	for _, text := range append([]string{o.Program, o.Data}, o.Args...) {
		if strings.Contains(text, "{{") || strings.ContainsAny(text, "\n\r\x00") {
			return nil, fmt.Errorf("a service cannot be described with %q", text)
		}
	}
	return service.New(nil, &service.Config{
		Name: Name, DisplayName: "Nightjar",
		Description: "Nightjar learns from your browsing and looks for useful pages at night",
		Executable:  o.Program, Arguments: arguments(o), UserName: o.Account,
		Option: service.KeyValue{
			"UserService": true, "RunAtLoad": true, "SystemdScript": unit(o, sandbox), "LaunchdConfig": agent(o),
			"Password": o.Password, "DelayedAutoStart": true, "OnFailure": "restart", "OnFailureDelayDuration": "5s",
		},
	})
}

// arguments are those of the program. The output goes to a log that others may read, so no link to log in is in it.
func arguments(o Options) []string {
	return append([]string{"serve", "--no-link", "--data", o.Data}, o.Args...)
}

// started returns errSandbox when systemd could not start the program within its sandbox, and another error when the
// program ended.
func started(ctx context.Context) error {
	text, err := exec.CommandContext(ctx, "systemctl", "--user", "show", Name+".service", "--property=ExecMainStatus,ActiveState,Result").Output()
	if err != nil {
		return fmt.Errorf("ask systemd for the service: %w", err)
	}
	is := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		is[name] = value
	}
	// systemd.exec(5), "Process Exit Codes": a part of the sandbox that could not be made has a code from 200 on.
	switch code := is["ExecMainStatus"]; {
	case len(code) == 3 && code[0] == '2':
		return errSandbox
	case is["ActiveState"] != "active":
		return fmt.Errorf("the service does not run: %s, exit code %s", is["Result"], code)
	}
	return nil
}

// Run runs serve until it ends. On Windows, when the service manager started this process, it answers the manager
// meanwhile, and ends serve when the manager stops the service.
func Run(ctx context.Context, serve func(context.Context) error) error {
	if runtime.GOOS != "windows" || service.Interactive() {
		return serve(ctx)
	}
	m := &managed{ctx: ctx, serve: serve}
	s, err := service.New(m, &service.Config{Name: Name})
	if err != nil {
		return err
	}
	return errors.Join(s.Run(), m.err)
}

// managed runs serve for the manager of services of Windows.
type managed struct {
	ctx    context.Context
	serve  func(context.Context) error
	cancel context.CancelFunc
	done   chan struct{}
	err    error // of serve, after done
}

// Start returns at once, as the manager asks.
func (m *managed) Start(s service.Service) error {
	ctx, cancel := context.WithCancel(m.ctx)
	m.cancel, m.done = cancel, make(chan struct{})
	go func() {
		defer close(m.done)
		if m.err = m.serve(ctx); ctx.Err() == nil {
			_ = s.Stop() // it ended by itself; the manager reads the error from the event log
		}
	}()
	return nil
}

// Stop ends serve and waits for it.
func (m *managed) Stop(service.Service) error {
	m.cancel()
	<-m.done
	return nil
}
