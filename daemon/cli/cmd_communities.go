package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/panorama/communities"
	"nightjar/daemon/panorama/document"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/panorama/trainingset"
	"nightjar/model/community"
)

var communitiesCommand = command.Command{
	Name:    "communities",
	Args:    "--document FILE|URL | --ontology NAME | --topic NAME | --crawl ID  [--search WHO] [--pages NUMBER] [--out FILE.html] [FLAGS]",
	Summary: "make a map of the communities on the web around a document, an ontology, a topic or a crawl",
	Help:    help("communities"),
	Verb:    command.Of[communitiesOptions],
}

type communitiesOptions struct {
	app.Config
	documents           []string
	ontology            string
	topic               string
	crawl, resume       int64
	search              string
	pages               int
	k, fidelity, labels string
	links               string
	seed                uint64
	out, json           string
	flags               *flag.FlagSet
	list                string // file of --search list=FILE
	made                maps.Options
}

func (o *communitiesOptions) Define(f *flag.FlagSet) {
	o.DataFlags(f)
	f.Var(command.List{Values: &o.documents, URLs: true}, "document", "`FILE|URL` of the document; repeat it for several together")
	f.StringVar(&o.ontology, "ontology", "", "`NAME` of an ontology; nightjar explore ontology lists all")
	f.StringVar(&o.topic, "topic", "", "`NAME` of the topic")
	f.Int64Var(&o.crawl, "crawl", 0, "number (`ID`) of a crawl that has ended; it is in the address of its page on the dashboard")
	f.Int64Var(&o.resume, "map", 0, "number (`ID`) of a map to go on with, or to write the report of")
	f.StringVar(&o.search, "search", "local", "where a document's titles or an ontology's paths are looked for, `local|searxng=URL|list=FILE`")
	f.IntVar(&o.pages, "pages", communities.DefaultPages, "pages to crawl (`NUMBER`)")
	f.StringVar(&o.k, "k", "5", "how many communities, `NUMBER|auto`; auto takes two to eight, whatever separates best")
	f.StringVar(&o.fidelity, "fidelity", "", "`paper`: do everything as the paper does, for comparison")
	f.StringVar(&o.labels, "labels", "", "`words`: name communities by five single words, as the paper does")
	f.StringVar(&o.links, "links", "", "`sites|folders|all`: which links count for hubs and authorities; sites, or the next where hardly any link does")
	f.Uint64Var(&o.seed, "seed", 0, "random seed (`NUMBER`)")
	f.StringVar(&o.out, "out", "report.html", "`FILE` to write the report to")
	f.StringVar(&o.json, "json", "", "`FILE` to write the map to as JSON")
	o.flags = f
}

func (o *communitiesOptions) Run(ctx context.Context, env *command.Env, _ []string) error {
	if err := o.check(); err != nil {
		return err
	}
	asked, err := o.request(env)
	if err != nil {
		return err
	}
	watch := &mapWatch{env: env, steps: steps{out: env.Stderr}, data: o.Data, list: o.list != ""}
	v, err := app.MakeMap(ctx, o.Config, command.NewLogger(env.Stderr, slog.LevelError), asked, watch.hooks())
	watch.end()
	switch {
	case errors.Is(err, context.Canceled):
		return watch.stopped()
	case err != nil:
		return watch.failed(err)
	}
	return o.tell(env, v)
}

// check completes the options and refuses those that contradict each other.
func (o *communitiesOptions) check() error {
	set := given(o.flags)
	sources := among(set, "document", "ontology", "topic", "crawl", "map")
	switch {
	case len(sources) == 0:
		return command.Usagef("communities needs --document FILE|URL, --ontology NAME, --topic NAME or --crawl ID")
	case len(sources) > 1:
		return command.Usagef("--%s and --%s do not go together: name one source", sources[0], sources[1])
	case set["document"] && len(o.documents) == 0, set["topic"] && strings.TrimSpace(o.topic) == "", set["ontology"] && strings.TrimSpace(o.ontology) == "":
		return command.Usagef("--%s is empty", sources[0])
	case set["crawl"] && o.crawl < 1, set["map"] && o.resume < 1:
		return command.Usagef("--%s needs a number such as 12", sources[0])
	case o.out == "":
		return command.Usagef("--out is empty: name the file to write the report to")
	}
	if err := o.checkUnused(sources[0], set); err != nil {
		return err
	}
	return o.checkValues()
}

// checkUnused refuses flags that the source has no use for.
func (o *communitiesOptions) checkUnused(source string, set map[string]bool) error {
	why := map[string]struct {
		flags []string
		text  string
	}{
		"ontology": {[]string{"fidelity"}, "the paper has none; its crawl follows links by what pages say"},
		"topic":    {[]string{"search"}, "the useful pages of a topic are its positive pages"},
		"crawl":    {[]string{"search", "pages"}, "the crawl has ended, and its pages are what the map shows"},
		"map":      {[]string{"search", "pages", "k", "fidelity", "labels", "links", "seed"}, "a map keeps the settings that it was begun with"},
	}[source]
	if wrong := among(set, why.flags...); len(wrong) > 0 {
		return command.Usagef("--%s does not go with --%s: %s", wrong[0], source, why.text)
	}
	return nil
}

