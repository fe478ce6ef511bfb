package app

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"nightjar/crawler/failpoint"
	"nightjar/daemon/base/command"
	"nightjar/daemon/base/jobs"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/store"
	"nightjar/model"
)

// MaxModel is the size in bytes of the largest model that is imported.
const MaxModel = 256 << 20

// modelMagic are the first bytes of a model.
const modelMagic = "NJBUNDLE"

// Imported is the result of an import. A session file sets the numbers, a model Topic and Version.
type Imported struct {
	Events   int       `json:"events"` // that are stored now
	Known    int       `json:"known"`  // how many of them were stored before
	Sessions int       `json:"sessions"`
	LeftOut  []LeftOut `json:"left_out,omitempty"` // what the person does not want to have stored
	Problems []string  `json:"problems,omitempty"` // why submitted sessions cannot be trained and stay open
	Topic    string    `json:"topic,omitempty"`    // of the imported model
	Version  int       `json:"version,omitempty"`  // that the imported model became
}

// LeftOut counts events that were left out for one reason.
type LeftOut struct {
	Reason string `json:"reason"`
	Events int    `json:"events"`
}

// IsModel reports whether a file holds a model and not sessions, by its first bytes or by its name.
func IsModel(name string, text []byte) bool {
	return bytes.HasPrefix(text, []byte(modelMagic)) || strings.HasSuffix(name, ".bundle")
}

// imports stores files, and finishes those that were interrupted.
type imports struct {
	dir     string // data folder
	store   *store.Store
	trainer *trainer.Trainer
	bus     *notify.Bus
	log     *slog.Logger
	loop    jobs.Loop
}

func newImports(dir string, st *store.Store, t *trainer.Trainer, bus *notify.Bus, log *slog.Logger) *imports {
	m := &imports{dir: dir, store: st, trainer: t, bus: bus, log: log}
	m.loop = jobs.Loop{Step: m.finish, Retry: tryAgain, Failed: func(err error) {
		log.Error("an import that was interrupted could not be finished; it is tried again", "error", err)
	}}
	return m
}

// Import stores a session file completely or not at all and trains the topics that it submits. A model becomes the newest
// version of its topic's model.
func (m *imports) Import(ctx context.Context, r io.Reader) (*Imported, error) {
	done, topics, err := importFile(ctx, m.dir, m.store, m.trainer, r)
	if errors.Is(err, sessions.ErrImportLater) {
		m.loop.Wake()
	}
	failpoint.Here("import.stored")
	for _, id := range topics {
		m.trainer.Submit(id)
	}
	return done, err
}

// finish finishes an import that was interrupted, and trains the topics that it submits.
func (m *imports) finish(ctx context.Context) (time.Duration, error) {
	did, err := sessions.FinishImport(ctx, m.store)
	if err == nil && did {
		m.log.Info("an import that was interrupted is finished")
		m.bus.Tell(notify.News{Kind: "session"})
		err = m.trainer.SubmitStale(ctx)
	}
	return jobs.Never, err
}

// importFile stores a session file or a model, and returns the topics that have something new to learn. dir is the folder
// for its scratch file.
func importFile(ctx context.Context, dir string, st *store.Store, t *trainer.Trainer, r io.Reader) (*Imported, []int64, error) {
	in := bufio.NewReader(r)
	first, err := in.Peek(len(modelMagic))
	if err != nil && err != io.EOF {
		return nil, nil, fmt.Errorf("import: %w", err)
	}
	if !IsModel("", first) {
		return importEvents(ctx, dir, st, in)
	}
	text, err := AllOfModel(in)
	if err != nil {
		return nil, nil, err
	}
	done, err := importModel(ctx, t, text)
	return done, nil, err
}

// AllOfModel reads a model's file of at most MaxModel bytes.
func AllOfModel(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxModel+1))
	if err == nil && len(text) > MaxModel {
		err = command.WithHint(fmt.Errorf("the model is larger than %d MB", MaxModel>>20), "export it again; nothing was imported")
	}
	return text, err
}

// importModel stores a model as the newest version of its topic's model.
func importModel(ctx context.Context, t *trainer.Trainer, text []byte) (*Imported, error) {
	b, err := ReadModel(text)
	if err != nil {
		return nil, err
	}
	topic, m, err := t.Import(ctx, b)
	if err != nil {
		return nil, err
	}
	return &Imported{Topic: topic.Name, Version: m.Version}, nil
}

// ReadModel decodes a model. Its errors say what to do.
func ReadModel(text []byte) (*model.Bundle, error) {
	b, err := model.Decode(text)
	switch {
	case errors.Is(err, model.ErrNewerFormat):
		return nil, command.WithHint(err, "update nightjar, then import the model again; nothing was imported")
	case errors.Is(err, model.ErrOlderFormat):
		return nil, command.WithHint(err, "import the sessions that it was trained on instead, or export it again with this version; nothing was imported")
	case err != nil:
		return nil, command.WithHint(err, "the file is incomplete or damaged: export or copy it again; nothing was imported")
	}
	return b, nil
}

// Import stores a session file or a model in the store of the data folder dir, which no daemon serves. It trains the topics
// of sessions before it returns. When it returns both a result and an error, the file is stored and a training failed.
func Import(ctx context.Context, dir string, st *store.Store, t *trainer.Trainer, r io.Reader) (*Imported, error) {
	done, topics, err := importFile(ctx, dir, st, t, r)
	if err != nil {
		return nil, err
	}
	for _, id := range topics {
		switch _, err := t.Train(ctx, id); {
		case trainer.Untrainable(err):
			done.Problems = append(done.Problems, err.Error())
		case err != nil:
			return done, err
		}
	}
	return done, nil
}

// wrongLine returns an error of an import with advice for the person.
func wrongLine(err error) error {
	if line, ok := errors.AsType[*session.LineError](err); ok {
		return command.WithHint(err, "look at line %d of the file, or export the session again; nothing was imported", line.Line)
	}
	if errors.Is(err, session.ErrEmpty) {
		return command.WithHint(err, "name a file that \"%s\" wrote; nothing was imported", terminal.Command("export"))
	}
	return fmt.Errorf("import: %w", err)
}
