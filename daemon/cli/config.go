package cli

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
)

// Config is what the command line and the environment say of a daemon; everything else is a setting in the store.
type Config struct {
	Data         string   // data folder
	Listen       string   // loopback address and port; port 0 takes a free one
	Resolve      []string // 'PATTERN=ADDR:PORT', added to the settings' own
	AllowPrivate []string // CIDRs, added to the settings' own
	Verbose      bool
	Workers      int // fetches a crawl has in flight; 0 takes the scheduler's own number. One makes a crawl repeatable
}

// DefaultListen is where the extension looks for the daemon.
const DefaultListen = "127.0.0.1:4774"

// flags declares the flags that every command working on a data folder has.
func (c *Config) dataFlag(f *flag.FlagSet) {
	f.StringVar(&c.Data, "data", "", "`DIR` that holds everything (default $NIGHTJAR_DATA or $XDG_DATA_HOME/nightjar)")
}

// serveFlags declares the flags of a daemon.
func (c *Config) serveFlags(f *flag.FlagSet) {
	c.dataFlag(f)
	f.StringVar(&c.Listen, "listen", DefaultListen, "loopback `ADDR:PORT` to serve on")
	f.Var(listFlag{values: &c.Resolve}, "resolve", "`PATTERN=ADDR:PORT`: crawl hosts that match at this address (*.test=127.0.0.1:8080)")
	f.Var(listFlag{values: &c.AllowPrivate}, "allow-private", "`CIDR` of private addresses that may be crawled")
	f.BoolVar(&c.Verbose, "verbose", false, "log more; may name pages you visited")
}

// complete fills in what the command line left open, from the environment and the defaults.
func (c *Config) complete(getenv func(string) string) error {
	if c.Data == "" {
		c.Data = getenv("NIGHTJAR_DATA")
	}
	if c.Data == "" {
		home := getenv("XDG_DATA_HOME")
		if home == "" {
			user, err := os.UserHomeDir()
			if err != nil {
				return withHint(fmt.Errorf("find a data folder: %w", err), "name one with --data DIR")
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
	return c.validate()
}

// validate refuses any address but a loopback one: nobody else may reach the daemon.
func (c *Config) validate() error {
	if c.Listen == "" {
		c.Listen = DefaultListen
	}
	host, _, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return &usageError{text: fmt.Sprintf("--listen %s: %v", c.Listen, err), hint: "for example --listen " + DefaultListen}
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return &usageError{
			text: fmt.Sprintf("--listen %s: %v", c.Listen, errors.New("nightjar listens on loopback addresses only")),
			hint: "for example --listen " + DefaultListen,
		}
	}
	return nil
}