// checkValues reads the values of the flags into the options of a map.
func (o *communitiesOptions) checkValues() error {
	o.made = maps.Options{Pages: o.pages, Seed: o.seed, Paper: o.fidelity == "paper", Words: o.labels == "words", Links: o.links, Auto: o.k == "auto"}
	if o.pages < 1 || o.pages > communities.MaxPages {
		return command.Usagef("--pages is 1 to %d, not %d", communities.MaxPages, o.pages)
	}
	if !o.made.Auto {
		var err error
		if o.made.Clusters, err = strconv.Atoi(o.k); err != nil || o.made.Clusters < 1 || o.made.Clusters > communities.MaxClusters {
			return command.Usagef("--k is auto or 1 to %d, not %q", communities.MaxClusters, o.k)
		}
	}
	switch {
	case o.fidelity != "" && !o.made.Paper:
		return command.Usagef("--fidelity is paper or left out, not %q", o.fidelity)
	case o.labels != "" && !o.made.Words:
		return command.Usagef("--labels is words or left out, not %q", o.labels)
	case o.links != "" && o.made.Paper:
		return command.Usagef("--links does not go with --fidelity: in the paper, all links count")
	case o.links != "" && !slices.Contains(community.Rules, community.Rule(o.links)):
		return command.Usagef("--links is sites, folders or all, not %q", o.links)
	}
	how, value, valued := strings.Cut(o.search, "=")
	switch {
	case how == "local" && !valued:
		o.made.Search = how
	case how == "searxng" && value != "":
		if _, err := trainingset.NewSearXNG(value, nil, 0); err != nil {
			return command.Usagef("--search: %v", err)
		}
		o.made.Search = o.search
	case how == "list" && value != "":
		o.made.Search, o.list = how, value
	default:
		return command.Usagef("--search is local, searxng=URL or list=FILE, not %q", o.search)
	}
	return nil
}

// request reads the files that the options name. What is wrong with them, or with where the result goes, is told before
// anything is done.
func (o *communitiesOptions) request(env *command.Env) (app.MapRequest, error) {
	r := app.MapRequest{Map: o.resume, Ontology: strings.TrimSpace(o.ontology), Topic: strings.TrimSpace(o.topic), Crawl: o.crawl}
	for _, name := range []string{o.out, o.json} {
		if info, err := os.Stat(filepath.Dir(name)); name != "" && (err != nil || !info.IsDir()) {
			return r, command.WithHint(fmt.Errorf("there is no folder %s for %s", filepath.Dir(name), filepath.Base(name)), "make it, or name another file")
		}
	}
	if o.resume == 0 {
		r.Options = o.made
	}
	if o.list != "" {
		var err error
		if r.Options.List, err = readAddresses(env, o.list); err != nil {
			return r, err
		}
	}
	size := 0
	for _, name := range o.documents {
		d, err := readDocument(name)
		if err != nil {
			return r, err
		}
		if size += len(d.Body); size > document.MaxBytes {
			return r, command.WithHint(errors.New("these documents are larger than 64 MiB together"), "leave some out")
		}
		r.Documents = append(r.Documents, d)
	}
	return r, nil
}

// readDocument reads a file, or names an address.
func readDocument(name string) (communities.Source, error) {
	if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
		return communities.Source{URL: name}, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return communities.Source{}, command.WithHint(fmt.Errorf("read the document: %w", err), "name a file, or an address that begins with http:// or https://")
	}
	defer func() { _ = f.Close() }() // it was only read
	body, err := io.ReadAll(io.LimitReader(f, document.MaxBytes+1))
	switch {
	case err != nil:
		return communities.Source{}, fmt.Errorf("read the document %s: %w", name, err)
	case len(body) > document.MaxBytes:
		return communities.Source{}, fmt.Errorf("read the document %s: %w", name, document.ErrTooLarge)
	}
	if body == nil {
		body = []byte{}
	}
	return communities.Source{Name: filepath.Base(name), Body: body}, nil
}

// readAddresses reads a list of addresses. Lines that are none are reported and left out.
func readAddresses(env *command.Env, name string) ([]string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read the list of addresses: %w", err)
	}
	_, bad, err := trainingset.ReadList(strings.NewReader(string(text)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	wrong := map[int]bool{}
	for _, b := range bad {
		wrong[b.Line] = true
		fmt.Fprintf(env.Stderr, "nightjar: warning: %s, %v\n", name, b)
	}
	var lines []string
	n := 0
	for line := range strings.Lines(string(text)) {
		if n++; !wrong[n] {
			lines = append(lines, strings.TrimRight(line, "\r\n"))
		}
	}
	return lines, nil
}
