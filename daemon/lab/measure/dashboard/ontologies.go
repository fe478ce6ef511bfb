package dashboard

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"nightjar/daemon/store"
	"nightjar/daemon/thesus/ontologies"
	"nightjar/model/ontology"
)

// makeOntologies makes an ontology as large as they may be, whose terms are on four levels, and a small one.
func makeOntologies(ctx context.Context, dir string) (err error) {
	st, err := store.Open(ctx, filepath.Join(dir, "nightjar.db"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	for name, terms := range map[string]int{"A large ontology": ontology.MaxTerms, "A small ontology": 200} {
		items := []ontology.Item{{Key: "0", Labels: []string{"everything"}}}
		for i := 1; i < terms; i++ {
			items = append(items, ontology.Item{Key: fmt.Sprint(i), Labels: []string{fmt.Sprintf("term %d", i), fmt.Sprintf("synonym %d", i)},
				Parents: []string{fmt.Sprint((i - 1) / 30)}})
		}
		tree, _, err := ontology.Build(items)
		if err == nil {
			_, err = ontologies.Add(ctx, st.DB, name, tree)
		}
		if err != nil {
			return fmt.Errorf("make an ontology: %w", err)
		}
	}
	return nil
}
