package store

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"testing"

	"nightjar/daemon/store/settings"
)

func TestSettings(t *testing.T) {
	s := open(t)
	got, err := s.Settings(t.Context())
	if err != nil || !reflect.DeepEqual(got, settings.Default()) {
		t.Fatalf("a new store: %+v, %v", got, err)
	}
	good := got
	good.Night = settings.Window{Enabled: true, Start: "23:30", End: "05:00"}
	good.NeverRecord = []string{" Bank.example", "bank.example.", "10.0.0.1", "xn--bcher-kva.example"}
	good.Resolve, good.AllowPrivate = []string{"*.test=127.0.0.1:8080"}, []string{"192.168.1.0/24", "fd00::/8"}
	good.Delay, good.Contact = 0.5, "mailto:joe@example.org"
	ok(t, s.SaveSettings(t.Context(), good))
	got, err = s.Settings(t.Context())
	if want := []string{"10.0.0.1", "bank.example", "xn--bcher-kva.example"}; err != nil || !slices.Equal(got.NeverRecord, want) || got.Night != good.Night {
		t.Errorf("got %+v, %v", got, err)
	}
	bad := good
	bad.Delay = -1
	if err := s.SaveSettings(t.Context(), bad); !errors.Is(err, settings.ErrInvalid) {
		t.Errorf("%v, want ErrInvalid", err)
	}
	if now, err := s.Settings(t.Context()); err != nil || !reflect.DeepEqual(now, got) {
		t.Errorf("the refused settings were stored: %+v, %v", now, err)
	}
	var other string
	if ok, err := s.Setting(t.Context(), "nothing", &other); ok || err != nil {
		t.Errorf("a setting never set: %v, %v", ok, err)
	}
}

// TestOldSettings: settings of an earlier version that are gone are left out, in the list of changes, too. The others are as saved.
func TestOldSettings(t *testing.T) {
	s := open(t)
	old := json.RawMessage(`{"night":{"enabled":true,"start":"23:30","end":"05:00","zone":"Asia/Tokyo"},
		"budget":{"pages":77,"megabytes":8,"minutes":9,"per_host":5,"per_site":6},"stop_below":0,"strategy":"best-first-tfidf","second_share":10,
		"second_strategy":"random","delay":7,"contact":"me@example.org","gamma":0.7,"states":6,"never_record":["bank.example"],
		"resolve":["*.test=127.0.0.1:80"],"allow_private":["10.0.0.0/8"],"sitemaps":false,"on_mains":false,"unmetered":false,"disk_floor":2048,
		"archive":{"enabled":false,"days":7,"megabytes":70},"render":{"enabled":true,"pages":3},"weekly_backup":false,"read_pdfs":true,
		"workers":{"enabled":true,"listen":"127.0.0.1:9000","fetch_here":false}}`)
	want := settings.Settings{
		Night:    settings.Window{Enabled: true, Start: "23:30", End: "05:00", Zone: "Asia/Tokyo"},
		Budget:   settings.Budget{Pages: 77, Megabytes: 8, Minutes: 9, PerHost: 5, PerSite: 6},
		Strategy: "best-first-tfidf", SecondShare: 10, Second: "random", Delay: 7, Contact: "me@example.org", NeverRecord: []string{"bank.example"},
		Resolve: []string{"*.test=127.0.0.1:80"}, AllowPrivate: []string{"10.0.0.0/8"}, Archive: settings.Archive{Megabytes: 70},
		Render: settings.Render{Enabled: true}, ReadPDFs: true, Workers: settings.Workers{Enabled: true, Listen: "127.0.0.1:9000"},
	}
	ok(t, s.SetSetting(t.Context(), settingsKey, old))
	got, err := s.Settings(t.Context())
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("loaded %+v, %v", got, err)
	}
	got.Delay = 8
	ok(t, s.SaveSettings(t.Context(), got))
	changes, err := s.SettingsChanges(t.Context())
	if err != nil || len(changes) != 1 || len(changes[0].Fields) != 1 || changes[0].Fields[0].Field != "delay" {
		t.Errorf("changed %+v, %v", changes, err)
	}
	if now, err := s.Settings(t.Context()); err != nil || !reflect.DeepEqual(now, got) {
		t.Errorf("saved %+v, %v", now, err)
	}
}
