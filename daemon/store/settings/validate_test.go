package settings

import (
	"errors"
	"math"
	"testing"
)

func TestValidate(t *testing.T) {
	if err := Default().Validate(); err != nil {
		t.Fatalf("the defaults are wrong: %v", err)
	}
	good := Default()
	good.Night = Window{Enabled: true, Start: "23:30", End: "05:00", Zone: "Europe/Berlin"}
	good.NeverRecord = []string{"bank.example", "10.0.0.1", "xn--bcher-kva.example"}
	good.Resolve, good.AllowPrivate = []string{"*.test=127.0.0.1:8080"}, []string{"192.168.1.0/24", "fd00::/8"}
	good.Delay, good.Contact = 0.5, "mailto:joe@example.org"
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*Settings){
		"window times":       func(s *Settings) { s.Night.Start = "25:00" },
		"window form":        func(s *Settings) { s.Night.End = "6:00" },
		"window empty":       func(s *Settings) { s.Night.Start, s.Night.End = "06:00", "06:00" },
		"pages":              func(s *Settings) { s.Budget.Pages = -1 },
		"per host":           func(s *Settings) { s.Budget.PerHost = -1 },
		"strategy":           func(s *Settings) { s.Strategy = "guess" },
		"delay":              func(s *Settings) { s.Delay = -1 },
		"delay not a number": func(s *Settings) { s.Delay = math.NaN() },
		"delay of a day":     func(s *Settings) { s.Delay = 86400 },
		"contact":            func(s *Settings) { s.Contact = "a\r\nHost: evil" },
		"host with scheme":   func(s *Settings) { s.NeverRecord = []string{"https://bank.example"} },
		"host with path":     func(s *Settings) { s.NeverRecord = []string{"bank.example/x"} },
		"host with port":     func(s *Settings) { s.NeverRecord = []string{"bank.example:80"} },
		"host with blank":    func(s *Settings) { s.NeverRecord = []string{"bank example"} },
		"host with user":     func(s *Settings) { s.NeverRecord = []string{"joe@bank.example"} },
		"resolve":            func(s *Settings) { s.Resolve = []string{"*.test"} },
		"resolve address":    func(s *Settings) { s.Resolve = []string{"*.test=localhost:80"} },
		"range":              func(s *Settings) { s.AllowPrivate = []string{"192.168.1.1"} },
		"zone":               func(s *Settings) { s.Night.Zone = "Mars/Olympus" },
	} {
		bad := good
		spoil(&bad)
		var one *FieldError
		if err := bad.Normal().Validate(); !errors.Is(err, ErrInvalid) || !errors.As(err, &one) || one.Field == "" {
			t.Errorf("%s: %v, want a FieldError", name, err)
		}
	}
}
