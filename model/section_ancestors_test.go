package model

import (
	"bytes"
	"reflect"
	"testing"
)

// tinyAncestors lead to the first page of tiny(), the second by the first.
func tinyAncestors() []Ancestor {
	return []Ancestor{
		{Key: 1 << 63, Words: Words{Index: []int32{0, 1}, Count: []int32{2, 1}}, Links: []int{0}},
		{Key: 7, Links: []int{1, len(tiny().Pages)}},
	}
}

func TestAncestorsRoundTrip(t *testing.T) {
	b := full()
	raw := mustEncode(t, b)
	got, err := Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Ancestors) != 2 || !reflect.DeepEqual(got.Ancestors, b.Ancestors) || !bytes.Equal(mustEncode(t, got), raw) {
		t.Errorf("got %+v, want %+v", got.Ancestors, b.Ancestors)
	}
	if b := mustReport(t, full(), tiny().Report).WithWays(nil, "none"); len(b.Ancestors) != 2 {
		t.Error("a report or ways drop the ancestors")
	}
	if b := full().WithAncestors(nil); len(b.Ancestors) > 0 || bytes.Equal(mustEncode(t, b), raw) {
		t.Errorf("%+v", b.Ancestors)
	}
}

// TestAncestorsAreChecked: a model whose ancestors link to what is not there, or have words that it lacks, is refused.
func TestAncestorsAreChecked(t *testing.T) {
	pages := len(tiny().Pages)
	for name, a := range map[string][]Ancestor{
		"itself":   {{Links: []int{pages}}},
		"beyond":   {{Links: []int{pages + 1}}},
		"negative": {{Links: []int{-1}}},
		"words":    {{Words: Words{Index: []int32{1 << 20}, Count: []int32{1}}}},
		"too many": make([]Ancestor, MaxAncestors+1),
	} {
		if b := tiny().WithAncestors(a); b.Validate() == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := tiny().WithAncestors(make([]Ancestor, MaxAncestors)).Validate(); err != nil {
		t.Error(err)
	}
}
