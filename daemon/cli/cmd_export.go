package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/store"
)

var exportCommand = command.Command{
	Name:    "export",
	Args:    "--session UUID [--out FILE] | --topic NAME [--model | --paths] [--out FILE]  [--data DIR]",
	Summary: "write recorded sessions, the paths taken in them, or a trained model, to a file",
	Help:    help("export"),
	Verb:    command.Of[exportOptions],
}

type exportOptions struct {
	app.Config
	session, topic, out string
	model, paths        bool
	files               []string
}

func (o *exportOptions) Define(f *flag.FlagSet) {
	o.DataFlags(f)
	f.StringVar(&o.session, "session", "", "`UUID` of the session to write")
	f.StringVar(&o.topic, "topic", "", "`NAME` of the topic to write")
	f.BoolVar(&o.model, "model", false, "write the topic's newest model instead of its sessions")
	f.BoolVar(&o.paths, "paths", false, "write the paths taken in the topic's sessions instead of the sessions")
	f.Var(command.List{Values: &o.files}, "file", "with --paths: session `FILE` to read in place of a data folder")
	f.StringVar(&o.out, "out", "", "`FILE` to write (default standard output)")
}

func (o *exportOptions) Run(ctx context.Context, env *command.Env, _ []string) error {
	switch {
	case o.model && o.topic == "":
		return command.Usagef("--model needs --topic")
	case o.model && o.paths:
		return command.Usagef("--model and --paths do not go together")
	case o.paths && (o.session != "" || (o.topic == "") == (len(o.files) == 0)):
		return command.Usagef("--paths needs either --topic NAME or --file FILE")
	case len(o.files) > 0 && !o.paths:
		return command.Usagef("--file needs --paths")
	case len(o.files) > 0:
		return o.filePaths(ctx, env)
	}
	st, err := app.ReadStore(ctx, o.Data)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	defer st.Close()
	if o.session == "" && o.topic == "" {
		return listSessions(ctx, env, st)
	}
	return o.write(ctx, env, st)
}

// write writes the sessions, the paths or the model that the options name, all or nothing.
func (o *exportOptions) write(ctx context.Context, env *command.Env, st *store.Store) error {
	var text strings.Builder
	var err error
	switch {
	case o.model:
		err = exportModel(ctx, &text, st, o.topic)
	case o.paths:
		err = exportPaths(ctx, &text, st, o.topic)
	default:
		err = exportSessions(ctx, &text, st, o.session, o.topic)
	}
	if err != nil {
		return err
	}
	return o.put(env, text.String())
}

// put writes a text to --out, or to standard output.
func (o *exportOptions) put(env *command.Env, text string) error {
	if o.out == "" {
		_, err := fmt.Fprint(env.Stdout, text)
		return err
	}
	return command.WriteFile(o.out, []byte(text))
}

func exportedTopic(ctx context.Context, st *store.Store, name string) (topics.Topic, error) {
	t, err := topics.ByName(ctx, st.DB, name)
	if err != nil {
		return t, command.WithHint(fmt.Errorf("topic %q: %w", name, err), "%s lists the topics", terminal.Command("export"))
	}
	return t, nil
}

func exportModel(ctx context.Context, w *strings.Builder, st *store.Store, topic string) error {
	t, err := exportedTopic(ctx, st, topic)
	if err != nil {
		return err
	}
	m, err := models.Latest(ctx, st.DB, t.ID)
	if errors.Is(err, store.ErrNotFound) {
		return command.WithHint(fmt.Errorf("topic %q has no model yet", topic), "submit a session of it first")
	}
	if err != nil {
		return err
	}
	w.Write(m.Encoded())
	return nil
}

func exportSessions(ctx context.Context, w *strings.Builder, st *store.Store, uuid, topic string) error {
	all, err := sessions.List(ctx, st.DB)
	if err != nil {
		return err
	}
	n := 0
	for _, s := range all {
		named := s.UUID == uuid || slices.ContainsFunc(s.Parts, func(p sessions.Part) bool { return p.UUID == uuid })
		if !named && !(topic != "" && strings.EqualFold(s.Topic, topic)) {
			continue
		}
		events, err := sessions.Events(ctx, st.DB, s.ID)
		if err != nil {
			return err
		}
		if err := session.Write(w, events); err != nil {
			return err
		}
		n++
	}
	if n == 0 {
		return command.WithHint(errors.New("export: there is no such session"), "%s lists the sessions", terminal.Command("export"))
	}
	return nil
}

func listSessions(ctx context.Context, env *command.Env, st *store.Store) error {
	all, err := sessions.List(ctx, st.DB)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		fmt.Fprintln(env.Stdout, "no sessions yet: start one in the browser extension")
	}
	for _, s := range all {
		fmt.Fprintf(env.Stdout, "%s  %-10s  %s\n", s.UUID, s.Status, s.Topic)
	}
	return nil
}
