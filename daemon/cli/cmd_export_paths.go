package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"nightjar/crawler/feature"
	"nightjar/daemon/base/command"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/store"
	"nightjar/model"
	"nightjar/model/ways"
)

// pathLine is a path as it is written: a line of JSON. Links has one entry less than Pages.
type pathLine struct {
	Kind     ways.Kind   `json:"kind"`
	Positive bool        `json:"positive"`
	M        float64     `json:"m"`
	Tree     string      `json:"tree"`
	Pages    []pathPage  `json:"pages"`
	Links    []pathLink  `json:"links"`
	Labels   []pathLabel `json:"labels"`
}

type pathPage struct {
	URL   string `json:"url"`
	Title string `json:"title"`
}

type pathLink struct {
	Anchor   string `json:"anchor"`
	Position int    `json:"position"`
}

type pathLabel struct {
	Name string `json:"name,omitempty"`
	Hop  int    `json:"hop"`
}

// exportPaths writes the paths of a topic. The heading sets do not matter, since they only show in features.
func exportPaths(ctx context.Context, w io.Writer, st *store.Store, topic string) error {
	t, err := exportedTopic(ctx, st, topic)
	if err != nil {
		return err
	}
	paths, err := trainer.ReadPaths(ctx, st, t.ID, feature.DefaultSets())
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return writePaths(w, paths)
}

// filePaths writes the paths of session files.
func (o *exportOptions) filePaths(ctx context.Context, env *command.Env) error {
	recs, err := session.ReadFiles(o.files)
	if err != nil {
		return err
	}
	paths, err := trainer.Paths(ctx, recs, nil, nil, feature.DefaultSets(), model.DefaultSettings().States)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	var text strings.Builder
	if err := writePaths(&text, paths); err != nil {
		return err
	}
	return o.put(env, text.String())
}

func writePaths(w io.Writer, paths []ways.Path) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false) // a person reads it
	for _, p := range paths {
		line := pathLine{Kind: p.Kind, Positive: p.Positive, M: p.Count, Tree: p.Tree, Links: []pathLink{}}
		for i, s := range p.Steps {
			line.Pages = append(line.Pages, pathPage{s.URL, s.Title})
			line.Labels = append(line.Labels, pathLabel{s.Name, s.Hop})
			if i > 0 {
				line.Links = append(line.Links, pathLink{s.Anchor, s.Position})
			}
		}
		if err := e.Encode(line); err != nil {
			return fmt.Errorf("export paths: %w", err)
		}
	}
	return nil
}
