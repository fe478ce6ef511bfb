package machine

import (
	"context"

	"github.com/godbus/dbus/v5"
)

// metered asks NetworkManager whether the connection that the machine uses is paid for by volume: its property Metered,
// an NMMetered of 1 yes, 2 no, 3 yes by its guess, 4 no by its guess, 0 unknown
// (https://networkmanager.dev/docs/api/latest/nm-dbus-types.html#NMMetered).
func metered(ctx context.Context, o Options) Answer {
	conn, err := systemBus(ctx, o.SystemBus)
	if err != nil {
		return Unknown
	}
	defer conn.Close()
	const manager = "org.freedesktop.NetworkManager"
	var value dbus.Variant
	err = conn.Object(manager, "/org/freedesktop/NetworkManager").
		CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", dbus.FlagNoAutoStart, manager, "Metered").Store(&value)
	if err != nil {
		return Unknown
	}
	switch n, _ := value.Value().(uint32); n {
	case 1, 3:
		return Yes
	case 2, 4:
		return No
	}
	return Unknown
}

// systemBus connects to the machine's own bus, or to the one at an address.
func systemBus(ctx context.Context, address string) (*dbus.Conn, error) {
	if address == "" {
		return dbus.ConnectSystemBus(dbus.WithContext(ctx))
	}
	return dbus.Connect(address, dbus.WithContext(ctx))
}
