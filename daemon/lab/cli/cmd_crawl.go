package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/archive"
	"nightjar/crawler/fetch"
	"nightjar/crawler/strategy"
	"nightjar/crawler/weburl"
	"nightjar/daemon/app"
	"nightjar/daemon/command"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/settings"
	"nightjar/daemon/terminal"
	"nightjar/model"
)

var crawlCommand = command.Command{
	Name:    "crawl",
	Args:    "--model FILE.bundle --start URL... [--replay FILE.warc.gz|DIR...] [FLAGS]",
	Summary: "crawl once with a model, on the live web or in a recorded one",
	Help: `Crawls from the start pages with a model, the most promising link first, until the budget is used, and prints what it
found. It uses no data folder, except that the strategy thematic reads its ontology there, unless --ontology names a file.

On the live web it requests one page at a time from each host, with a delay, and follows robots.txt. A host that fails
three times in a row is left alone, crawler traps are avoided, and when no host answers any more, the crawl waits until
the network is back. When every host with links is to be left alone for a while, the crawl says for whom it waits and until
when; it ends when nothing can be fetched within --wait (2 minutes). --resolve and --allow-private open addresses that are otherwise refused, for tests and private
networks. With --replay it crawls a recorded web without any network, such as one that --archive wrote.

With --labels and --relevant, the labels decide which pages are relevant; the crawl itself never sees them. Pages that
the model was trained on may be fetched but never count. Without labels, the model decides. List flags may be repeated
and take commas. Parts of a recording or a labels file that cannot be read are reported on standard error and skipped.

  lab crawl --model hockey.bundle --start https://example.org/ --budget 200
  lab crawl --model hockey.bundle --start https://example.org/ --sitemaps --contact https://example.org/me --archive night
  lab crawl --model m.bundle --start https://example.org/ --strategy thematic --ontology music.ttl
  lab crawl --model m.bundle --replay site.warc.gz --start http://www.example.edu/ --budget 400 \
      --strategy hmm,breadth-first --labels site.tsv --relevant course --json

--json prints one object a strategy, each on a line of its own:

  name, fetched, relevant    the strategy, pages of budget used, relevant pages found
  harvest                    pairs of pages fetched and share of relevant ones among them
  avg_max_similarity         mean over the pages of the largest cosine to a useful page
  seconds, peak_rss_bytes    of the crawl, and of the process so far: crawl with one strategy to compare them
  stop_reason, outcomes      why it ended, and fetches by how they ended
  finds                      url, title, similarity, useful (probability, by the model's judge), n (fetched as the n-th), and
                             why: the parts of what the link that led there was worth, in log odds; with
                             thematic in sums of the similarities of words to terms

with --explain also:

  finds                      why is relative: each part less its mean over a sample of the links that waited; chosen says how
                             many waited, by which rule the link was chosen, and what it and the typical link were worth
  explained                  for each rule, how many links were compared, and how many of them were worth more than the
                             typical one

and with --replay and --labels also:

  relevant_total, recall     relevant pages that can be reached from the start pages, and the share found
  area                       mean recall after 1, 2, ... pages of the budget
  area_vs_oracle             area as a share of that of an oracle, which knows links and labels and always goes to the
                             nearest relevant page
  low, high                  interval of the area; for a single crawl both are the area`,
	Verb: command.Of[crawlOptions],
}

type crawlOptions struct {
	model      string
	replay     []string
	starts     []string
	budget     int
	strategies []string
	delay      time.Duration
	wait       time.Duration
	resolve    []string
	private    []string
	labels     []string
	relevant   []string
	missing    string
	domainCap  int
	json       bool
	explain    bool
	archive    string
	sitemaps   bool
	render     bool
	contact    string
	ontology   string
	config     app.Config // of the data folder
}

