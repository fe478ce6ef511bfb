package machine

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestOnBattery reads folders that are laid out like those of machines: "SUPPLY/FILE=VALUE", one a word.
func TestOnBattery(t *testing.T) {
	for _, tt := range []struct {
		name, files string
		want        Answer
	}{
		{"desktop", "", Unknown},
		{"laptop on mains", "AC/type=Mains AC/online=1 BAT0/type=Battery BAT0/status=Charging", No},
		{"mains, and the battery drains all the same", "AC/type=Mains AC/online=1 BAT0/type=Battery BAT0/status=Discharging", No},
		{"laptop on battery", "AC/type=Mains AC/online=0 BAT0/type=Battery BAT0/present=1 BAT0/status=Discharging", Yes},
		{"two batteries, one in use", "BAT0/type=Battery BAT0/status=Unknown BAT1/type=Battery BAT1/status=Discharging", Yes},
		{"USB charger", "usb/type=USB usb/online=1 BAT0/type=Battery BAT0/status=Charging", No},
		{"charger whose voltage is set", "usb/type=USB usb/online=2", No},
		{"telephone at the port", "usb/type=USB usb/online=1 BAT0/type=Battery BAT0/status=Discharging", Yes},
		{"kept from charging", "BAT0/type=Battery BAT0/status=Full", No},
		{"battery of a mouse", "hid/type=Battery hid/scope=Device hid/status=Discharging", Unknown},
		{"empty bay", "BAT1/type=Battery BAT1/present=0 BAT1/status=Discharging", Unknown},
		{"UPS", "ups/type=UPS ups/status=Discharging", Yes},
		{"nothing that can be read", "odd/name=x", Unknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, file := range strings.Fields(tt.files) {
				name, value, _ := strings.Cut(file, "=")
				mustWrite(t, filepath.Join(dir, name), value+"\n")
			}
			if got := New(Options{PowerSupply: dir}).State(t.Context()).Battery; got != tt.want {
				t.Errorf("on battery: %v, want %v", got, tt.want)
			}
		})
	}
	if got := New(Options{PowerSupply: filepath.Join(t.TempDir(), "none")}).State(t.Context()).Battery; got != Unknown {
		t.Errorf("without the folder: %v", got)
	}
}
