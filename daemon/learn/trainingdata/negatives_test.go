package trainingdata_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler/weburl"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/panorama/maps/mapstest"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

func examples(r *rand.Rand, n, sites int) (all []trainingdata.Example) {
	for range n {
		all = append(all, trainingdata.Example{URL: fmt.Sprintf("http://w%d.s%d.com/%d", r.IntN(2), r.IntN(sites), r.IntN(30)), Hash: []byte{byte(r.IntN(100))}})
	}
	return all
}

// TestNegatives draws from random pages and checks what must hold of every draw.
func TestNegatives(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	full, few := 0, 0
	for range 500 {
		sites := 2 + r.IntN(30)
		var positives []string
		own := map[string]bool{}
		for range trainingdata.MinPositives + r.IntN(10) {
			positives = append(positives, fmt.Sprintf("http://www.s%d.com/", r.IntN(sites)))
			own[weburl.Site(positives[len(positives)-1])] = true
		}
		others, background := examples(r, r.IntN(40), sites), examples(r, r.IntN(80), sites)
		seed := r.Uint64()
		got, err := trainingdata.Negatives(positives, trainingdata.Candidates{Others: others, Background: background}, seed)
		usable := func(e trainingdata.Example) bool { return !own[weburl.Site(e.URL)] }
		if err != nil {
			few++
			if !errors.Is(err, trainingdata.ErrFewNegatives) || len(got) != 0 {
				t.Fatalf("%d negatives, %v", len(got), err)
			}
			continue
		}
		if len(got) < trainingdata.MinNegatives || len(got) > 2*len(positives) {
			t.Fatalf("%d negatives for %d positives", len(got), len(positives))
		}
		urls, hashes, fromOthers := map[string]bool{}, map[string]bool{}, true
		for _, e := range got {
			if !usable(e) || urls[e.URL] || hashes[string(e.Hash)] {
				t.Fatalf("%+v must not be drawn", e)
			}
			urls[e.URL], hashes[string(e.Hash)] = true, true
			has := func(in []trainingdata.Example) bool {
				return slices.ContainsFunc(in, func(o trainingdata.Example) bool { return reflect.DeepEqual(o, e) })
			}
			if !has(others) {
				fromOthers = false
			} else if !fromOthers {
				t.Fatalf("%+v of another document comes after background pages", e)
			}
			if !has(others) && !has(background) {
				t.Fatalf("%+v comes from nowhere", e)
			}
		}
		if len(got) < 2*len(positives) || !fromOthers { // then no usable page of the others is left over
			for _, e := range others {
				if usable(e) && !urls[e.URL] && !hashes[string(e.Hash)] {
					t.Fatalf("%+v was passed over", e)
				}
			}
		}
		if len(got) == 2*len(positives) {
			full++
		}
		r.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
		if again, err := trainingdata.Negatives(positives, trainingdata.Candidates{Others: others, Background: slices.Concat(background, background)}, seed); err != nil || !reflect.DeepEqual(again, got) {
			t.Fatalf("in another order: %v, %v; was %v", again, err, got)
		}
	}
	if full < 50 || few < 20 {
		t.Errorf("%d full draws, %d with too few: the test proves little", full, few)
	}
	r = rand.New(rand.NewPCG(4, 4))
	pages := examples(r, 500, 50)
	positives := []string{"http://a.com/", "http://b.com/", "http://c.com/", "http://d.com/", "http://e.com/"}
	a, errA := trainingdata.Negatives(positives, trainingdata.Candidates{Others: pages}, 1)
	b, errB := trainingdata.Negatives(positives, trainingdata.Candidates{Others: pages}, 2)
	if errA != nil || errB != nil || reflect.DeepEqual(a, b) {
		t.Errorf("the seed changes nothing: %v, %v", errA, errB)
	}
	if _, err := trainingdata.Negatives(positives[:4], trainingdata.Candidates{Others: pages}, 1); !errors.Is(err, trainingdata.ErrFewPositives) {
		t.Errorf("four positives: %v", err)
	}
}

