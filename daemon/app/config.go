package app

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"nightjar/daemon/base/command"
)

// Config is the part of a daemon's configuration that comes from the command line and the environment. Everything else is
// a setting in the store.
type Config struct {
	Data         string   // data folder
	Listen       string   // loopback address and port; port 0 takes a free one
	Resolve      []string // 'PATTERN=ADDR:PORT', added to those of the settings
	AllowPrivate []string // CIDRs, added to those of the settings
	FillDisk     bool     // crawls go on when little disk space is free
	AsRoot       bool     // root may run it; see AsRoot for the environment
	Workers      int      // fetches in flight per crawl; 0 means the scheduler's default, 1 makes a crawl repeatable
	WorkerFlags  WorkerFlags
	Network      Network // of simulations; the zero value is the machine's

	faults   []string // of the database, found by the daemon before this one
	restarts bool     // Serve opens the daemon again when a backup was confirmed
}

// Network is a network in memory. Its functions are those of package net; Dial is for the addresses that Resolve gives.
type Network struct {
	Listen func(network, address string) (net.Listener, error)
	Dial   func(ctx context.Context, network, address string) (net.Conn, error)
}

// DataFlags declares the flags that every command on a data folder has.
func (c *Config) DataFlags(f *flag.FlagSet) {
	f.StringVar(&c.Data, "data", "", "data folder `DIR` (default $NIGHTJAR_DATA or $XDG_DATA_HOME/nightjar)")
	f.BoolVar(&c.AsRoot, "as-root", false, "run although you are root, as in a container without another user (or NIGHTJAR_AS_ROOT=1)")
}

// DefaultListen is where the extension looks for the daemon.
const DefaultListen = "127.0.0.1:4774"

// Complete fills in what the command line does not set, from the environment and the defaults, and checks the result. A wrong
// --listen is a usage error.
func (c *Config) Complete(getenv func(string) string) error {
	if c.Data == "" {
		c.Data = getenv("NIGHTJAR_DATA")
	}
	if c.Data == "" {
		home := getenv("XDG_DATA_HOME")
		if home == "" {
			user, err := os.UserHomeDir()
			if err != nil {
				return command.WithHint(fmt.Errorf("find a data folder: %w", err), "name one with --data DIR")
			}
			home = filepath.Join(user, ".local", "share")
		}
		c.Data = filepath.Join(home, "nightjar")
	}
	abs, err := filepath.Abs(c.Data)
	if err != nil {
		return fmt.Errorf("data folder %s: %w", c.Data, err)
	}
	c.Data = abs
	// A daemon that serves the folder, such as a demonstration, was allowed to; its commands need not be allowed again.
	if err := refuseRoot(c.AsRoot || getenv(AsRoot) == "1" || Running(c.Data)); err != nil {
		return err
	}
	if err := c.validate(); err != nil {
		return err
	}
	return c.WorkerFlags.check()
}

// validate refuses any address but a loopback one: nobody else may reach the daemon.
func (c *Config) validate() error {
	if c.Listen == "" {
		c.Listen = DefaultListen
	}
	host, _, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return badListen(c.Listen, err.Error())
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return badListen(c.Listen, "nightjar listens on loopback addresses only")
	}
	return nil
}

func badListen(address, problem string) error {
	return command.UsageHint("--listen "+address+": "+problem, "for example --listen "+DefaultListen)
}
