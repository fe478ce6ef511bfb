package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"nightjar/crawler/fetch"
	"nightjar/crawler/warc"
	"nightjar/daemon/app"
	"nightjar/daemon/command"
	"nightjar/daemon/session"
	"nightjar/daemon/store"
	"nightjar/daemon/terminal"
)

// nightExport writes a night.
type nightExport struct {
	st     *store.Store
	data   string // folder
	out    string
	topic  store.Topic
	crawl  store.Crawl
	result nightResult
}

func (n *nightExport) file(name string) string { return filepath.Join(n.out, name) }

func (n *nightExport) write(ctx context.Context) error {
	n.result = nightResult{Out: n.out, Crawl: n.crawl.ID, Night: n.crawl.Night, Relevant: "useful"}
	if err := n.writeWeb(ctx); err != nil {
		return err
	}
	if err := n.writeLabels(ctx); err != nil {
		return err
	}
	if err := n.writeSessions(ctx); err != nil {
		return err
	}
	model, err := n.writeModel(ctx)
	if err != nil {
		return err
	}
	n.commands(model)
	return command.WriteFile(n.file("commands.txt"), []byte(strings.Join(n.result.Commands, "\n")+"\n"))
}

// writeWeb writes the recording: the pages of the night from the archive, and the crawl's other pages from the database.
// Rendered pages replace the documents as sent.
func (n *nightExport) writeWeb(ctx context.Context) error {
	name := n.file("night.warc.gz")
	f, err := os.OpenFile(name+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(f)
	err = n.web(ctx, warc.NewWriter(buffered))
	if err = errors.Join(err, buffered.Flush(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(name+".new"))
	}
	return os.Rename(name+".new", name)
}

func (n *nightExport) web(ctx context.Context, w *warc.Writer) error {
	rendered := map[string]bool{}
	if err := n.st.NightPages(ctx, n.crawl.ID, func(p store.NightPage) error {
		if p.Rendered && p.HTML != nil {
			rendered[p.URL] = true
		}
		return nil
	}); err != nil {
		return err
	}
	there := map[string]bool{}
	replay, err := n.replay(ctx)
	if err != nil {
		return err
	}
	if replay != nil {
		defer replay.Close()
		if err := replay.Each(ctx, func(e fetch.Exchange) error {
			if rendered[e.URL] {
				return nil
			}
			there[e.URL] = true
			return w.Response(e.URL, e.At, e.Status, e.Header, e.Body)
		}); err != nil {
			return err
		}
	}
	return n.st.NightPages(ctx, n.crawl.ID, func(p store.NightPage) error {
		if p.Relevant {
			n.result.label = append(n.result.label, p.URL+"\tjudged")
		}
		switch {
		case there[p.URL]:
		case p.HTML == nil:
			n.result.Lacking++
			return nil
		default:
			there[p.URL] = true
			if err := w.Response(p.URL, p.At, http.StatusOK, http.Header{"Content-Type": {"text/html; charset=utf-8"}}, p.HTML); err != nil {
				return err
			}
		}
		n.result.Pages++
		return nil
	})
}

// replay opens the archive of the crawl's night; nil when it holds nothing of that night.
func (n *nightExport) replay(ctx context.Context) (*fetch.Replay, error) {
	named, err := n.st.ArchiveFiles(ctx, n.crawl.ID)
	if err != nil || len(named) == 0 {
		return nil, err
	}
	all, err := fetch.Recordings(app.ArchiveDir(n.data))
	if err != nil {
		return nil, nil // the archive is gone
	}
	// Records may refer to others of their night, whose file names differ only in a number.
	files := slices.DeleteFunc(all, func(path string) bool {
		return !slices.ContainsFunc(named, func(name string) bool { return sameNight(filepath.Base(path), name) })
	})
	if len(files) == 0 {
		return nil, nil
	}
	replay, report, err := fetch.OpenReplay(files)
	if err != nil && report.Pages == 0 {
		return nil, nil // no page is left in it
	}
	return replay, err
}

// sameNight reports whether two files of an archive belong to one night: their names are equal up to the last dash.
func sameNight(one, other string) bool {
	i, j := strings.LastIndexByte(one, '-'), strings.LastIndexByte(other, '-')
	return i > 0 && j > 0 && one[:i] == other[:j]
}

// writeLabels writes the marks on the topic's finds, and the pages that the model judged relevant.
func (n *nightExport) writeLabels(ctx context.Context) error {
	words, err := n.st.FindMarks(ctx, n.topic.ID)
	if err != nil {
		return err
	}
	lines := n.result.label
	for _, w := range words {
		lines = append(lines, w.URL+"\t"+w.Mark)
		if w.Mark == "useful" {
			n.result.Marked++
		}
	}
	if n.result.Marked == 0 {
		n.result.Relevant = "judged"
	}
	slices.Sort(lines)
	return command.WriteFile(n.file("labels.tsv"), []byte(strings.Join(slices.Compact(lines), "\n")+"\n"))
}

// writeSessions writes the sessions of the topic and of the topics that it combines.
func (n *nightExport) writeSessions(ctx context.Context) error {
	members, err := n.st.Members(ctx, n.topic.ID)
	if err != nil {
		return err
	}
	topics := []string{n.topic.Name}
	for _, t := range members {
		topics = append(topics, t.Name)
	}
	sessions, err := n.st.Sessions(ctx)
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, s := range sessions {
		if !slices.Contains(topics, s.Topic) {
			continue
		}
		events, err := n.st.SessionEvents(ctx, s.ID)
		if err != nil {
			return err
		}
		if err := session.Write(&text, events); err != nil {
			return err
		}
	}
	return command.WriteFile(n.file("topic.session.jsonl"), []byte(text.String()))
}

// writeModel writes the model that crawled; false when it is no longer stored.
func (n *nightExport) writeModel(ctx context.Context) (bool, error) {
	m, err := n.st.ModelByID(ctx, n.crawl.ModelID)
	if errors.Is(err, store.ErrNotFound) || err == nil && len(m.Encoded()) == 0 {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, command.WriteFile(n.file("model.bundle"), bytes.Clone(m.Encoded()))
}

// commands sets the commands that repeat the crawl and measure strategies on it.
func (n *nightExport) commands(model bool) {
	starts := ""
	for _, s := range n.crawl.Options.Starts {
		starts += " --start " + terminal.Quote(s)
	}
	budget := fmt.Sprintf(" --budget %d", max(n.crawl.Totals.Fetched, 1))
	if model {
		n.result.Commands = append(n.result.Commands, terminal.Command("crawl --model ")+terminal.Quote(n.file("model.bundle"))+" --replay "+terminal.Quote(n.file("night.warc.gz"))+
			starts+budget+" --strategy "+n.crawl.Strategy)
	}
	strategies := n.crawl.Strategy
	if strategies != "breadth-first" {
		strategies += ",breadth-first"
	}
	n.result.Commands = append(n.result.Commands, terminal.Command("bench --corpus ")+terminal.Quote(n.file("night.warc.gz"))+" --session "+terminal.Quote(n.file("topic.session.jsonl"))+
		" --labels "+terminal.Quote(n.file("labels.tsv"))+" --relevant "+n.result.Relevant+starts+budget+" --strategies "+strategies)
}