func (o *crawlOptions) Define(f *flag.FlagSet) {
	f.StringVar(&o.model, "model", "", "`FILE` that lab train wrote")
	f.Var(command.List{Values: &o.starts, URLs: true}, "start", "`URL` to crawl from")
	f.Var(command.List{Values: &o.replay}, "replay", "`FILE|DIR` with a recording to crawl instead of the live web: a WARC file, plain or gzip, or a folder of such files")
	f.StringVar(&o.archive, "archive", "", "`DIR` to archive fetched pages in, as WARC files that --replay reads")
	f.BoolVar(&o.sitemaps, "sitemaps", false, "read the sitemaps and feeds of hosts, which list their pages, beside the pages; they use no budget")
	f.BoolVar(&o.render, "render", false, "run JavaScript on pages that are blank without it, in a separate instance of the installed Chromium")
	f.StringVar(&o.contact, "contact", "", "`URL` or address in the User-Agent, so that a site can reach you")
	f.IntVar(&o.budget, "budget", 100, "pages to fetch (`NUMBER`); what robots.txt refuses is free")
	f.Var(command.List{Values: &o.strategies}, "strategy", "`NAME` of a strategy; several crawl one after the other. The default is auto, the best one by benchmarks: "+strategy.Best+". Strategies:\n"+strategy.Help())
	f.StringVar(&o.ontology, "ontology", "", "`FILE` with the ontology of the strategy thematic; without it, the data folder has it: thematic:NAME, or thematic for the only one")
	o.config.DataFlags(f)
	f.DurationVar(&o.delay, "delay", 2*time.Second, "minimum `TIME` between two requests to a host; below 1s only for addresses of --resolve and --allow-private")
	f.DurationVar(&o.wait, "wait", 2*time.Minute, "how long to wait at most (`TIME`) while no host may be asked; the crawl ends when nothing can be fetched sooner")
	f.Var(command.List{Values: &o.resolve}, "resolve", "`PATTERN=ADDR:PORT`: fetch hosts that match from this address (*.test=127.0.0.1:8080)")
	f.Var(command.List{Values: &o.private}, "allow-private", "`CIDR` of private addresses that may be fetched from")
	f.Var(command.List{Values: &o.labels}, "labels", "`FILE` of lines \"URL tab label\"")
	f.Var(command.List{Values: &o.relevant}, "relevant", "`LABEL` of the relevant pages, in full")
	f.StringVar(&o.missing, "missing", "free", "`free|cost`: whether a link that the recording lacks costs a page of budget")
	f.IntVar(&o.domainCap, "domain-cap", 0, "maximum number of pages per site (`NUMBER`); 0: no limit")
	f.BoolVar(&o.json, "json", false, "print JSON")
	f.BoolVar(&o.explain, "explain", false, "compare each link that is followed with a sample of those that wait; --json then tells why it came first")
}

// check completes the options and refuses combinations that contradict each other.
func (o *crawlOptions) check() error {
	if err := needAll(need{"model", o.model != ""}, need{"start", len(o.starts) > 0}); err != nil {
		return err
	}
	if len(o.strategies) == 0 {
		o.strategies = []string{strategy.Auto}
	}
	for _, name := range o.strategies {
		if name != strategy.Auto && !strategy.Known(name) {
			return command.Usagef("unknown strategy %q: known are %s and %v", name, strategy.Auto, strategy.Names())
		}
	}
	if err := o.checkOntology(); err != nil {
		return err
	}
	switch {
	case o.budget < 1:
		return command.Usagef("--budget must be at least 1, not %d", o.budget)
	case o.wait < 0:
		return command.Usagef("--wait must not be negative, not %v", o.wait)
	case o.missing != "free" && o.missing != "cost":
		return command.Usagef("--missing is free or cost, not %q", o.missing)
	case (len(o.labels) > 0) != (len(o.relevant) > 0):
		return command.Usagef("--labels and --relevant need each other")
	case len(o.replay) > 0 && o.archive != "":
		return command.Usagef("--replay fetches nothing that --archive could keep")
	case len(o.replay) > 0 && (o.sitemaps || o.render || o.contact != ""):
		return command.Usagef("--replay contacts no site, so --sitemaps, --render and --contact cannot be used with it")
	case settings.ContactProblem(o.contact) != "":
		return command.Usagef("--contact: %s", settings.ContactProblem(o.contact))
	case len(o.replay) > 0 && len(o.resolve)+len(o.private) > 0:
		return command.Usagef("--replay uses no network, so --resolve and --allow-private cannot be used with it")
	}
	for i, start := range o.starts {
		url, err := weburl.Canonical(start)
		if err != nil {
			return command.Usagef("--start %s: %v", start, err)
		}
		o.starts[i] = weburl.Document(url)
	}
	return nil
}

