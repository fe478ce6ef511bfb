package communities

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"nightjar/crawler/texts"
	"nightjar/daemon/panorama/document"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/panorama/trainingset"
)

// reading is a document that was read.
type reading struct {
	src  Source
	read *document.Document
}

// readings are documents of one map, without copies.
type readings []reading

// readAll reads documents. The error of one of several says which it is of. It is document.ErrNoTitles, with what was read, when none has
// titles.
func (m *Maker) readAll(ctx context.Context, sources []Source) (all readings, err error) {
	titles, keys := false, map[string]bool{}
	for _, src := range sources {
		if src.Body == nil {
			if src, err = m.download(ctx, src); err != nil {
				return nil, of(sources, src, err)
			}
		}
		read, err := document.Read(ctx, src.Body, document.Options{TitlePerLine: src.TitlePerLine, Base: src.URL})
		switch {
		case errors.Is(err, document.ErrNoTitles):
			if len(sources) > 1 {
				read.Warnings = append(read.Warnings, document.Warning{What: document.ErrNoTitles.What, Next: document.ErrNoTitles.Next})
			}
		case err != nil:
			return nil, of(sources, src, err)
		default:
			titles = true
		}
		if key := keyOf(src); !keys[key] {
			keys[key] = true
			all = append(all, reading{src, read})
		}
	}
	if !titles {
		return all, document.ErrNoTitles
	}
	return all, nil
}

// of names the source of a problem when there are several.
func of(sources []Source, src Source, err error) error {
	if p, ok := errors.AsType[*document.Problem](err); ok && len(sources) > 1 {
		return &document.Problem{What: quoted(src) + ": " + p.What, Next: p.Next}
	}
	return err
}

func quoted(src Source) string { return "“" + sourceOf(src) + "”" }

// together makes one document of all. Titles that more of them name stand first ([PANORAMA] §2), so that these are looked for when not all
// can be; the titles of several documents are titles in the whole. Addresses follow.
func (all readings) together() (doc maps.Document, titles []string, facts maps.ReadDocument) {
	first := all[0]
	if len(all) == 1 {
		doc = maps.Document{Key: keyOf(first.src), Title: titleOf(first.read, first.src), Source: sourceOf(first.src)}
		return doc, append(listed(first.read), addressesOf(first.read)...), factsOf(first.read, first.src)
	}
	named := map[string]int{} // by title in small letters: documents that name it
	var keys, sources, addresses []string
	for _, one := range all {
		read := one.read
		own := map[string]bool{}
		for _, title := range append([]string{read.Title}, listed(read)...) {
			key := strings.ToLower(title)
			if key == "" || own[key] {
				continue
			}
			if own[key] = true; named[key] == 0 {
				titles = append(titles, title)
			}
			named[key]++
		}
		addresses = append(addresses, addressesOf(read)...)
		keys, sources = append(keys, keyOf(one.src)), append(sources, sourceOf(one.src))
		more := factsOf(read, one.src)
		if facts.Kind == "" || facts.Kind == more.Kind {
			facts.Kind = more.Kind
		} else {
			facts.Kind = KindSeveral
		}
		facts.URLs, facts.DOIs = append(facts.URLs, more.URLs...), append(facts.DOIs, more.DOIs...)
		for _, w := range more.Warnings {
			w.What = quoted(one.src) + ": " + w.What
			facts.Warnings = append(facts.Warnings, w)
		}
	}
	slices.SortStableFunc(titles, func(a, b string) int {
		return cmp.Compare(named[strings.ToLower(b)], named[strings.ToLower(a)])
	})
	for _, n := range named {
		if n > 1 {
			facts.Shared++
		}
	}
	slices.Sort(keys)
	hash := sha256.Sum256([]byte(strings.Join(keys, "\n")))
	facts.Documents = len(all)
	facts.Named = document.Clean(fmt.Sprintf("%s and %s", titleOf(first.read, first.src), texts.Count(len(all)-1, "more document", "more documents")))
	doc = maps.Document{Key: "several:" + hex.EncodeToString(hash[:]), Title: facts.Named, Source: document.Clean(strings.Join(sources, ", "))}
	return doc, cleanTitles(append(titles, addresses...)), facts
}

// KindSeveral is maps.ReadDocument.Kind of documents of different kinds that were read together.
const KindSeveral = "several"

// listed are the titles of the references of a document.
func listed(read *document.Document) (all []string) {
	for _, r := range read.References {
		all = append(all, r.Title)
	}
	return all
}

// addressesOf lists the addresses of references, those of DOIs included, each once. Longer ones than a title may be are left out.
func addressesOf(read *document.Document) (all []string) {
	for _, r := range read.References {
		doi := ""
		if r.DOI != "" {
			doi = "https://doi.org/" + r.DOI
		}
		for _, address := range []string{r.URL, doi} {
			if url, ok := trainingset.Address(address); ok && len(url) <= document.MaxTitle && !slices.Contains(all, url) {
				all = append(all, url)
			}
		}
	}
	return all
}

// keyOf is the same for the same document. The same bytes as titles, one a line, are another one.
func keyOf(src Source) string {
	hash := sha256.Sum256(src.Body)
	key := hex.EncodeToString(hash[:])
	if src.TitlePerLine {
		return "titles:" + key
	}
	return key
}

// titleOf is the title of a document or, when it has none, the first of its titles when a person wrote one a line, else the
// name of its file.
func titleOf(read *document.Document, src Source) string {
	switch {
	case read.Title != "":
		return read.Title
	case src.TitlePerLine && len(read.References) > 0:
		return read.References[0].Title
	case src.Name != "":
		base := filepath.Base(strings.ReplaceAll(src.Name, `\`, "/"))
		return document.Clean(strings.TrimSuffix(base, filepath.Ext(base)))
	}
	return document.Clean(src.URL)
}

// sourceOf says where a document comes from.
func sourceOf(src Source) string {
	if src.URL != "" {
		return src.URL
	}
	return document.Clean(filepath.Base(strings.ReplaceAll(src.Name, `\`, "/")))
}

func factsOf(read *document.Document, src Source) maps.ReadDocument {
	facts := maps.ReadDocument{
		Kind: string(read.Kind), Authors: read.Authors, URLs: read.URLs, DOIs: read.DOIs, Language: read.Language,
	}
	if read.Title == "" {
		facts.Named = titleOf(read, src)
	}
	for _, w := range read.Warnings {
		facts.Warnings = append(facts.Warnings, maps.DocumentWarning{What: w.What, Next: w.Next, Line: w.Line})
	}
	return facts
}
