package trainer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/marks"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/store"
)

// mustRead returns what a training of the topic would learn from.
func mustRead(t *testing.T, tr *Trainer, topic topics.Topic) *input {
	t.Helper()
	in, err := tr.read(t.Context(), topic, 1)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// countTexts returns how many background texts contain a word.
func countTexts(in *input, word string) int {
	n := 0
	for _, text := range in.set.Background {
		if strings.Contains(text, word) {
			n++
		}
	}
	return n
}

func TestBackgroundOfOtherTopics(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	chains := mustIngest(t, st, walk(1, 8, 2))
	if in := mustRead(t, tr, chains); len(in.set.Background) != 0 {
		t.Fatalf("the only topic has background pages: %v", in.set.Background)
	}
	m := sessiontest.NewMaker(2, start)
	events := []protocol.Event{m.Start("Cooking")}
	add := func(url, html string) {
		v := m.Visit(url, "", protocol.HowTyped, "")
		events = append(events, v, m.Snapshot(v.Page, []byte(html)))
		if strings.Contains(url, "soup") {
			events = append(events, m.Of(protocol.Useful, v.Page, ""))
		}
	}
	for i := range 4 {
		add(fmt.Sprintf("http://cook.test/%d", i), fmt.Sprintf("<p>onion pepper %s", strings.Repeat("salt ", i+1)))
	}
	add("http://cook.test/soup", "<p>soup of onions")
	add("http://cook.test/empty", "<img src=x>")
	add("http://chain.test/1/3", "<p>onion: the same page was visited for both topics")
	open := sessiontest.NewMaker(3, start) // not submitted, so no training may use it yet
	begin := open.Start("Open")
	v := open.Visit("http://open.test/", "", protocol.HowTyped, "")
	mustIngest(t, st, append(events, m.Event(protocol.Submit)))
	mustIngest(t, st, []protocol.Event{begin, v, open.Snapshot(v.Page, []byte("<p>onion still open"))})

	in := mustRead(t, tr, chains)
	if len(in.set.Background) != 5 || countTexts(in, "onion") != 5 || countTexts(in, "both topics") != 0 {
		t.Errorf("background %q, want the five pages with text that only the other topic visited", in.set.Background)
	}
	if !slices.Equal(in.background.hosts, []string{"cook.test"}) || !slices.Equal(in.background.sessions, []string{m.Session}) {
		t.Errorf("hosts %v and sessions %v", in.background.hosts, in.background.sessions)
	}
	fresh, _ := mustTrainer(t, st)
	if again := mustRead(t, fresh, chains); !slices.Equal(again.set.Background, in.set.Background) {
		t.Error("a second trainer reads another background")
	}
	if again := mustRead(t, tr, chains); !slices.Equal(again.set.Background, in.set.Background) {
		t.Error("the background differs when its texts are taken from memory")
	}
}

func TestBackgroundOfCrawls(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	chains := mustIngest(t, st, walk(1, 8, 1))
	other := mustIngest(t, st, walkOf("Other", 2, 5, 1))
	m, err := tr.Train(t.Context(), chains.ID)
	if err != nil {
		t.Fatal(err)
	}
	finds := mustCrawl(t, st, chains, m)
	if len(finds) < 2 {
		t.Fatalf("finds %v", finds)
	}
	own, foreign := mustRead(t, tr, chains), mustRead(t, tr, other)
	if countTexts(own, "lichen")+countTexts(own, "fern") != 0 {
		t.Error("a find without a mark counts as not useful")
	}
	if countTexts(foreign, "lichen") != 1 || countTexts(foreign, "fern") != 1 {
		t.Error("the finds of one topic are not background pages of another")
	}
	if err := marks.Put(t.Context(), st.DB, finds["http://new.test/bad"], store.MarkNotUseful); err != nil {
		t.Fatal(err)
	}
	in := mustRead(t, tr, chains)
	rejected := 0
	for _, p := range in.set.Pages {
		if p.Rejected {
			rejected++
		}
		if p.Rejected != (p.URL == "http://new.test/bad") {
			t.Errorf("%s: rejected = %v", p.URL, p.Rejected)
		}
	}
	if rejected != 1 || countTexts(in, "lichen") != 0 {
		t.Errorf("%d rejected pages, want 1; %d background pages with the rejected text, want 0", rejected, countTexts(in, "lichen"))
	}
}

func TestEntries(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	mustIngest(t, st, walk(1, 8, 1))
	topic := mustIngest(t, st, walk(2, 5, 1))
	in := mustRead(t, tr, topic)
	var urls []string
	for _, i := range in.set.Entries {
		urls = append(urls, in.set.Pages[i].URL)
	}
	if want := []string{"http://chain.test/1/0", "http://chain.test/2/0"}; !slices.Equal(urls, want) {
		t.Errorf("entry pages %v, want %v", urls, want)
	}
}

// TestSpread checks that spread picks equally many pages from each source that has enough, and nothing twice.
func TestSpread(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 3))
		var all []trainingdata.BackgroundPage
		known := map[string]bool{}
		size := map[string]int{}
		for s := range 1 + rng.IntN(5) {
			session := fmt.Sprint("session ", s)
			for p := range rng.IntN(30) {
				url := fmt.Sprintf("http://a.test/%d/%d", s, p)
				all = append(all, trainingdata.BackgroundPage{Session: session, URL: url, Hash: []byte(url)})
				if rng.IntN(5) == 0 {
					known[url] = true
				} else {
					size[session]++
				}
			}
		}
		limit := rng.IntN(80)
		picked := spread(all, known, limit)
		got, total := map[string]int{}, 0
		for _, p := range picked {
			if known[p.URL] {
				t.Fatalf("seed %d: %s is a known address", seed, p.URL)
			}
			got[p.Session]++
		}
		for session, n := range size {
			total += n
			for other := range size {
				if got[session] < n && got[other] > got[session]+1 {
					t.Fatalf("seed %d: %d pages of %s, but %d of %s", seed, got[session], session, got[other], other)
				}
			}
		}
		if len(picked) != min(limit, total) {
			t.Fatalf("seed %d: %d picked of %d, limit %d", seed, len(picked), total, limit)
		}
	}
	twice := []trainingdata.BackgroundPage{{Session: "a", URL: "u", Hash: []byte("h")}, {Session: "b", URL: "u", Hash: []byte("i")}, {Session: "b", URL: "v", Hash: []byte("h")}}
	if picked := spread(twice, nil, 9); len(picked) != 1 {
		t.Errorf("picked %v, want one page for the same address and the same content", picked)
	}
}
