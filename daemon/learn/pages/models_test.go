package pages

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/web/frame"
)

// TestConceptGraphIsKept lays out the concept graph once; it goes with the data of its version.
func TestConceptGraphIsKept(t *testing.T) {
	s := seed(t)
	path := s.ModelPart("graph")
	first := s.Get(path).Body.String()
	if n := s.Count(t, `SELECT count(*) FROM model_pictures`); n != 1 {
		t.Fatalf("%d pictures kept", n)
	}
	if s.Get(path).Body.String() != first {
		t.Error("the second request shows something else")
	}
	kept := conceptOfBundle(s.Bundle)
	kept.Caption = "This one was kept."
	body, err := frame.Pack(kept)
	if err != nil {
		t.Fatal(err)
	}
	s.Exec(t, `UPDATE model_pictures SET body = ?`, body) // another picture, to see that it is the kept one that is shown
	if got := webtest.Text(s.Page(t, path).Find("#concept-caption")); got != kept.Caption {
		t.Errorf("the kept picture is not shown, but %q", got)
	}
	s.Exec(t, `UPDATE model_pictures SET body = x'00'`)
	if s.Get(path).Body.String() != first {
		t.Error("a broken picture is not made again in the same way")
	}
	if err := models.Forget(t.Context(), s.Store.DB, s.Model); err != nil {
		t.Fatal(err)
	}
	if n := s.Count(t, `SELECT count(*) FROM model_pictures`); n != 0 {
		t.Error("the picture outlives the data of its version")
	}
}

// TestConceptTable walks the parts of the table: each page has a row, and the symbols lead to the rows.
func TestConceptTable(t *testing.T) {
	s := seed(t)
	seen := map[string]bool{}
	for from := 1; from <= len(s.Bundle.Pages); from += frame.RowsShown {
		d := s.Page(t, s.ModelPart("graph")+"?from="+strconv.Itoa(from))
		d.Find("#graph-pages tbody tr").Each(func(_ int, row *goquery.Selection) { seen[row.AttrOr("id", "")] = true })
		d.Find(".web-pages a").Each(func(_ int, a *goquery.Selection) {
			if href := a.AttrOr("href", ""); strings.HasPrefix(href, "#") && d.Find(href).Length() != 1 {
				t.Errorf("from %d: a symbol leads to %s, which is not shown", from, href)
			}
		})
	}
	if len(seen) != len(s.Bundle.Pages) {
		t.Errorf("%d rows of %d pages", len(seen), len(s.Bundle.Pages))
	}
}

func TestModelPage(t *testing.T) {
	s := seed(t)
	if got, want := s.Page(t, s.ModelPart("words")).Find(".cluster").Length(), len(s.Bundle.Clusters); got != want {
		t.Errorf("%d clusters, want %d", got, want)
	}
	d := s.Page(t, s.ModelPath())
	if got, want := d.Find(".clusters-short li").Length(), len(s.Bundle.Clusters); got != want {
		t.Errorf("%d clusters in the overview, want %d", got, want)
	}
	if got := d.Find(".states .row-of .node").Length(); got != 4 {
		t.Errorf("%d states", got)
	}
	if got := s.Page(t, s.ModelPart("graph")).Find("#concept-graph .web-pages a").Length(); got != len(s.Bundle.Pages) {
		t.Errorf("%d pages in the concept graph", got)
	}
	d.Find("table.heat").Each(func(_ int, m *goquery.Selection) {
		if m.Find("tbody tr").Length() != 4 {
			t.Errorf("%d rows", m.Find("tbody tr").Length())
		}
	})
	if got := webtest.Text(d.Find("#relevant")); !strings.Contains(got, frame.Decimal(s.Bundle.Gamma.Value)) {
		t.Errorf("threshold %q", got)
	}
	if code := s.Get("/model/"+strconv.FormatInt(s.Topic, 10)+"/9").Code + s.Get(s.ModelPart("nothing")).Code; code != 2*http.StatusNotFound {
		t.Errorf("a version that is not there: %d", code)
	}
	s.MustPost(t, "/topics/"+strconv.FormatInt(s.Topic, 10)+"/train", nil)
	if len(s.Submitted) != 1 {
		t.Error("training was not asked for")
	}
}

func TestStopTraining(t *testing.T) {
	s := seed(t)
	s.Training[s.Topic] = trainer.Status{TopicID: s.Topic, Running: true, Stage: "space", Done: 0, Total: 1}
	action := fmt.Sprintf("/topics/%d/train/stop", s.Topic)
	for _, path := range []string{"/", "/sessions", "/settings"} {
		if s.Page(t, path).Find(`#banners form[action="`+action+`"] button`).Length() != 1 {
			t.Errorf("%s shows a training without a button to stop it", path)
		}
	}
	s.MustPost(t, action, nil)
	if !slices.Equal(s.Canceled, []int64{s.Topic}) {
		t.Errorf("stopped %v", s.Canceled)
	}
	s.Training[s.Topic] = trainer.Status{TopicID: s.Topic, Stage: "stopped", Problem: trainer.Problem(trainer.ErrStopped)}
	banner := s.Page(t, "/").Find("#banners")
	if words := webtest.Text(banner); !strings.Contains(words, "The training was stopped. The previous model stays in use.") || strings.Contains(words, "failed") {
		t.Errorf("after it was stopped: %s", words)
	}
	if w := s.Post("/topics/999/train/stop", nil); w.Code != http.StatusNotFound {
		t.Errorf("a topic that is not there: %d", w.Code)
	}
}
