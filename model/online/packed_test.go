package online

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"nightjar/model/text"
)

// packedJudge is a judge after some pages and marks, in its packed form.
func packedJudge(t *testing.T) (*Judge, []byte) {
	t.Helper()
	rng := rand.New(rand.NewPCG(6, 1))
	j := learned(t, bundle())
	for i := range 30 {
		j.Add(j.Page(text.English, fmt.Sprintf("https://a.test/page/%d", i), "Hockey rink", bundle().Words(prose(rng, i%3)+" "+prose(rng, 0))))
		if i%4 == 0 {
			j.Mark(fmt.Sprintf("https://a.test/page/%d", i), Mark(i%3))
		}
	}
	if err := j.Retrain(context.Background()); err != nil {
		t.Fatal(err)
	}
	var o Out
	j.Pack(&o)
	return j, o.B
}

// TestPackedJudge: a judge that was packed is the same number for number.
func TestPackedJudge(t *testing.T) {
	j, raw := packedJudge(t)
	in := &In{b: raw}
	again := NewJudge(bundle(), host)
	if err := errors.Join(again.SetState(again.ReadJudge(in)), in.Err()); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again.State(), j.State()) {
		t.Error("another judge came out")
	}
}

// TestHostileBytes: bytes that were cut or changed are an error or another state, and never a crash.
func TestHostileBytes(t *testing.T) {
	_, raw := packedJudge(t)
	for cut := 0; cut < len(raw); cut += 1 + cut/50 {
		in := &In{b: raw[:cut]}
		j := NewJudge(bundle(), host)
		if err := errors.Join(j.SetState(j.ReadJudge(in)), in.Err()); err == nil {
			t.Fatalf("%d of %d bytes were read", cut, len(raw))
		}
	}
	rng := rand.New(rand.NewPCG(6, 2))
	for range 500 {
		b := slices.Clone(raw)
		for range 1 + rng.IntN(3) {
			b[rng.IntN(len(b))] = byte(rng.IntN(256))
		}
		in := &In{b: b}
		j := NewJudge(bundle(), host)
		s := j.ReadJudge(in)
		if errors.Join(in.Err(), j.SetState(s)) == nil {
			j.Uncertain(3)
			j.Pack(&Out{})
		}
	}
}
