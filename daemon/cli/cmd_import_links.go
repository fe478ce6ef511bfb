package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"nightjar/crawler/texts"
	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/panorama/bookmarks"
)

// linkFiles are the endings of names of files that hold links.
var linkFiles = []string{".html", ".htm", ".opml", ".xml", ".csv", ".tsv", ".json", ".md", ".txt", ".bib", ".ris", ".nbib", ".enw", ".ciw"}

// links reports whether a file is read as a list of links, and not as a session or a model, whatever their names.
func (o *importOptions) links(name string) bool {
	if o.topic != "" || o.folder != "" {
		return true
	}
	return slices.Contains(linkFiles, strings.ToLower(filepath.Ext(name))) && !beginsWith(name, `{"v":`)
}

// beginsWith reports whether a file begins with a text. A file that cannot be read does not.
func beginsWith(name, text string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // only read from
	head := make([]byte, len(text))
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == text
}

// readLinks lists the folders of a file of links, or the links of one; with a topic it makes a session of them.
func (o *importOptions) readLinks(ctx context.Context, env *command.Env, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(io.LimitReader(f, bookmarks.MaxBytes+1))
	_ = f.Close() // only read from
	if err != nil {
		return err
	}
	list, err := bookmarks.Read(ctx, body)
	if err != nil {
		return err
	}
	links := list.Within(o.folder)
	switch {
	case len(links) == 0:
		return command.WithHint(fmt.Errorf("no folder or tag is named %q", o.folder), "%s lists them", terminal.Command("import "+terminal.Quote(name)))
	case o.topic != "":
		return o.makeSession(ctx, env, links)
	case o.folder != "" || len(list.Folders()) == 0:
		return o.tellLinks(ctx, env, links)
	}
	return o.tellFolders(env, name, list)
}

func (o *importOptions) tellFolders(env *command.Env, name string, list *bookmarks.List) error {
	if o.json {
		return json.NewEncoder(env.Stdout).Encode(list.Folders())
	}
	fmt.Fprintf(env.Stdout, "%s: %s\n", name, texts.Plural(len(list.Links), "link"))
	for _, folder := range list.Folders() {
		fmt.Fprintf(env.Stdout, "%7d  %s\n", folder.Links, printable(folder.Name))
	}
	if list.NoWeb > 0 {
		fmt.Fprintf(env.Stdout, "Left out: %s outside the web\n", texts.Plural(list.NoWeb, "address"))
	}
	if list.Over > 0 {
		fmt.Fprintf(env.Stdout, "Left out: %s beyond the first %d\n", texts.Plural(list.Over, "link"), bookmarks.MaxLinks)
	}
	_, err := fmt.Fprintf(env.Stdout, "Nothing was fetched. To see the links of a folder or tag: %s\n", terminal.Command("import "+terminal.Quote(name)+" --folder NAME"))
	return err
}

func (o *importOptions) tellLinks(ctx context.Context, env *command.Env, links []bookmarks.Link) error {
	all, err := app.BookmarkStates(ctx, o.Config, command.NewLogger(env.Stderr, slog.LevelError), links)
	if err != nil {
		return err
	}
	if o.json {
		return json.NewEncoder(env.Stdout).Encode(all)
	}
	for _, s := range all {
		state := s.Known
		switch {
		case s.Refused != "":
			state = "refused: " + s.Refused
		case state == "":
			state = "new"
		}
		fmt.Fprintf(env.Stdout, "%s\n    %s\n    %s\n", printable(s.Title), s.URL, state)
	}
	_, err = fmt.Fprintf(env.Stdout, "%s. Nothing was fetched. To fetch them as useful pages of a topic, add: --topic NAME\n", texts.Plural(len(all), "link"))
	return err
}

// makeSession makes a session in which all links are useful.
func (o *importOptions) makeSession(ctx context.Context, env *command.Env, links []bookmarks.Link) error {
	chosen := make([]bookmarks.Chosen, len(links))
	for i, l := range links {
		chosen[i] = bookmarks.Chosen{Link: l, Useful: true}
	}
	shown, step := steps{out: env.Stderr}, ""
	done, err := app.MakeBookmarks(ctx, o.Config, command.NewLogger(env.Stderr, slog.LevelError), o.topic, chosen, func(p bookmarks.Progress) {
		what := "Bookmarks"
		if p.Around {
			what = "Pages around them"
		}
		if what != step {
			step = what
			shown.begin(what, p.Total)
		}
		shown.show.Set(p.Done)
	})
	shown.end()
	for _, f := range done.Failed {
		fmt.Fprintf(env.Stderr, "nightjar: warning: %s: %s\n", f.URL, f.Reason)
	}
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case err != nil:
		return command.WithHint(err, "nothing was stored")
	case o.json:
		return json.NewEncoder(env.Stdout).Encode(done)
	}
	_, err = fmt.Fprintf(env.Stdout, "Session %s of %q: %s, %d of them useful\n", done.Session, done.Topic, texts.Plural(done.Pages, "page"), done.Useful)
	return err
}
