package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"nightjar/crawler/strategy"
	format "nightjar/daemon/thesus/ontology"
	"nightjar/daemon/thesus/themes"
	"nightjar/model/ontology"
	"nightjar/model/wordnet"
)

// readThemes makes themes of the ontology in a file; see daemon/thesus/ontology for the kinds of files. report says in words what was
// left out or repaired.
func readThemes(file string, net *wordnet.Net) (t *strategy.Themes, report []string, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, fmt.Errorf("read the ontology: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	data, err := io.ReadAll(io.LimitReader(f, format.MaxBytes+1))
	if err != nil {
		return nil, nil, fmt.Errorf("read the ontology %s: %w", file, err)
	}
	read, err := format.Read(data, "")
	if err != nil {
		return nil, nil, fmt.Errorf("read the ontology %s: %w", file, err)
	}
	tree, faults, err := ontology.Build(read.Items)
	if err != nil {
		return nil, nil, fmt.Errorf("read the ontology %s: %w", file, err)
	}
	report = read.Warnings
	for _, fault := range faults {
		report = append(report, fault.Error())
	}
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	return themes.Of(name, tree, net, nil), report, nil
}
