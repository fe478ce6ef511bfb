package cli

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"nightjar/crawler/texts"
	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/thesus/ontologies"
	format "nightjar/daemon/thesus/ontology"
)

var ontologyCommand = command.Command{
	Name:    "explore ontology",
	Args:    "[add FILE | from-wordnet SENSE | from-topic TOPIC | show NAME | export NAME | rename NAME TO | delete NAME] [FLAGS]",
	Summary: "list, import and make ontologies: trees of terms that describe pages",
	Help:    help("explore-ontology"),
	Files:   true,
	Verb:    command.Of[ontologyOptions],
}

type ontologyOptions struct {
	app.Config
	name, language string
	depth, terms   int
	format, out    string
	json           bool
	flags          *flag.FlagSet
}

func (o *ontologyOptions) Define(f *flag.FlagSet) {
	o.DataFlags(f)
	f.StringVar(&o.name, "name", "", "`NAME` of the new ontology (default: the label of its first term)")
	f.StringVar(&o.language, "language", "en", "`LANGUAGE` of the labels to keep")
	f.IntVar(&o.depth, "depth", ontologies.DefaultDepth, "levels below the sense (`NUMBER`)")
	f.IntVar(&o.terms, "terms", ontologies.DefaultTopicTerms, "terms from links (`NUMBER`)")
	f.StringVar(&o.format, "format", ontologies.Text, "`text|ntriples`")
	f.StringVar(&o.out, "out", "", "`FILE` to write to")
	f.BoolVar(&o.json, "json", false, "print JSON")
	o.flags = f
}

// ontologyVerb is what one word behind "explore ontology" does.
type ontologyVerb struct {
	do    app.OntologyAction
	takes []string // names of its arguments
	flags []string // besides --data and --json
}

var ontologyVerbs = map[string]ontologyVerb{
	"":             {app.ListOntologies, nil, nil},
	"add":          {app.AddOntology, []string{"FILE"}, []string{"name", "language"}},
	"from-wordnet": {app.OntologyOfWordNet, []string{"SENSE"}, []string{"name", "depth"}},
	"from-topic":   {app.OntologyOfTopic, []string{"TOPIC"}, []string{"name", "terms"}},
	"show":         {app.ExportOntology, []string{"NAME"}, nil},
	"export":       {app.ExportOntology, []string{"NAME"}, []string{"format", "out"}},
	"rename":       {app.RenameOntology, []string{"NAME", "TO"}, nil},
	"delete":       {app.DeleteOntology, []string{"NAME"}, nil},
}

func (o *ontologyOptions) Run(ctx context.Context, env *command.Env, args []string) error {
	asked, err := o.request(args)
	if err != nil {
		return err
	}
	if asked.Do == app.AddOntology {
		if asked.File, err = readOntology(args[1]); err != nil {
			return err
		}
	}
	answer, err := app.Ontologies(ctx, o.Data, asked)
	if err != nil && asked.Do == app.AddOntology {
		return command.WithHint(fmt.Errorf("%s: %w", args[1], err), "nothing was imported")
	}
	if err != nil {
		return err
	}
	return o.tell(env, asked.Do, answer)
}

// request reads the arguments and flags.
func (o *ontologyOptions) request(args []string) (r app.OntologyRequest, err error) {
	name := ""
	if len(args) > 0 {
		name, args = args[0], args[1:]
	}
	verb, known := ontologyVerbs[name]
	switch {
	case !known:
		return r, command.Usagef("unknown verb %q; there are: add, from-wordnet, from-topic, show, export, rename, delete", name)
	case len(args) < len(verb.takes):
		return r, command.Usagef("%s needs %s", strings.TrimSpace("explore ontology "+name), strings.Join(verb.takes, " and "))
	case len(args) > len(verb.takes):
		return r, command.Usagef("unexpected argument %q; put a name of several words in quotes", args[len(verb.takes)])
	}
	for _, flag := range slices.Sorted(maps.Keys(given(o.flags))) {
		if !slices.Contains(slices.Concat(verb.flags, []string{"data", "as-root", "json"}), flag) {
			return r, command.Usagef("--%s does not go with explore ontology %s", flag, name)
		}
	}
	r = app.OntologyRequest{Do: verb.do, Name: o.name, Language: o.language, Depth: o.depth, Terms: o.terms, Kind: o.format}
	switch verb.do {
	case app.OntologyOfWordNet:
		r.Sense = args[0]
	case app.OntologyOfTopic:
		r.Topic = args[0]
	case app.ExportOntology, app.DeleteOntology:
		r.Name = args[0]
	case app.RenameOntology:
		r.Name, r.To = args[0], args[1]
	}
	return r, o.check()
}

