package load

import (
	"context"
	"errors"
	"fmt"
	"time"

	"nightjar/daemon/browse/ingest"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/cli/demo/client"
	"nightjar/daemon/lab/farm"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/night/settings"
	"nightjar/daemon/store"
	"nightjar/model"
)

// Size of the farm: at one request to each host every two seconds, a crawl reads about farmHosts/2 pages a second.
const (
	farmHosts    = 40
	farmPages    = 40_000
	sessionPages = 40
)

// farmOptions say what is crawled.
func farmOptions() farm.Options {
	return farm.Options{Hosts: farmHosts, Pages: farmPages, Seed: 19, Faults: farm.Faults{Latency: 20 * time.Millisecond}}
}

// Browsers of the run.
var steady, second, flooder = identity(1), identity(2), identity(3)

// identity is a browser that was paired.
func identity(n int) client.Identity {
	key := make([]byte, 32)
	for i := range key {
		key[i] = byte(n*40 + i)
	}
	return client.Identity{Client: uuid(7, n), Origin: "chrome-extension://abcdefghijklmnopabcdefghijklmnop", Key: key}
}

// settle pairs the browsers, and stores a topic with a model and start pages.
func settle(ctx context.Context, name string) (err error) {
	st, err := store.Open(ctx, name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	for i, who := range []client.Identity{steady, second, flooder} {
		if err := ingest.PairBrowser(ctx, st.DB, ingest.Browser{Client: who.Client, Name: fmt.Sprintf("Browser %d", i+1), Origin: who.Origin, Key: who.Key}); err != nil {
			return err
		}
	}
	s := settings.Default()
	s.OnMains, s.Unmetered = false, false
	s.Budget = settings.Budget{}
	if err := st.SaveSettings(ctx, s); err != nil {
		return err
	}
	if err := leaveUntrained(ctx, st); err != nil {
		return err
	}
	f, err := farm.Open(farmOptions())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	topic, err := topics.Create(ctx, st.DB, f.Topic())
	if err != nil {
		return err
	}
	bundle, err := model.Train(ctx, f.Surfed(sessionPages), model.DefaultSettings(), func(model.Progress) {})
	if err != nil {
		return fmt.Errorf("train: %w", err)
	}
	if _, err := models.Save(ctx, st.DB, st.Erasures(), topic.ID, bundle, models.Facts{}); err != nil {
		return err
	}
	for _, url := range f.Starts() {
		if _, err := startpages.Add(ctx, st.DB, topic.ID, url); err != nil {
			return err
		}
	}
	return nil
}

// leaveUntrained notes that the person stopped the training of the topic that was stored before. Its sessions are those of
// years, and no topic has so many: a training would read all of them during the run.
func leaveUntrained(ctx context.Context, st *store.Store) error {
	topic, err := topics.ByName(ctx, st.DB, storedTopic)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	known, err := trainingdata.KnownOf(ctx, st.DB, topic.ID)
	if err != nil {
		return err
	}
	return trainingdata.SaveStopped(ctx, st.DB, topic.ID, known)
}
