package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/cli/demo/demoweb"
	"nightjar/daemon/cli/demo/surfer"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/lab/recording"
)

// MadeUp is a made-up web (package demoweb) as a corpus: NAME.warc.gz, NAME.labels.tsv with the label "topic", and
// NAME.session.jsonl with the web's scripted session.
type MadeUp struct {
	Name string `json:"name"`
	Seed uint64 `json:"seed"`
}

// write writes the three files to a folder.
func (m MadeUp) write(ctx context.Context, dir string) error {
	web := demoweb.Generate(m.Seed)
	file := func(ending string) string { return filepath.Join(dir, m.Name+ending) }
	var archive, labels, lines bytes.Buffer
	if err := web.Record(&archive); err != nil {
		return err
	}
	for _, url := range web.RelevantPages() {
		labels.WriteString(url + "\ttopic\n")
	}
	if err := errors.Join(os.WriteFile(file(".warc.gz"), archive.Bytes(), 0o600), os.WriteFile(file(".labels.tsv"), labels.Bytes(), 0o600)); err != nil {
		return err
	}
	replay, _, err := recording.Open([]string{file(".warc.gz")})
	if err != nil {
		return err
	}
	defer replay.Close()
	events, err := evening(ctx, web, replay)
	if err != nil {
		return err
	}
	if err := session.Write(&lines, events); err != nil {
		return err
	}
	return os.WriteFile(file(".session.jsonl"), lines.Bytes(), 0o600)
}

// evening returns the events of the web's scripted session.
func evening(ctx context.Context, web *demoweb.Web, replay *recording.Replay) ([]protocol.Event, error) {
	rng := rand.New(rand.NewPCG(web.Seed, 0x6576656e696e67))
	var events []protocol.Event
	s := surfer.New(surfer.Options{
		Client: surfer.NewClient(rng), Topic: web.Topic, Start: corpus.Epoch, Rand: rng, Load: corpus.Loader(replay),
		Emit: func(e protocol.Event) error {
			events = append(events, e)
			return nil
		},
	})
	if err := demoweb.Play(ctx, s, web.Script(), nil); err != nil {
		return nil, fmt.Errorf("play the made-up session: %w", err)
	}
	return events, nil
}
