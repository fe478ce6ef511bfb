package echo

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"

	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/model"
)

// ranks lists links of which those of the site bad.test drop out when it is refused. A training fails the test.
type ranks struct {
	t     *testing.T
	begun func()
}

func (r ranks) Try(context.Context, int64, int64) (*trainer.Trial, error) {
	r.t.Error("a refused site was trained with")
	return nil, errors.New("no training")
}

func (r ranks) Again(context.Context, *trainer.Trial, uint64) (*model.Bundle, error) {
	r.t.Error("a refused site was trained with")
	return nil, errors.New("no training")
}

func (r ranks) Preview(_ context.Context, of scheduler.Previewed, n int) (p scheduler.Preview, err error) {
	if r.begun != nil {
		r.begun()
	}
	for i := range n {
		if i%5 == 0 && of.Topic == 1 && of.As.Name == "bad.test" {
			if !of.As.Refused {
				p.Links = append(p.Links, scheduler.PreviewLink{URL: fmt.Sprintf("http://bad.test/%d", i)})
			}
			continue
		}
		p.Links = append(p.Links, scheduler.PreviewLink{URL: fmt.Sprintf("http://good.test/%d", i)})
	}
	return p, nil
}

// TestRefusedSite: refusing a site says which of the first links drop out, and allowing it which come back, for the topics
// whose first links change.
func TestRefusedSite(t *testing.T) {
	st, err := store.Open(t.Context(), storetest.Path(t))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	for _, name := range []string{"Tides", "Moss", "No start page"} {
		topic, err := topics.Create(t.Context(), st.DB, name)
		if err == nil {
			_, err = models.Save(t.Context(), st.DB, st.Erasures(), topic.ID, trained(t, 1), models.Facts{})
		}
		if err == nil && name != "No start page" {
			_, err = startpages.Add(t.Context(), st.DB, topic.ID, "http://start.test/")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	e := New(st, ranks{t: t}, ranks{t: t}, &notify.Bus{}, slog.New(slog.DiscardHandler))
	e.Refused("bad.test", true)
	if now := e.Now(); !now.Learning || now.Site != "bad.test" {
		t.Errorf("at once: %+v", now)
	}
	e.compareAll(t.Context())
	now := e.Now()
	if now.Learning || len(now.Topics) != 1 {
		t.Fatalf("compared: %+v", now)
	}
	c := now.Topics[0]
	if c.Topic != "Tides" || c.Before[0].URL != "http://bad.test/0" || c.After[0].URL != "http://good.test/1" || len(c.After) != 10 || !slices.Contains(c.Sites, Site{"bad.test", 10, 0}) {
		t.Errorf("%+v", c)
	}
	e.Refused("bad.test", false)
	e.compareAll(t.Context())
	if c := e.Now().Topics[0]; c.Before[0].URL != "http://good.test/1" || c.After[0].URL != "http://bad.test/0" {
		t.Errorf("allowed again: %+v", c)
	}
	e.Refused("other.test", true)
	e.compareAll(t.Context())
	if now := e.Now(); now.Learning || now.Site != "other.test" || len(now.Topics) != 0 {
		t.Errorf("a site without links: %+v", now)
	}

	// A mark that comes meanwhile ends the comparison; the site is compared with the next one, and not shown as the mark's.
	late := New(st, &learner{tried: make(chan int64, 9), err: errors.New("broken")}, nil, &notify.Bus{}, slog.New(slog.DiscardHandler))
	begun := 0
	late.scheduler = ranks{t: t, begun: func() {
		if begun++; begun == 1 {
			late.Marked([]int64{1}, 0)
		}
	}}
	late.Refused("bad.test", true)
	late.compareAll(t.Context())
	if now := late.Now(); !now.Learning || len(now.Topics) != 0 {
		t.Errorf("interrupted: %+v", now)
	}
	late.compareAll(t.Context())
	if now := late.Now(); now.Learning || now.Site != "" || len(now.Topics) != 1 || now.Topics[0].Site != "" {
		t.Errorf("after it: %+v", now)
	}
}
