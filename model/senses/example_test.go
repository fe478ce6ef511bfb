package senses_test

import (
	"fmt"
	"os"

	"nightjar/model/ontology"
	"nightjar/model/senses"
	"nightjar/model/wordnet"
)

func ExampleDescriber_Describe() {
	files := wordnet.Files{}
	for _, name := range wordnet.Names() {
		f, err := os.Open("../wordnet/testdata/tiny/" + name)
		if err != nil {
			fmt.Println(err)
			return
		}
		defer f.Close()
		files[name] = f
	}
	net, err := wordnet.Read(files)
	if err != nil {
		fmt.Println(err)
		return
	}
	tree, _, err := ontology.Build([]ontology.Item{
		{Key: "1", Labels: []string{"instrument"}},
		{Key: "2", Labels: []string{"wind instrument"}, Parents: []string{"1"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	terms, _ := senses.NewTerms(tree, net)
	d := senses.Describer{Net: net, Ontology: terms}
	said := d.Describe([]senses.Keyword{{Word: "pipe", N: 3}, {Word: "wind", N: 2}, {Word: "drum", N: 1}})
	for _, term := range said.Terms {
		fmt.Printf("%s %.3f because of", tree.Label(term.Term), term.Weight)
		for _, i := range term.Words {
			w := said.Words[i]
			fmt.Printf(" %s (%s, %d pages, %.3f)", w.Word, net.Name(w.Sense), w.N, w.Similarity)
		}
		fmt.Println()
	}
	// Output:
	// instrument 0.800 because of drum (drum.n.01, 1 pages, 0.800)
	// wind instrument 0.857 because of pipe (pipe.n.01, 3 pages, 0.857) wind (pipe.n.01, 2 pages, 0.857)
}
