package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"nightjar/crawler/work"
	"nightjar/daemon/workers/broker/join"
)

// loop asks for tasks, one request at a time, and starts them. It returns nil when the worker has drained or ctx has ended.
func (w *Worker) loop(ctx context.Context) error {
	greeted := false
	var back join.Backoff
	for {
		greeted = !w.mustGreet() && greeted
		room, drained := w.room(w.open())
		switch {
		case ctx.Err() != nil || drained:
			return nil
		case room == 0 && (greeted || w.isDraining()):
			w.sleep(ctx, time.Second)
			continue
		case !greeted:
			err := w.greet(ctx)
			if refused, ok := errors.AsType[*RefusedError](err); ok {
				return refused
			}
			if greeted = err == nil; greeted {
				continue // hands may have to change first
			}
			w.fail("the daemon does not answer: %v", err)
			w.sleep(ctx, back.Next())
			continue
		}
		pause, err := w.ask(ctx, room)
		if err != nil {
			greeted = false // the daemon may be another one when it answers again
			w.fail("asking for tasks: %v", err)
			pause = back.Next()
		} else {
			back.Reset()
		}
		w.pause(ctx, pause)
	}
}

// open reports whether it is one of the worker's hours.
func (w *Worker) open() bool { return open(w.hours, w.o.Wall()) }

const (
	helloTimeout = 10 * time.Second
	askTimeout   = 15 * time.Second
	maxPause     = time.Minute
	minPause     = 50 * time.Millisecond // after an answer without tasks
)

// greet says hello and takes the daemon's user agent.
func (w *Worker) greet(ctx context.Context) error {
	greeting, done := context.WithTimeout(ctx, helloTimeout)
	welcome, err := w.o.Broker.Hello(greeting, w.o.hello())
	done()
	switch {
	case err != nil:
		return err
	case welcome.Refused != "":
		return &RefusedError{"the daemon refuses this worker: " + clip(welcome.Refused)}
	case welcome.Version != w.o.Version:
		return &RefusedError{versions(w.o.Version, welcome.Version, w.o.Program, clip(welcome.Program))}
	}
	if agent := agentOf(welcome.UserAgent, w.o.Program); w.hands == nil || agent != w.agent {
		if err := w.rehire(ctx, agent); err != nil {
			return err
		}
	}
	w.limit(welcome.Parallel)
	w.o.Log.Info("the daemon welcomes this worker", "daemon", clip(welcome.Program), "parallel", w.most())
	return nil
}

// versions says which of the two programs must be updated.
func versions(mine, theirs int, program, daemon string) string {
	which := "update Nightjar on this machine"
	if mine > theirs {
		which = "update the daemon"
	}
	return fmt.Sprintf("this worker (Nightjar %s) speaks version %d of the protocol, and the daemon (Nightjar %s) version %d: %s", program, mine, daemon, theirs, which)
}

// rehire makes hands with the daemon's user agent, once nothing runs with the old ones.
func (w *Worker) rehire(ctx context.Context, agent string) error {
	for w.running() > 0 {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		w.sleep(ctx, time.Second)
	}
	if w.hands != nil {
		if err := w.hands.Close(); err != nil {
			return err
		}
	}
	w.hands, w.agent = w.o.Hands(w.live(agent)), agent
	return nil
}

// ask asks for as many tasks as can start at once, starts them, and returns the pause before the next request.
func (w *Worker) ask(ctx context.Context, room int) (time.Duration, error) {
	asked := w.watch.now()
	asking, done := context.WithTimeout(ctx, askTimeout)
	grant, err := w.o.Broker.Ask(asking, work.Ask{Free: room})
	done()
	if err != nil {
		return 0, err
	}
	for i, t := range grant.Tasks {
		if i == room {
			w.drop(len(grant.Tasks)-room, errors.New("the daemon sent more tasks than were asked for"))
			break
		}
		w.start(ctx, asked, t)
	}
	w.idle(clip(grant.Why))
	pause := min(grant.Pause, maxPause)
	if len(grant.Tasks) == 0 {
		pause = max(pause, minPause)
	}
	return pause, nil
}
