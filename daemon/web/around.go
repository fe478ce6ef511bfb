package web

import (
	"context"
	"crypto/sha256"
	_ "embed" // the notices
	"encoding/hex"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/keep/trouble"
	"nightjar/daemon/learn/overview"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/morning/orders"
	"nightjar/daemon/web/frame"
)

// trainingLine is a topic whose training is running, failed or was stopped.
type trainingLine struct {
	TopicID int64
	Topic   string
	Running bool
	Stopped bool // by the person
	Stage   string
	Percent int
	Problem string
	Key     string // of the notice when nothing is running, which can be closed
}

//go:embed notices.txt
var noticeLines string

// noticeOf are the sentences that a page shows after an action, by the key in the page's address.
var noticeOf = func() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(noticeLines) {
		if key, says, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			all[key] = says
		}
	}
	return all
}()

// around is what every page shows above its content.
type around struct {
	Notice    string            // about a finished action; shown once
	Undo      int64             // the change that the notice offers to undo, or 0
	Left      []topics.Topic    // topics that this change left without sessions
	Troubles  []trouble.Trouble // that keep the daemon from storing things now
	Training  []trainingLine
	Orders    int    // of programs, that wait for a yes
	PairState string // "open", "asking", or "" when pairing is closed
}

// around fills in what every page shows around its content.
func (s *Server) around(r *http.Request, l *frame.Layout) error {
	ctx := r.Context()
	a := &around{Troubles: s.Troubles.Now(), Notice: noticeOf[r.URL.Query().Get("done")]}
	l.Around = a
	o, err := overview.Read(ctx, s.Store.DB)
	if err != nil {
		return err
	}
	l.NewFinds = o.NewFinds
	if r.URL.Path != "/programs" { // which lists them
		a.Orders, err = orders.CountWaiting(ctx, s.Store.DB)
	}
	if err != nil {
		return err
	}
	closed, err := s.dismissed(ctx)
	if err != nil {
		return err
	}
	topics, err := overview.Topics(ctx, s.Store.DB)
	if err != nil {
		return err
	}
	for _, t := range topics {
		if line, ok := s.training(t.ID, t.Name); ok && !slices.Contains(closed, line.Key) {
			a.Training = append(a.Training, line)
		}
	}
	switch p := s.Ingest.Pairing(); {
	case p.Pending != nil:
		a.PairState = "asking"
	case p.Open:
		a.PairState = "open"
	}
	if a.Undo = s.undoOffer(r); a.Undo != 0 {
		a.Left, err = sessions.LeftTopics(ctx, s.Store.DB, a.Undo)
	}
	return err
}

// explainTrouble explains an error that comes of a trouble, such as a full disk.
func (s *Server) explainTrouble(r *http.Request, err error) (p frame.Problem, ok bool) {
	s.Troubles.Saw(err) // a file may find no room where the database does
	t, ok := s.Troubles.About(err)
	if !ok {
		return p, false
	}
	s.Log.Error("dashboard request failed", "method", r.Method, "trouble", t.Kind, "err", err)
	return frame.Problem{Status: http.StatusInsufficientStorage, Title: t.Title(), Text: t.Says() + " " + t.Fix() + " What you did last was not stored: do it again then."}, true
}

func (s *Server) training(topic int64, name string) (trainingLine, bool) {
	st := s.Trainer.Status(topic)
	if !st.Running && st.Problem == "" {
		return trainingLine{}, false
	}
	line := trainingLine{TopicID: topic, Topic: name, Running: st.Running, Stopped: st.Stage == "stopped",
		Stage: trainer.InWords(st.Stage), Problem: frame.Sentence(st.Problem), Percent: st.Percent()}
	if !line.Running {
		line.Key = noticeKey("training", name, line.Problem)
	}
	return line, true
}

// TrainingPart is the line about the training of a topic, nil when there is nothing to say.
func (s *Server) TrainingPart(topic int64, name string) any {
	if line, ok := s.training(topic, name); ok {
		return line
	}
	return nil
}

// undoOffer returns the change that the notice of a page offers to undo, 0 for none (any more).
func (s *Server) undoOffer(r *http.Request) int64 {
	id, err := strconv.ParseInt(r.URL.Query().Get("undo"), 10, 64)
	if err != nil {
		return 0
	}
	if c, err := s.Store.PastChange(r.Context(), id); err != nil || c.Undone {
		return 0
	}
	return id
}

// dismissedKey is the setting with the notices that the person closed.
const dismissedKey = "dashboard.dismissed"

// maxDismissed is how many are remembered; the oldest are forgotten first.
const maxDismissed = 50

// noticeKey identifies a notice by its text, so that a new notice about the same thing is shown again.
func noticeKey(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// dismissed returns the notices that the person closed.
func (s *Server) dismissed(ctx context.Context) (keys []string, err error) {
	_, err = s.Store.Setting(ctx, dismissedKey, &keys)
	return keys, err
}

// handleDismiss closes a notice for good.
func (s *Server) handleDismiss(w http.ResponseWriter, r *http.Request) error {
	key := r.PostFormValue("notice")
	if raw, err := hex.DecodeString(key); err != nil || len(raw) != 8 {
		return frame.BadInput("there is no such notice")
	}
	keys, err := s.dismissed(r.Context())
	if err != nil {
		return err
	}
	if !slices.Contains(keys, key) {
		keys = append(keys, key)
		if err := s.Store.SetSetting(r.Context(), dismissedKey, keys[max(0, len(keys)-maxDismissed):]); err != nil {
			return err
		}
	}
	return frame.SeeOther(w, r, frame.BackTo(r, "/"))
}
