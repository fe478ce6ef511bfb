package api

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Described is one path of the API in words, from the OpenAPI document.
type Described struct {
	Path    string // with Base
	Summary string
	Params  []DescribedParam
}

// DescribedParam is a parameter in words.
type DescribedParam struct {
	Name, Text string
	Required   bool
}

// Describe returns the paths in the order of the table, as the OpenAPI document describes them.
func Describe() ([]Described, error) {
	type param struct {
		Ref         string `json:"$ref"`
		Name, In    string
		Description string
		Required    bool
		Schema      struct {
			Enum    []string
			Minimum *int
			Maximum *int
			Default any
		}
	}
	var doc struct {
		Paths map[string]struct {
			Get struct {
				Summary    string
				Parameters []param
			}
		}
		Components struct{ Parameters map[string]param }
	}
	if err := json.Unmarshal(Document, &doc); err != nil {
		return nil, fmt.Errorf("read the description of the API: %w", err)
	}
	var all []Described
	for _, one := range routes {
		in, ok := doc.Paths[one.path]
		if !ok {
			return nil, fmt.Errorf("the description of the API lacks %s", one.path)
		}
		d := Described{Path: Base + one.path, Summary: in.Get.Summary}
		for _, p := range in.Get.Parameters {
			if p.Ref != "" {
				p = doc.Components.Parameters[strings.TrimPrefix(p.Ref, "#/components/parameters/")]
			}
			if p.In != "query" {
				continue
			}
			text := p.Description
			if len(p.Schema.Enum) > 0 {
				text += " One of: " + strings.Join(p.Schema.Enum, ", ") + "."
			}
			if p.Schema.Maximum != nil {
				text += fmt.Sprintf(" At most %d, otherwise %v.", *p.Schema.Maximum, p.Schema.Default)
			}
			d.Params = append(d.Params, DescribedParam{p.Name, text, p.Required})
		}
		slices.SortStableFunc(d.Params, func(a, b DescribedParam) int {
			switch {
			case a.Required == b.Required:
				return 0
			case a.Required:
				return -1
			}
			return 1
		})
		all = append(all, d)
	}
	return all, nil
}
