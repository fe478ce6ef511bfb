package trainer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/crawler/feature"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/learn/models"
	"nightjar/model"
	"nightjar/model/crf"
	"nightjar/model/ways"
)

// evening is a session of ways to courses, home > faculty > course, and of ways that led nowhere. names, if any, are given
// to the pages of the faculty.
func evening(t *testing.T, day int, names bool) *session.Session {
	t.Helper()
	web := linked("home>f1,f2,f3,n1,n2 f1>c1,n1 f2>c2,n2 f3>c3 n1>home n2>home c1>home c2>home c3>home")
	for kind, said := range map[byte]string{'c': "course homework lecture exam", 'f': "faculty professor teaching research", 'n': "news press sports weather"} {
		for page := range web {
			if page[0] == kind {
				web[page] = strings.Replace(web[page], "<p>", "<p>"+said+" ", 1)
			}
		}
	}
	var script string
	for i := 1; i <= 3; i++ {
		script += fmt.Sprintf("typed=home link=f%d link=c%d useful ", i, i)
	}
	r := browsed(t, web, day, script+"typed=home link=n1 back link=n2 back link=f1 submit")
	if names {
		for _, v := range r.Visits {
			switch page := v.URL[strings.LastIndex(v.URL, "/")+1:]; page[0] {
			case 'f':
				r.Namings = append(r.Namings, session.Naming{URL: v.URL, Name: "faculty", At: r.LastEvent})
			case 'h':
				r.Namings = append(r.Namings, session.Naming{URL: v.URL, Name: "home", At: r.LastEvent})
			}
		}
	}
	return r
}

func mustBundle(t *testing.T, recs []*session.Session) *model.Bundle {
	t.Helper()
	b, err := model.Train(t.Context(), Set("Courses", recs, nil), model.DefaultSettings(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestLearnWays: a model gets what the ways of its sessions teach, whatever the order of the sessions.
func TestLearnWays(t *testing.T) {
	recs := []*session.Session{evening(t, 1, false), evening(t, 2, true)}
	b := mustBundle(t, recs)
	var stages []string
	learned, err := LearnWays(t.Context(), b, Walked{Sessions: recs, Sets: feature.DefaultSets()}, func(p model.Progress) {
		stages = append(stages, fmt.Sprint(p.Stage, " ", p.Done, "/", p.Total))
	})
	if err != nil || learned.Ways == nil || learned.NoWays != "" || b.Ways != nil {
		t.Fatalf("%v, %q", err, learned.NoWays)
	}
	w := learned.Ways
	if w.Labelling != ways.Hops || w.Facts.Positive != 3 || w.Facts.Negative == 0 || w.Facts.Paths[ways.Marked] != 3 || w.HeadingSets != feature.DefaultSets().String() {
		t.Errorf("%s, %+v", w.Labelling, w.Facts)
	}
	if w.Visits[w.Goal] <= w.Visits[len(w.Visits)-1] {
		t.Errorf("labels %q are worth %v", w.Labels, w.Visits)
	}
	if len(stages) < 2 || stages[0] != "ways 0/1" || !strings.HasPrefix(stages[len(stages)-1], "ways ") {
		t.Errorf("stages %q", stages)
	}
	again, err := LearnWays(t.Context(), b, Walked{Sessions: []*session.Session{recs[1], recs[0]}, Sets: feature.DefaultSets()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	one, err1 := learned.Encode()
	two, err2 := again.Encode()
	if err1 != nil || err2 != nil || !bytes.Equal(one, two) {
		t.Errorf("in another order, the bytes differ (%v, %v)", err1, err2)
	}
}

// TestNoWays: too few ways are a reason, and no error.
func TestNoWays(t *testing.T) {
	recs := []*session.Session{evening(t, 1, false)}
	b := mustBundle(t, recs)
	const want = "3 ways to a useful page are needed, this topic has none"
	if got, err := LearnWays(t.Context(), b, Walked{}, nil); err != nil || got.Ways != nil || !strings.HasPrefix(got.NoWays, want) {
		t.Errorf("%v, %q; want %q", err, got.NoWays, want)
	}
}

// TestTrainLearnsWays: the stored model has the ways, and keeps them with its report; the stage is told. A file of heading
// sets that cannot be read is the reason why there are none.
func TestTrainLearnsWays(t *testing.T) {
	st := mustStore(t)
	tr, bus := mustTrainer(t, st)
	news, stop := bus.Listen()
	defer stop()
	topic := mustIngest(t, st, walk(1, 12, 4))
	m, err := tr.Train(t.Context(), topic.ID)
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Bundle()
	if err != nil || b.Report == nil || (b.Ways == nil) == (b.NoWays == "") {
		t.Fatalf("%v, report %v, ways %v, %q", err, b.Report, b.Ways, b.NoWays)
	}
	told := false
	for len(news) > 0 {
		s := (<-news).Data.(Status)
		told = told || s.Stage == model.StageWays
	}
	if !told {
		t.Error("the stage was not told")
	}
	file := filepath.Join(filepath.Dir(st.Path()), HeadingsFile)
	if err := os.WriteFile(file, []byte("no colon"), 0o600); err != nil {
		t.Fatal(err)
	}
	if m, err = tr.Train(t.Context(), topic.ID); err != nil {
		t.Fatal(err)
	}
	if b, err = m.Bundle(); err != nil || b.Ways != nil || !strings.Contains(b.NoWays, "line 1") || !strings.Contains(b.NoWays, HeadingsFile) {
		t.Errorf("%v, %q", err, b.NoWays)
	}
}

// TestCancelWays stops a training while it learns from ways: the model before stays in use.
func TestCancelWays(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	topic := mustIngest(t, st, walk(1, 8, 2))
	first, err := tr.Train(t.Context(), topic.ID)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err = tr.inTurn(ctx, topic, request{}, func(p model.Progress) {
		if p.Stage == model.StageWays {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if m, err := models.Latest(t.Context(), st.DB, topic.ID); err != nil || m.ID != first.ID {
		t.Errorf("the newest model is %+v, %v", m, err)
	}
}

// TestStuckWays: the message names c₂ and the iteration.
func TestStuckWays(t *testing.T) {
	err := fmt.Errorf("learn: %w", &crf.ConvergenceError{C2: .05, Iteration: 17, Err: errors.New("no progress")})
	if got := Problem(err); !strings.Contains(got, "iteration 17 with c₂ = 0.05") || !strings.Contains(got, "previous model stays") {
		t.Errorf("told %q", got)
	}
}
