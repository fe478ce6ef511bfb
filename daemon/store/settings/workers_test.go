package settings

import (
	"errors"
	"slices"
	"testing"
)

func TestWorkers(t *testing.T) {
	if w := Default().Workers; w.Enabled || !w.FetchHere {
		t.Errorf("by default workers are %+v, want off", w)
	}
	for _, good := range []Workers{
		{Enabled: true, Listen: "0.0.0.0:4775"},
		{Listen: "[::]:4775", Address: "fd00::5", TLS: "/etc/nightjar/tls"},
		{Listen: " 127.0.0.1:1 ", Address: "home.example.org:9000"},
		{Broker: "nats://a,b:4222, c.example", Login: "/etc/daemon.creds"},
		{Broker: "tls://10.0.0.1:4222"},
	} {
		all := Default()
		all.Workers = good
		if err := all.Normal().Validate(); err != nil {
			t.Errorf("%+v: %v", good, err)
		}
	}
	for field, bad := range map[string][]Workers{
		"workers_listen":  {{Listen: "4775"}, {Listen: "localhost:4775"}, {Listen: "0.0.0.0:0"}, {Listen: "0.0.0.0:99999"}},
		"workers_address": {{Address: "a b"}, {Address: "https://a"}, {Address: "a:0"}, {Address: "a/b"}},
		"workers_tls":     {{TLS: "tls"}, {TLS: "/a\nb"}},
		"workers_login":   {{Login: "daemon.creds"}},
		"workers_broker":  {{Broker: "a:4222"}, {Broker: "http://a"}, {Broker: "nats://joe:secret@a"}, {Broker: "nats://"}, {Broker: "nats://a,,b"}, {Broker: "nats://a,http://b"}},
	} {
		for _, w := range bad {
			all := Default()
			all.Workers = w
			var one *FieldError
			if err := all.Normal().Validate(); !errors.As(err, &one) || one.Field != field {
				t.Errorf("%+v: %v, want a problem of %s", w, err, field)
			}
		}
	}
	got := Workers{Broker: "nats://a, b:1,tls://c"}.Servers()
	if want := []string{"nats://a", "nats://b:1", "tls://c"}; !slices.Equal(got, want) {
		t.Errorf("servers are %q, want %q", got, want)
	}
	if got := (Workers{}).Servers(); got != nil {
		t.Errorf("no broker has the servers %q", got)
	}
}