func (o *crawlOptions) Run(ctx context.Context, env *command.Env, _ []string) (err error) {
	if err := o.check(); err != nil {
		return err
	}
	live, err := o.liveOptions()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(o.model)
	if err != nil {
		return app.WithHint(fmt.Errorf("read model: %w", err), "%s makes one of session files", terminal.Command("train"))
	}
	b, err := model.Decode(text)
	if err != nil {
		return fmt.Errorf("read model %s: %w", o.model, err)
	}
	base, replay, err := o.score(ctx, env, b)
	if err != nil {
		return err
	}
	kept, err := o.openArchive()
	if err != nil {
		return err
	}
	if kept != nil {
		defer func() { err = errors.Join(err, kept.Close()) }()
	}
	if replay != nil {
		defer replay.Close()
		if err := o.checkStarts(ctx, env, replay); err != nil {
			return err
		}
	}
	for _, name := range o.strategies {
		score := *base
		named, err := o.themes(ctx, env, name)
		if err != nil {
			return err
		}
		run := &crawlRun{env: env, o: o, bundle: b, name: strategy.Choose(name), themes: named, score: &score, archive: kept, why: explanations{}, closed: closedHosts{}}
		if err := run.crawl(ctx, replay, live); err != nil {
			return err
		}
	}
	return nil
}

// checkStarts warns of start pages that the recording lacks, and fails when it has none of them.
func (o *crawlOptions) checkStarts(ctx context.Context, env *command.Env, replay *fetch.Replay) error {
	finals, lacking := corpus.Starts(ctx, replay, o.starts)
	for _, start := range lacking {
		fmt.Fprintf(env.Stderr, "lab: warning: the recording lacks the start page %s\n", start)
	}
	if len(finals) == 0 {
		return app.WithHint(errors.New("the recording holds none of the start pages"), "%s lists its pages", terminal.Command("corpus list"))
	}
	return nil
}

// score prepares the score that every strategy gets a copy of, and opens the replay if there is one.
func (o *crawlOptions) score(ctx context.Context, env *command.Env, b *model.Bundle) (*corpus.Score, *fetch.Replay, error) {
	s := &corpus.Score{Known: make(map[string]bool), Budget: o.budget}
	for _, p := range b.Pages {
		s.Known[p.URL] = true
	}
	var replay *fetch.Replay
	if len(o.replay) > 0 {
		var err error
		if replay, err = openReplay(env, o.replay); err != nil {
			return nil, nil, err
		}
	}
	if len(o.labels) == 0 {
		return s, replay, nil
	}
	if err := o.label(ctx, env, s, replay); err != nil {
		if replay != nil {
			err = errors.Join(err, replay.Close())
		}
		return nil, nil, err
	}
	return s, replay, nil
}

// label makes the labels decide which pages are relevant.
func (o *crawlOptions) label(ctx context.Context, env *command.Env, s *corpus.Score, replay *fetch.Replay) error {
	labels, err := readLabels(env, o.labels, replay)
	if err != nil {
		return err
	}
	relevant, unknown := labels.Any(o.relevant)
	if unknown != "" {
		return app.WithHint(fmt.Errorf("no page has the label %q", unknown), "some labels are %v", labels.Suggest(unknown))
	}
	s.Relevant = func(url string) bool { return relevant[url] }
	if replay == nil {
		return nil
	}
	web, err := corpus.ReadWeb(ctx, replay, o.starts)
	if err != nil {
		return fmt.Errorf("read the recording's links: %w", err)
	}
	counts := func(url string) bool { return relevant[url] && !s.Known[url] }
	s.Total, s.Oracle = web.Count(counts), web.Oracle(counts, o.budget)
	return nil
}

// crawlRun is one strategy's crawl.
type crawlRun struct {
	env     *command.Env
	o       *crawlOptions
	bundle  *model.Bundle
	name    string
	themes  *strategy.Themes // nil for a strategy that needs no ontology
	score   *corpus.Score
	archive *archive.Archive // nil without --archive
	finds   []crawlFind
	why     explanations
	closed  closedHosts
}

// crawlFind is a relevant page of a crawl.
type crawlFind struct {
	URL        string            `json:"url"`
	Title      string            `json:"title"`
	Similarity float64           `json:"similarity"`
	Useful     float64           `json:"useful"`        // probability, by the model's judge
	N          int               `json:"n"`             // fetched as the n-th
	Why        []strategy.Reason `json:"why,omitempty"` // why the link that led here was followed, if the strategy says so
	Chosen     *crawler.Choice   `json:"chosen,omitempty"`
}
