package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"

	"nightjar/daemon/app"
	"nightjar/daemon/session"
	"nightjar/daemon/store"
)

var exportCommand = command{
	name:    "export",
	args:    "--session UUID [--out FILE] | --topic NAME [--model] --out FILE  [--data DIR]",
	summary: "write recorded sessions, or a trained model, to a file",
	help: `Writes one session (--session) or all sessions of a topic (--topic) as a session file, the format that
"nightjar import" and "nightjar train" read; or with --model the topic's newest model as a bundle for "nightjar crawl".
Without --session and --topic it lists the sessions. A session file holds the pages as you saw them: keep it to yourself.`,
	verb: of[exportOptions],
}

type exportOptions struct {
	app.Config
	session, topic, out string
	model               bool
}

func (o *exportOptions) define(f *flag.FlagSet) {
	dataFlag(f, &o.Config)
	f.StringVar(&o.session, "session", "", "`UUID` of the session to write")
	f.StringVar(&o.topic, "topic", "", "`NAME` of the topic to write")
	f.BoolVar(&o.model, "model", false, "write the topic's newest model instead of its sessions")
	f.StringVar(&o.out, "out", "", "`FILE` to write (default standard output)")
}

func (o *exportOptions) run(ctx context.Context, env *environment, _ []string) error {
	if o.model && o.topic == "" {
		return usagef("--model needs --topic")
	}
	if err := complete(&o.Config, env); err != nil {
		return err
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

// write writes the sessions or the model that the options name, all or nothing.
func (o *exportOptions) write(ctx context.Context, env *environment, st *store.Store) error {
	var text strings.Builder
	var err error
	if o.model {
		err = exportModel(ctx, &text, st, o.topic)
	} else {
		err = exportSessions(ctx, &text, st, o.session, o.topic)
	}
	if err != nil {
		return err
	}
	if o.out == "" {
		_, err = fmt.Fprint(env.stdout, text.String())
		return err
	}
	return writeFile(o.out, []byte(text.String()))
}

func exportModel(ctx context.Context, w *strings.Builder, st *store.Store, topic string) error {
	t, err := st.TopicByName(ctx, topic)
	if err != nil {
		return app.WithHint(fmt.Errorf("topic %q: %w", topic, err), "nightjar export lists the topics")
	}
	m, err := st.LatestModel(ctx, t.ID)
	if errors.Is(err, store.ErrNotFound) {
		return app.WithHint(fmt.Errorf("topic %q has no model yet", topic), "submit a session of it first")
	}
	if err != nil {
		return err
	}
	w.Write(m.Encoded())
	return nil
}

var errNoSession = errors.New("export: there is no such session")

func exportSessions(ctx context.Context, w *strings.Builder, st *store.Store, uuid, topic string) error {
	sessions, err := st.Sessions(ctx)
	if err != nil {
		return err
	}
	n := 0
	for _, s := range sessions {
		if s.UUID != uuid && !(topic != "" && strings.EqualFold(s.Topic, topic)) {
			continue
		}
		events, err := st.SessionEvents(ctx, s.ID)
		if err != nil {
			return err
		}
		if err := session.Write(w, events); err != nil {
			return err
		}
		n++
	}
	if n == 0 {
		return app.WithHint(errNoSession, "nightjar export lists the sessions")
	}
	return nil
}

func listSessions(ctx context.Context, env *environment, st *store.Store) error {
	sessions, err := st.Sessions(ctx)
	if err != nil {
		return err
	}
	if len(sessions) == 0 {
		fmt.Fprintln(env.stdout, "no sessions yet: start one in the browser extension")
	}
	for _, s := range sessions {
		fmt.Fprintf(env.stdout, "%s  %-10s  %s\n", s.UUID, s.Status, s.Topic)
	}
	return nil
}
