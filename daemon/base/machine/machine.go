package machine

import (
	"context"
	"sync"
	"time"
)

// Answer is yes, no or unknown.
type Answer int

// The answers. Unknown, the zero value, means that the machine does not report it.
const (
	Unknown Answer = iota
	Yes
	No
)

// State is the state of the machine at one moment.
type State struct {
	Battery Answer // it runs on battery power
	Metered Answer // its network is paid for by volume
	Free    int64  // bytes of disk that may be used, -1 when that is not known
	Size    int64  // bytes of the whole disk, -1 when that is not known
}

// Options say where the state is read. The zero value reads that of this machine.
type Options struct {
	Disk        string        // folder whose disk is meant; "" means the current one
	PowerSupply string        // "" means /sys/class/power_supply; Linux only
	SystemBus   string        // D-Bus address; "" means the machine's; Linux only
	Fresh       time.Duration // how long a look counts; 0 means 10 s, below 0 that each one is new
}

// lookTime is the time limit of one reading. A bus or command that takes longer makes the answer Unknown.
const lookTime = 2 * time.Second

// Machine reads the state of a machine. Make it with New; its methods may be called concurrently.
type Machine struct {
	o Options

	mu     sync.Mutex
	last   State
	looked time.Time // of the monotonic clock
}

// New makes a Machine.
func New(o Options) *Machine {
	if o.Disk == "" {
		o.Disk = "."
	}
	if o.PowerSupply == "" {
		o.PowerSupply = "/sys/class/power_supply"
	}
	if o.Fresh == 0 {
		o.Fresh = 10 * time.Second
	}
	return &Machine{o: o}
}

// State reads the state of the machine, or returns the last one while it is fresh.
func (m *Machine) State(ctx context.Context) State {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.looked.IsZero() && time.Since(m.looked) < m.o.Fresh {
		return m.last
	}
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	var s State
	s.Battery, s.Metered = onBattery(ctx, m.o), metered(ctx, m.o)
	s.Free, s.Size = disk(m.o.Disk)
	m.last, m.looked = s, time.Now()
	return s
}
