package pages

import (
	"errors"
	"net/http"
	"strings"

	"nightjar/crawler/work"
	"nightjar/daemon/night/tonight"
	"nightjar/daemon/store/settings"
	"nightjar/daemon/web/frame"
	"nightjar/daemon/workers/leases"
)

// handleWorkersSave stores whether other machines fetch, and how they reach this one.
func (s *server) handleWorkersSave(w http.ResponseWriter, r *http.Request) error {
	all, err := s.Store.Settings(r.Context())
	if err != nil {
		return err
	}
	v := func(name string) string { return strings.TrimSpace(r.PostFormValue(name)) }
	all.Workers = settings.Workers{
		Enabled: v("workers_on") == "on", Listen: v("workers_listen"), Address: v("workers_address"), TLS: v("workers_tls"),
		Broker: v("workers_broker"), Login: v("workers_login"), FetchHere: v("workers_none") != "wait",
	}
	return tonight.ChangeSettings(w, r, s.Store, s.Bus, all, "workers-saved")
}

// workerInvited shows the file of a new worker, for the only time.
type workerInvited struct {
	Name, File string
	Listens    bool // workers are on: it can connect at once
	External   bool // a cluster has its credentials: File says what to do there
}

// handleWorkerInvite makes a worker known and shows its file. It is an answer to the form itself, since an address to redirect
// to would have to carry the file.
func (s *server) handleWorkerInvite(w http.ResponseWriter, r *http.Request) error {
	name := strings.TrimSpace(r.PostFormValue("name"))
	if problem := work.NameProblem(name); problem != "" {
		return frame.At("name", frame.BadInput(problem))
	}
	file, err := s.Broker.Invite(r.Context(), name)
	if errors.Is(err, work.ErrName) || errors.Is(err, leases.ErrTaken) {
		return frame.At("name", frame.BadInput(err.Error()))
	}
	if err != nil {
		return err
	}
	s.tell()
	broker := s.Broker.Status()
	p := workerInvited{Name: name, File: string(file), Listens: broker.On, External: broker.External}
	return s.Render(w, r, http.StatusOK, "worker-invited", frame.Layout{Title: "New worker", Section: "settings"}, p)
}

// maxWorkerFile bounds the file of an invitation, in bytes.
const maxWorkerFile = 64 << 10

// handleWorkerFile sends the file that the page of a new worker has back to the browser, for it to save. This way it is kept
// nowhere else.
func (s *server) handleWorkerFile(w http.ResponseWriter, r *http.Request) error {
	name, file := r.PostFormValue("name"), r.PostFormValue("file")
	if problem := work.NameProblem(name); problem != "" || file == "" || len(file) > maxWorkerFile {
		return frame.BadInput("this is not the file of a worker; invite it again")
	}
	file = strings.ReplaceAll(file, "\r\n", "\n") // as it was before the form had it
	return s.SendText(w, r, name+".invitation", "application/octet-stream", file)
}
