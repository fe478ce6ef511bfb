package strategy

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"nightjar/model"
	"nightjar/model/webgraph"
)

// linkTexts are those of the links to pages of each state in linkedBundle.
var linkTexts = []string{"season results", "results", "overview", "overview archive"}

// linkedBundle is a model whose links between visited pages have texts.
func linkedBundle(t *testing.T) *model.Bundle {
	b := mustCopy(t, "hmm")
	b.Lessons.Links = []model.LinkLesson{{From: 0, To: -1, Link: webgraph.Link{URL: "https://a.test/never", Anchor: "unvisited"}}}
	for _, e := range b.Edges {
		to := b.Pages[e[1]]
		b.Lessons.Links = append(b.Lessons.Links, model.LinkLesson{From: e[0], To: e[1], Link: webgraph.Link{URL: to.URL, Anchor: linkTexts[to.State]}})
	}
	return b
}

// TestHMMObservesLinks recomputes with plain sums what the text of a link says of the state behind it, before and after the page
// there is read.
func TestHMMObservesLinks(t *testing.T) {
	b := linkedBundle(t)
	s, err := New(t.Context(), "hmm", b)
	if err != nil {
		t.Fatal(err)
	}
	n := len(b.Initial)
	links := make([]float64, n)
	for _, e := range b.Edges {
		links[b.Pages[e[1]].State]++
	}
	stems := map[string][]int{"season": {0}, "results": {0, 1}, "overview": {2, 3}, "archive": {3}} // and the states that have them
	if links[3] == 0 {
		delete(stems, "archive")
	}
	said := func(words ...string) []float64 {
		e := make([]float64, n)
		for j := range e {
			e[j] = 1
			for _, w := range words {
				total, has := float64(len(stems)), 1.0
				for word, states := range stems {
					if slices.Contains(states, j) {
						total += links[j]
						if word == w {
							has += links[j]
						}
					}
				}
				e[j] *= has / total
			}
		}
		return e
	}
	v := visit("recipe oven", 4)
	v.Start = true
	for i, text := range []string{"Season results", "results", "overview", "unvisited"} {
		v.Page.Links[i].Anchor = text
	}
	j := mustRead(s, v)
	predicted := b.HMM().Predict(j.States)
	scaled := func(p, e []float64) []float64 {
		out, sum := make([]float64, n), 0.0
		for k := range out {
			out[k] = p[k] * e[k]
			sum += out[k]
		}
		for k := range out {
			out[k] /= sum
		}
		return out
	}
	for i, behind := range [][]float64{scaled(predicted, said("season", "results")), scaled(predicted, said("results")), scaled(predicted, said("overview")), predicted} {
		if want := model.ExpectedValue(behind); math.Abs(float64(j.Priorities[i][0])/fineSteps-want) > 1e-6 {
			t.Errorf("link %d has the value %v, want %v", i, j.Priorities[i], want)
		}
	}
	if j.Notes[3] != nil {
		t.Error("a link of unknown words says something")
	}
	child := visit("university campus", 1)
	child.Parent, child.Note = j.Path, j.Notes[1]
	read := mustRead(s, child)
	if want := scaled(scaled(predicted, said("results")), b.Observe("university campus").Emission); !near(read.States, want) {
		t.Errorf("the page behind the link has the states %v, want %v", read.States, want)
	}
	for _, bad := range [][]byte{{1}, pathOf([]float64{1, 2}), pathOf([]float64{math.NaN(), 1, 1, 1}), pathOf([]float64{-1, 1, 1, 1})} {
		child.Note = nil
		without := mustRead(s, child)
		if child.Note = bad; !reflect.DeepEqual(mustRead(s, child), without) {
			t.Errorf("note %v is read", bad)
		}
	}
}

func near(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < 1e-9 })
}

// TestHMMWithoutLinkTexts: a model whose session has none reads pages only, like hmm-soft.
func TestHMMWithoutLinkTexts(t *testing.T) {
	v := visit("recipe oven", 3)
	v.Start = true
	if with, soft := mustRead(mustNew(t, "hmm"), v), mustRead(mustNew(t, "hmm-soft"), v); !reflect.DeepEqual(with, soft) {
		t.Errorf("%v, want %v", with, soft)
	}
}
