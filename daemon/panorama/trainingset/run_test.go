package trainingset

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/morning/search"
)

// provider is made of a function.
type provider func(phrase string) ([]Hit, error)

func (p provider) Search(_ context.Context, phrase string, n int) ([]Hit, error) {
	if n != MaxHits {
		return nil, errors.New("another number")
	}
	return p(phrase)
}

func TestRunJoinsHits(t *testing.T) {
	var told []Progress
	got, err := Run(t.Context(), provider(func(phrase string) ([]Hit, error) {
		return map[string][]Hit{
			"One": {{"http://a.test/", "", "", search.TitlePhrase}, {"http://b.test/", "B", "b", search.TitleNear}},
			"Two": {{"http://b.test/", "other", "other", search.TitleWords}, {"http://a.test/", "A", "a", search.TitleWords}},
		}[phrase], nil
	}), []string{"One", "none", "Two", "one.", " "}, func(p Progress) { told = append(told, p) })
	want := Result{Missing: []string{"none"}, Pages: []trainingdata.Positive{
		{URL: "http://a.test/", Title: "A", Snippet: "a", Reasons: []trainingdata.PositiveReason{{Title: "One", Stage: search.TitlePhrase, Place: 1}, {Title: "Two", Stage: search.TitleWords, Place: 2}}},
		{URL: "http://b.test/", Title: "B", Snippet: "b", Reasons: []trainingdata.PositiveReason{{Title: "One", Stage: search.TitleNear, Place: 2}, {Title: "Two", Stage: search.TitleWords, Place: 1}}},
	}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	if !reflect.DeepEqual(told, []Progress{{"One", 1, 3, 2}, {"none", 2, 3, 2}, {"Two", 3, 3, 2}}) {
		t.Errorf("told %+v", told)
	}
}

// An address among the titles is a positive page that nobody is asked for.
func TestRunTakesAddresses(t *testing.T) {
	titles := []string{"HTTPS://doi.org/10.1/x", "One", "https://a.test/#part", "https://a.test/", "http://u:p@b.test/", "https://c.test/ is a title"}
	var asked []string
	p := provider(func(phrase string) ([]Hit, error) {
		asked = append(asked, phrase)
		return []Hit{{URL: "https://a.test/", Title: "A", Stage: search.TitlePhrase}}, nil
	})
	got, err := Run(t.Context(), p, titles, nil)
	var urls, stages []string
	for _, page := range got.Pages {
		urls = append(urls, page.URL)
		for _, r := range page.Reasons {
			stages = append(stages, r.Stage)
		}
	}
	if err != nil || !reflect.DeepEqual(urls, []string{"https://doi.org/10.1/x", "https://a.test/"}) ||
		!reflect.DeepEqual(stages[:2], []string{StageNamed, StageNamed}) || got.Pages[1].Title != "A" {
		t.Errorf("%q by %q, %v", urls, stages, err)
	}
	if want := []string{"One", "http://u:p@b.test/", "https://c.test/ is a title"}; !reflect.DeepEqual(asked, want) {
		t.Errorf("asked for %q, want %q", asked, want)
	}
	if plan, err := PlanOf(t.Context(), p, titles); err != nil || !reflect.DeepEqual(plan.Named, urls) {
		t.Errorf("%q, %v", plan.Named, err)
	}
}

func TestRunStopsAtErrorsOfItsOwn(t *testing.T) {
	broken := errors.New("disk is full")
	got, err := Run(t.Context(), provider(func(phrase string) ([]Hit, error) {
		if phrase == "two" {
			return nil, broken
		}
		return []Hit{{URL: "http://a.test/" + phrase}}, nil
	}), []string{"one", "two", "three"}, nil)
	if !errors.Is(err, broken) || len(got.Pages) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestList(t *testing.T) {
	l, bad, err := ReadList(strings.NewReader("\ufeffhttp://a.test/\r\n\n# note\nhttp://a.test/#again\nnonsense\n javascript:alert(1)\n" +
		"http://u:p@b.test/\nhttp://c.test/\tThe Title\nhttp://d.test/ the title!\n"))
	if err != nil || len(bad) != 3 || bad[0].Line != 5 || !strings.Contains(bad[0].Error(), `line 5: "nonsense"`) || bad[2].Line != 7 {
		t.Fatalf("%+v, %v", bad, err)
	}
	got, err := Run(t.Context(), l, []string{"The title", "none"}, nil)
	want := Result{Missing: []string{"none"}, Pages: []trainingdata.Positive{
		{URL: "http://a.test/", Reasons: []trainingdata.PositiveReason{{Title: "", Stage: StageList, Place: 1}}},
		{URL: "http://c.test/", Reasons: []trainingdata.PositiveReason{{Title: "The title", Stage: StageList, Place: 1}}},
		{URL: "http://d.test/", Reasons: []trainingdata.PositiveReason{{Title: "The title", Stage: StageList, Place: 2}}},
	}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	for text, want := range map[string]string{
		"":    "no address",
		"x\n": "no address",
		strings.Repeat("http://a.test/\n", 1<<17): "too long",
		strings.Repeat("x", 2<<20):                "too long",
	} {
		if _, _, err := ReadList(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d bytes: %v, want %q", len(text), err, want)
		}
	}
}
