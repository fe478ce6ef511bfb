package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"nightjar/crawler/work"
	"nightjar/daemon/base/command"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/base/terminal"
)

// WorkersAction is what a WorkersRequest asks for.
type WorkersAction string

// The actions.
const (
	ListWorkers  WorkersAction = "list"
	InviteWorker WorkersAction = "invite"
	RevokeWorker WorkersAction = "revoke"
)

// WorkersRequest asks a running daemon for something about workers on other machines.
type WorkersRequest struct {
	Do   WorkersAction
	Name string // InviteWorker, RevokeWorker
}

// WorkersAnswer is the answer to a WorkersRequest.
type WorkersAnswer struct {
	Status work.Status       // ListWorkers
	Broker work.BrokerStatus // all
	File   string            // InviteWorker: the invitation, which nobody can show again
}

// maxWorkersRequest bounds a request in bytes.
const maxWorkersRequest = 64 << 10

// Workers carries out a request by the daemon that serves the data folder dir. The error is ErrNotRunning if none does.
func Workers(ctx context.Context, dir string, r WorkersRequest) (*WorkersAnswer, error) {
	var answer *WorkersAnswer
	err := Call(ctx, dir, "/control/workers", r, &answer)
	return answer, err
}

// answerWorkers answers the requests of Workers.
func (a *App) answerWorkers(w http.ResponseWriter, r *http.Request) (any, error) {
	var asked WorkersRequest
	if err := decode(w, r, maxWorkersRequest, &asked); err != nil {
		return nil, err
	}
	out := &WorkersAnswer{}
	switch asked.Do {
	case ListWorkers:
		out.Status = a.Leases.Status()
	case InviteWorker:
		if problem := work.NameProblem(asked.Name); problem != "" {
			return nil, errors.New(problem)
		}
		file, err := a.Broker.Invite(r.Context(), asked.Name)
		if err != nil {
			return nil, err
		}
		out.File = string(file)
		a.Bus.Tell(notify.News{Kind: "workers"})
	case RevokeWorker:
		if err := a.Broker.Revoke(r.Context(), asked.Name); err != nil {
			return nil, command.WithHint(fmt.Errorf("revoke the worker %q: %w", asked.Name, err), "%s shows the workers", terminal.On(a.dir.path, "worker list"))
		}
		a.Bus.Tell(notify.News{Kind: "workers"})
	default:
		return nil, fmt.Errorf("unknown request %q", asked.Do)
	}
	out.Broker = a.Broker.Status()
	return out, nil
}