// TestNegativesOfOwnCrawls: half of them are pages that the topic's crawls found not useful, also on the site of a positive page;
// where one kind is short, the other is used.
func TestNegativesOfOwnCrawls(t *testing.T) {
	pages := func(site string, n int) (all []trainingdata.Example) {
		for i := range n {
			all = append(all, trainingdata.Example{URL: fmt.Sprintf("http://%s.com/%d", site, i), Hash: fmt.Append(nil, site, i)})
		}
		return all
	}
	var positives []string
	for i := range 6 {
		positives = append(positives, fmt.Sprintf("http://own.com/%d", i))
	}
	for _, c := range []struct{ others, notUseful, background, wantOthers, wantOwn, want int }{
		{20, 50, 20, 6, 6, 12}, {20, 8, 20, 10, 2, 12}, {2, 50, 20, 2, 10, 12}, {0, 50, 0, 0, 12, 12}, {0, 9, 20, 0, 3, 12}, {0, 16, 0, 0, 10, 10},
	} {
		got, err := trainingdata.Negatives(positives, trainingdata.Candidates{pages("others", c.others), pages("own", c.notUseful), pages("rest", c.background)}, 1)
		if err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		count := map[string]int{}
		for _, e := range got {
			count[weburl.Site(e.URL)]++
			if slices.Contains(positives, e.URL) {
				t.Errorf("%+v: %s is a positive page", c, e.URL)
			}
		}
		if len(got) != c.want || count["others.com"] != c.wantOthers || count["own.com"] != c.wantOwn {
			t.Errorf("%+v: %d, of them %v", c, len(got), count)
		}
	}
}

func TestDrawNegatives(t *testing.T) {
	path := storetest.Path(t)
	s := storetest.Must(store.Open(t.Context(), path))(t)
	own, other := mapstest.Document(t, s, "own", "own").ID, mapstest.Document(t, s, "other", "other").ID
	exec := func(text string, args ...any) {
		t.Helper()
		storetest.Exec(t, path, text, args...)
	}
	exec(`INSERT INTO topics (id, name, created_at) VALUES (1, 'Hockey', 1)`)
	exec(`INSERT INTO sessions (id, uuid, topic_id, client, status, started_at) VALUES (1, 's', 1, 'c', 'submitted', 1)`)
	var theirs []trainingdata.Positive
	for i := range 14 {
		url := fmt.Sprintf("http://p%d.com/", i)
		exec(`INSERT INTO contents (hash, gzip) VALUES (?, x'00')`, []byte{byte(i)})
		exec(`INSERT INTO pages (id, url, title, content_hash) VALUES (?, ?, '', ?)`, i+1, url, []byte{byte(i)})
		if i < 6 {
			theirs = append(theirs, trainingdata.Positive{URL: url})
		} else {
			exec(`INSERT INTO visits (load, session_id, page_id, title, how, seq) VALUES (?, 1, ?, '', 'typed', ?)`, url, i+1, i)
		}
	}
	positives := []string{"http://www.p0.com/x", "http://own.com/1", "http://own.com/2", "http://own.com/3", "http://own.com/4"}
	var ours []trainingdata.Positive
	for _, url := range positives {
		ours = append(ours, trainingdata.Positive{URL: url})
	}
	for document, all := range map[int64][]trainingdata.Positive{own: ours, other: theirs} {
		if err := trainingdata.PutPositives(t.Context(), s.DB, document, all); err != nil {
			t.Fatal(err)
		}
	}
	got, err := trainingdata.DrawNegatives(t.Context(), s, own, 0, positives, 7)
	if err != nil || len(got) != 10 {
		t.Fatalf("%+v, %v", got, err)
	}
	var urls []string
	for _, e := range got[:5] {
		urls = append(urls, e.URL)
	}
	slices.Sort(urls)
	if first := strings.Join(urls, " "); first != "http://p1.com/ http://p2.com/ http://p3.com/ http://p4.com/ http://p5.com/" {
		t.Errorf("first come %s", first)
	}
	if _, err := trainingdata.DrawNegatives(t.Context(), s, own, 1, positives, 7); !errors.Is(err, trainingdata.ErrFewNegatives) {
		t.Errorf("without the topic's pages: %v", err)
	}
}