func (o *ontologyOptions) check() error {
	switch {
	case o.depth < 1 || o.depth > ontologies.MaxDepth:
		return command.Usagef("--depth is 1 to %d, not %d", ontologies.MaxDepth, o.depth)
	case o.terms < 1 || o.terms > ontologies.MaxTopicTerms:
		return command.Usagef("--terms is 1 to %d, not %d", ontologies.MaxTopicTerms, o.terms)
	case o.format != ontologies.Text && o.format != ontologies.NTriples:
		return command.Usagef("--format is text or ntriples, not %q", o.format)
	}
	return nil
}

// readOntology reads a file, unless it is too large.
func readOntology(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err == nil && info.Size() > format.MaxBytes {
		return nil, command.WithHint(fmt.Errorf("%s has %d bytes, and at most %d are read", name, info.Size(), format.MaxBytes), "import a part of it")
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, fmt.Errorf("read the ontology: %w", err)
	}
	return text, nil
}

func (o *ontologyOptions) tell(env *command.Env, do app.OntologyAction, a *app.OntologyAnswer) error {
	switch {
	case do == app.ExportOntology && o.out != "":
		if err := command.WriteFile(o.out, []byte(a.Text)); err != nil {
			return err
		}
		_, err := fmt.Fprintf(env.Stderr, "%s: %s\n", o.out, texts.Plural(a.Ontology.Count, "term"))
		return err
	case do == app.ExportOntology:
		_, err := fmt.Fprint(env.Stdout, a.Text)
		return err
	case o.json:
		return o.tellJSON(env, do, a)
	case do == app.ListOntologies && len(a.List) == 0:
		_, err := fmt.Fprintln(env.Stdout, "There is no ontology yet. Import one: "+terminal.Command("explore ontology add FILE"))
		return err
	case do == app.ListOntologies:
		for _, one := range a.List {
			fmt.Fprintf(env.Stdout, "%-30s  %12s  changed %s\n", one.Name, texts.Plural(one.Count, "term"), one.ChangedAt.Local().Format("2006-01-02 15:04"))
		}
		return nil
	}
	for _, line := range a.Report {
		fmt.Fprintln(env.Stderr, line)
	}
	said := map[app.OntologyAction]string{app.DeleteOntology: "deleted", app.RenameOntology: "renamed"}[do]
	if said == "" {
		said = "stored"
	}
	_, err := fmt.Fprintf(env.Stdout, "%q: %s, %s\n", a.Ontology.Name, said, texts.Plural(a.Ontology.Count, "term"))
	return err
}

// ontologyJSON is an ontology as --json prints it.
type ontologyJSON struct {
	Name    string   `json:"name"`
	Terms   int      `json:"terms"`
	Created string   `json:"created"`
	Changed string   `json:"changed"`
	Report  []string `json:"report,omitempty"`
}

func (o *ontologyOptions) tellJSON(env *command.Env, do app.OntologyAction, a *app.OntologyAnswer) error {
	const stamp = "2006-01-02T15:04:05Z07:00"
	all := []ontologyJSON{}
	list := a.List
	if do != app.ListOntologies {
		list = append(list, a.Ontology)
	}
	for _, one := range list {
		all = append(all, ontologyJSON{one.Name, one.Count, one.CreatedAt.Format(stamp), one.ChangedAt.Format(stamp), a.Report})
	}
	if do != app.ListOntologies {
		return json.NewEncoder(env.Stdout).Encode(all[0])
	}
	return json.NewEncoder(env.Stdout).Encode(all)
}
