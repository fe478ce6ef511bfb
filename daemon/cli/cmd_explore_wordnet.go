package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"nightjar/crawler/texts"
	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/thesus/wordnet"
)

var exploreWordnetCommand = command.Command{
	Name:    "explore wordnet",
	Args:    "[add PATH | get | remove | word WORD] [--yes] [--json] [--data DIR]",
	Summary: "see, add, download or remove WordNet; look a word up in it",
	Help:    help("explore-wordnet"),
	Files:   true,
	Verb:    command.Of[wordnetOptions],
}

type wordnetOptions struct {
	app.Config
	yes, json bool
}

func (o *wordnetOptions) Define(f *flag.FlagSet) {
	o.DataFlags(f)
	f.BoolVar(&o.yes, "yes", false, "download without asking")
	f.BoolVar(&o.json, "json", false, "print JSON")
}

func (o *wordnetOptions) Run(ctx context.Context, env *command.Env, args []string) error {
	do, rest := "", args
	if len(args) > 0 {
		do, rest = args[0], args[1:]
	}
	want := map[string]string{"": "", "get": "", "remove": "", "add": "PATH", "word": "WORD"}
	one, known := want[do]
	switch {
	case !known:
		return command.Usagef("explore wordnet has no verb %q; it has add, get, remove and word", do)
	case one != "" && (len(rest) == 0 || rest[0] == ""):
		return command.Usagef("explore wordnet %s needs a %s", do, one)
	case one == "" && len(rest) > 0 || do == "add" && len(rest) > 1:
		return command.Usagef("unexpected argument %q", rest[len(rest)-1])
	}
	l := wordnet.New(wordnet.Options{Dir: o.Data, Log: command.NewLogger(env.Stderr, slog.LevelError), Getenv: env.Getenv})
	switch do {
	case "add":
		return o.changed(env, l, l.Add(ctx, rest[0]))
	case "get":
		return o.get(ctx, env, l)
	case "remove":
		return o.changed(env, l, l.Remove(ctx))
	case "word":
		return o.word(env, l, strings.Join(rest, " "))
	}
	return o.tell(env, l)
}

// changed tells what there is after a change.
func (o *wordnetOptions) changed(env *command.Env, l *wordnet.Library, err error) error {
	if err != nil {
		return err
	}
	return o.tell(env, l)
}

// get asks, and downloads.
func (o *wordnetOptions) get(ctx context.Context, env *command.Env, l *wordnet.Library) error {
	offer := l.Offer()
	fmt.Fprintf(env.Stderr, "WordNet %s, %s\n  from    %s\n  size    %s\n  licence %s\n", offer.Version, offer.Name, offer.URL, megabytes(offer.Size), offer.Licence)
	if !o.yes {
		fmt.Fprint(env.Stderr, "Download it? [y/N] ")
		if !yes(ctx, env.Stdin) {
			fmt.Fprintln(env.Stderr)
			return command.WithHint(errors.New("nothing was downloaded"), "answer y, or give --yes")
		}
	}
	show := command.NewProgress(env.Stderr, "download in kB", int(offer.Size/1000))
	err := l.Get(ctx, func(done, _ int64) { show.Set(int(done / 1000)) })
	show.End()
	return o.changed(env, l, err)
}

// yes reads an answer. Everything but y and yes means no, also the end of the input and of ctx.
func yes(ctx context.Context, from io.Reader) bool {
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(from).ReadString('\n') // what came before an error is an answer, too
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case <-ctx.Done():
		return false
	case a := <-answer:
		return a == "y" || a == "yes"
	}
}

// tell prints which WordNet there is.
func (o *wordnetOptions) tell(env *command.Env, l *wordnet.Library) error {
	s := l.State()
	if o.json {
		return json.NewEncoder(env.Stdout).Encode(wordnetState{s.Found(), s, l.Fingerprint()})
	}
	var b strings.Builder
	if s.Problem != "" {
		fmt.Fprintf(env.Stderr, "nightjar: warning: %s\n", printable(s.Problem))
	}
	if !s.Found() {
		b.WriteString("There is no WordNet. Words are compared as they are written.\n\n")
		fmt.Fprintf(&b, "  %s       downloads WordNet %s (%s); it asks first\n", terminal.Command("explore wordnet get"), l.Offer().Version, megabytes(l.Offer().Size))
		fmt.Fprintf(&b, "  %s  adds a dict folder, or a .tar.gz of one\n", terminal.Command("explore wordnet add PATH"))
		_, err := io.WriteString(env.Stdout, b.String())
		return err
	}
	where := map[wordnet.From]string{wordnet.FromData: "which was added to the data folder", wordnet.FromVariable: "which WNSEARCHDIR names",
		wordnet.FromSystem: "which is installed on this computer"}[s.From]
	fmt.Fprintf(&b, "%s\nfolder  %s, %s\n", strings.TrimSpace("WordNet "+printable(s.Version)), printable(s.Folder), where)
	for _, c := range []struct {
		name string
		of   wordnet.Count
	}{{"nouns", s.Nouns}, {"verbs", s.Verbs}} {
		fmt.Fprintf(&b, "%s   %s, %s, %s\n", c.name, texts.Plural(c.of.Words, "word"), texts.Plural(c.of.Senses, "meaning"), texts.Plural(c.of.Irregular, "irregular form"))
	}
	fmt.Fprintf(&b, "size    %s, read in %s\n", megabytes(s.Bytes), s.Took.Round(time.Millisecond))
	if s.Notice != "" {
		b.WriteByte('\n')
		for line := range strings.Lines(s.Notice) {
			b.WriteString(printable(line) + "\n")
		}
	}
	_, err := io.WriteString(env.Stdout, b.String())
	return err
}

// megabytes writes a number of bytes.
func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
