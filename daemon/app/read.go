package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"time"

	"nightjar/daemon/base/command"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/morning/api"
	"nightjar/daemon/store"
	"nightjar/daemon/thesus/wordnet"
)

// readValues reads the parameters of a request to read. Wrong ones give an unknown parameter, which is refused with its
// name.
func readValues(text string) url.Values {
	values, err := url.ParseQuery(text)
	if err != nil {
		return url.Values{text: {""}}
	}
	return values
}

// Read answers a path of the API (see api.Reader.Answer) about the data folder dir into a pointer: by the daemon that
// serves the folder or, when none does, from the database, which it opens for reading only. Its errors say what to do.
func Read(ctx context.Context, dir, path string, values url.Values, into any) error {
	question := url.Values{"path": {path}, "query": {values.Encode()}}
	err := Call(ctx, dir, "/control/read?"+question.Encode(), nil, into)
	if !errors.Is(err, ErrNotRunning) {
		return err
	}
	return readDatabase(ctx, dir, path, values, into)
}

// readDatabase answers from the database alone. It opens it anew each time, so that it is never in a daemon's way.
func readDatabase(ctx context.Context, dir, path string, values url.Values, into any) error {
	st, err := OpenToRead(ctx, dir)
	if err != nil {
		return err
	}
	defer st.Close()
	reader := api.Reader{Store: st, Version: Version, Now: time.Now, WordNet: wordnet.New(wordnet.Options{Dir: dir})}
	answer, err := reader.Answer(ctx, path, values)
	if err != nil {
		return err
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// OpenToRead opens the database of the data folder dir for reading only, whether a daemon serves the folder or not. Its
// errors say what to do. The caller closes the store.
func OpenToRead(ctx context.Context, dir string) (*store.Store, error) {
	st, err := store.OpenReadOnly(ctx, database(dir))
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, command.WithHint(fmt.Errorf("%w on %s, and there is no database to read", ErrNotRunning, dir),
			"start one with: %s, or name another folder with --data DIR", terminal.On(dir, "serve"))
	case errors.Is(err, store.ErrOlder):
		return nil, command.WithHint(err, "start %s once: it updates the database", terminal.On(dir, "serve"))
	case errors.Is(err, store.ErrNewer):
		return nil, command.WithHint(err, "update nightjar; the database was not touched")
	case err != nil:
		return nil, command.WithHint(fmt.Errorf("the database in %s cannot be read: %w", dir, err), "check it with: %s", terminal.On(dir, "doctor"))
	}
	return st, nil
}
