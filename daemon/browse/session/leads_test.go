package session

import (
	"maps"
	"testing"

	"nightjar/daemon/browse/protocol"
)

func TestLeads(t *testing.T) {
	steps := []Step{
		{Load: "1", How: protocol.HowTyped, URL: "start"},
		{Load: "2", From: "1", How: protocol.HowLink, URL: "list"},
		{Load: "3", From: "2", How: protocol.HowNewTab, URL: "a", Useful: true},
		{Load: "4", From: "2", How: protocol.HowLink, URL: "b", Useful: true},
		{Load: "5", From: "4", How: protocol.HowLink, URL: "list"},
		{Load: "6", From: "5", How: protocol.HowLink, URL: "a", Useful: true}, // again: it counts once
		{Load: "7", From: "1", How: protocol.HowTyped, URL: "c", Useful: true},
		{Load: "8", From: "7", How: protocol.HowForm, URL: "set"},
		{Load: "9", From: "8", How: protocol.KindFrame, URL: "d", Useful: true},
		{Load: "x", From: "y", How: protocol.HowLink, URL: "e", Useful: true}, // a circle
		{Load: "y", From: "x", How: protocol.HowLink, URL: "f"},
		{Load: "z", From: "gone", How: protocol.HowLink, URL: "g", Useful: true},
	}
	want := map[string]int{"start": 2, "list": 2, "b": 1, "c": 1, "set": 1, "f": 1}
	if got := Leads(steps); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := Leads(nil); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}
