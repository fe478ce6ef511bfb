package crfsuite

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"nightjar/model/crf"
)

// format names what a model file holds.
const format = "nightjar crfsuite 1"

// field is a model with its names, as a file holds it.
type field struct {
	Format string
	C2     float64
	Labels []string // label y is Labels[y]; sorted
	Page   []string // features of pages, sorted
	Link   []string // features of links, sorted
	Model  *crf.Model
}

// name collects the names of a training set.
func name(set []sequence) *field {
	f := &field{Format: format}
	for _, s := range set {
		for i, it := range s.Items {
			f.Labels = append(f.Labels, it.Label)
			f.Page = append(f.Page, it.Page...)
			if i > 0 {
				f.Link = append(f.Link, it.Link...)
			}
		}
	}
	for _, names := range []*[]string{&f.Labels, &f.Page, &f.Link} {
		slices.Sort(*names)
		*names = slices.Compact(*names)
	}
	return f
}

// number turns a sequence into numbers. known is false when it has a label that the field lacks, whose number is then -1.
// Features that the field lacks are left out.
func (f *field) number(s sequence) (q crf.Sequence, known bool) {
	q, known = crf.Sequence{Count: s.Weight}, true
	for _, it := range s.Items {
		y := find(f.Labels, it.Label)
		known = known && y >= 0
		q.Labels = append(q.Labels, y)
		q.Steps = append(q.Steps, crf.Step{Page: numbers(f.Page, it.Page), Link: numbers(f.Link, it.Link)})
	}
	return q, known
}

func numbers(all, names []string) (n []int32) {
	for _, name := range names {
		if at := find(all, name); at >= 0 {
			n = append(n, int32(at))
		}
	}
	return n
}

// find is the place of a name, -1 for none.
func find(all []string, name string) int {
	if at, ok := slices.BinarySearch(all, name); ok {
		return at
	}
	return -1
}

func (f *field) save(path string) error {
	b, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(b, '\n'), 0o644)
}

func load(path string) (*field, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f := &field{}
	if err := json.Unmarshal(b, f); err != nil || f.Format != format || f.Model == nil {
		return nil, fmt.Errorf("%s is not a model that \"crfsuite train --model\" wrote", path)
	}
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("%s is damaged, train it again: %w", path, err)
	}
	return f, nil
}

func (f *field) check() error {
	if err := f.Model.Validate(); err != nil {
		return err
	}
	for _, part := range []struct {
		what  string
		names []string
		want  int
	}{
		{"labels", f.Labels, f.Model.Labels},
		{"page features", f.Page, f.Model.Pages.Rows()},
		{"link features", f.Link, f.Model.Links.Rows()},
	} {
		if len(part.names) != part.want || !slices.IsSorted(part.names) {
			return fmt.Errorf("%d names of %s for %d, or not sorted", len(part.names), part.what, part.want)
		}
	}
	return nil
}
