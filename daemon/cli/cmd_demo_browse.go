package cli

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"time"

	"nightjar/daemon/base/command"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/cli/demo/client"
	"nightjar/daemon/cli/demo/demoweb"
	"nightjar/daemon/cli/demo/surfer"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/trainer"
)

// evening is how long ago the session of the script starts.
const evening = time.Hour

// browse plays the script through the daemon's socket and waits until the daemon has learned from it.
func (d *demo) browse(ctx context.Context) (*models.Model, error) {
	rng := rand.New(rand.NewPCG(d.o.seed, 0x64656d6f))
	who, err := d.pair(ctx, surfer.NewClient(rng))
	if err != nil {
		return nil, fmt.Errorf("pair: %w", err)
	}
	c, err := client.Connect(ctx, d.app.Addr(), who, client.Options{})
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	defer c.Close()
	var pending []protocol.Event
	s := surfer.New(surfer.Options{
		Client: who.Client, Topic: d.web.Topic, Start: time.Now().Add(-evening), Rand: rng, Load: d.loader(),
		Emit: func(e protocol.Event) error {
			pending = append(pending, e)
			return nil
		},
	})
	steps := d.web.Script()
	show := command.NewProgress(d.env.Stderr, "playing a session of browsing, steps", len(steps))
	err = demoweb.Play(ctx, s, steps, func(n int) error { // each step is acknowledged before the next
		err := c.Send(ctx, pending...)
		pending = pending[:0]
		show.Set(n)
		return err
	})
	show.End()
	if err != nil {
		return nil, fmt.Errorf("play the session: %w", err)
	}
	return d.learn(ctx)
}

// pair pairs as a browser does, and approves the digits as the person would in the dashboard.
func (d *demo) pair(ctx context.Context, browser string) (client.Identity, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	d.app.Ingest.OpenPairing(2 * time.Minute)
	approved := make(chan error, 1)
	who, err := client.Pair(ctx, d.app.Addr(), browser, demoBrowser, demoOrigin, func(digits string) {
		go func() {
			err := d.until(ctx, func() (bool, error) { return d.app.Ingest.Pairing().Pending != nil, nil })
			if err == nil {
				err = d.app.Ingest.Approve(digits)
			}
			approved <- err
		}()
	})
	if err != nil {
		return who, err
	}
	return who, <-approved
}

// loader gets documents over HTTP; every host name resolves to the made-up web.
func (d *demo) loader() surfer.Loader {
	addr := d.sites.Addr().String()
	dialer := &net.Dialer{Timeout: 5 * time.Second}
	browser := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, network, addr)
		},
	}}
	return func(ctx context.Context, url string) (surfer.Document, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return surfer.Document{}, err
		}
		res, err := browser.Do(req)
		if err != nil {
			return surfer.Document{}, err
		}
		defer res.Body.Close()
		html, err := io.ReadAll(io.LimitReader(res.Body, protocol.MaxHTML))
		if err == nil && res.StatusCode != http.StatusOK {
			err = fmt.Errorf("status %d", res.StatusCode)
		}
		return surfer.Document{URL: res.Request.URL.String(), HTML: html}, err
	}
}

// learn waits for the training that Submit started.
func (d *demo) learn(ctx context.Context) (*models.Model, error) {
	topic, err := topics.ByName(ctx, d.app.Store.DB, d.web.Topic)
	if err != nil {
		return nil, err
	}
	show := command.NewProgress(d.env.Stderr, "learning", 0)
	defer show.End()
	stage := ""
	err = d.until(ctx, func() (bool, error) {
		status := d.app.Trainer.Status(topic.ID)
		switch {
		case status.Problem != "":
			return false, fmt.Errorf("the daemon could not learn: %s", status.Problem)
		case status.Running && status.Stage != stage:
			stage = status.Stage
			show.Say(trainer.InWords(stage))
		}
		return !status.Running && status.Stage == "done", nil
	})
	if err != nil {
		return nil, err
	}
	return models.Latest(ctx, d.app.Store.DB, topic.ID)
}
