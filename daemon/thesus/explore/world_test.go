package explore

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"nightjar/crawler/weburl"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/model/ontology"
	"nightjar/model/senses"
	"nightjar/model/wordnet"
)

// say is a link with its words.
type say struct {
	from, to string // addresses
	words    string // with spaces between them
}

// world is a database with links, and what a Maker asks others for.
type world struct {
	path  string
	st    *store.Store
	bus   *notify.Bus
	net   *netDouble
	shelf *shelfDouble
	now   time.Time
}

// netDouble is a WordNet that may go.
type netDouble struct {
	mu  sync.Mutex
	net *wordnet.Net
	ask func() // called by Net before it answers; may be nil
}

func (n *netDouble) Net() *wordnet.Net {
	if n.ask != nil {
		n.ask()
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.net
}

func (n *netDouble) set(net *wordnet.Net) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.net = net
}

// shelfDouble has ontologies by number.
type shelfDouble struct {
	net   *netDouble
	trees map[int64]*ontology.Tree
}

func (s *shelfDouble) Terms(_ context.Context, id int64) (*ontology.Tree, *senses.Terms, error) {
	tree := s.trees[id]
	if tree == nil {
		return nil, nil, store.ErrNotFound
	}
	terms, _ := senses.NewTerms(tree, s.net.Net())
	return tree, terms, nil
}

// tiny is a small WordNet.
var tiny = sync.OnceValue(func() *wordnet.Net {
	files := wordnet.Files{}
	for _, name := range wordnet.Names() {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "model", "wordnet", "testdata", "tiny", name))
		if err != nil {
			panic(err)
		}
		files[name] = strings.NewReader(string(text))
	}
	net, err := wordnet.Read(files)
	if err != nil {
		panic(err)
	}
	return net
})

// music is the ontology with the number 1.
const musicID = 1

var music = sync.OnceValue(func() *ontology.Tree {
	tree, _, err := ontology.Build([]ontology.Item{
		{Key: "music", Labels: []string{"music"}},
		{Key: "instrument", Labels: []string{"instrument"}, Parents: []string{"music"}},
		{Key: "string", Labels: []string{"string instrument"}, Parents: []string{"instrument"}},
		{Key: "guitar", Labels: []string{"guitar"}, Parents: []string{"string"}},
		{Key: "violin", Labels: []string{"violin", "fiddle"}, Parents: []string{"string"}},
		{Key: "wind", Labels: []string{"wind instrument"}, Parents: []string{"instrument"}},
		{Key: "flute", Labels: []string{"flute"}, Parents: []string{"wind"}},
		{Key: "genre", Labels: []string{"genre"}, Parents: []string{"music"}},
		{Key: "jazz", Labels: []string{"jazz"}, Parents: []string{"genre"}},
		{Key: "opera", Labels: []string{"opera"}, Parents: []string{"genre"}},
	})
	if err != nil {
		panic(err)
	}
	return tree
})

// newWorld is a database with links, without WordNet, and with the ontology of music.
func newWorld(tb testing.TB, said []say) *world {
	tb.Helper()
	w := &world{path: storetest.Path(tb), bus: &notify.Bus{}, net: &netDouble{}, now: time.Date(2026, 11, 2, 20, 0, 0, 0, time.UTC)}
	w.shelf = &shelfDouble{net: w.net, trees: map[int64]*ontology.Tree{musicID: music()}}
	w.open(tb)
	terms := must(json.Marshal(music().Terms()))(tb)
	storetest.Exec(tb, w.path, `INSERT INTO ontologies (id, name, terms, count, created_at, changed_at) VALUES (?, 'Music', ?, ?, 1, 1)`,
		musicID, string(terms), music().Len())
	w.link(tb, said)
	return w
}

func (w *world) open(tb testing.TB) {
	tb.Helper()
	w.st = must(store.Open(tb.Context(), w.path))(tb)
	var looked atomic.Int64 // a view is known by the time at which its grouping ended: with one that stands still, all would be equal
	w.st.Now = func() time.Time { return w.now.Add(time.Duration(looked.Add(1)) * time.Millisecond) }
	tb.Cleanup(func() { _ = w.st.Close() })
}

// link stores links.
func (w *world) link(tb testing.TB, said []say) {
	tb.Helper()
	type row struct{ From, FromSite, To, ToSite, Words string }
	rows := make([]row, len(said))
	for i, s := range said {
		rows[i] = row{s.from, weburl.Site(s.from), s.to, weburl.Site(s.to), string(must(json.Marshal(strings.Fields(s.words)))(tb))}
	}
	list := string(must(json.Marshal(rows))(tb))
	for _, text := range []string{
		`INSERT OR IGNORE INTO link_page (url, site) SELECT value ->> 'From', value ->> 'FromSite' FROM json_each(?)`,
		`INSERT OR IGNORE INTO link_page (url, site) SELECT value ->> 'To', value ->> 'ToSite' FROM json_each(?)`,
		`INSERT OR IGNORE INTO word (word) SELECT w.value FROM json_each(?) l, json_each(l.value ->> 'Words') w`,
		`INSERT INTO link (src, dst, pos) SELECT (SELECT id FROM link_page WHERE url = value ->> 'From'),
			(SELECT id FROM link_page WHERE url = value ->> 'To'), key FROM json_each(?) ORDER BY key`,
		`INSERT OR IGNORE INTO link_word (link, word, n) SELECT
			(SELECT id FROM link WHERE src = (SELECT id FROM link_page WHERE url = l.value ->> 'From') AND pos = l.key),
			(SELECT id FROM word WHERE word = w.value), 1 FROM json_each(?) l, json_each(l.value ->> 'Words') w`,
	} {
		storetest.Exec(tb, w.path, text, list)
	}
}

// maker is a Maker that runs until the test ends or stop is called.
func (w *world) maker(tb testing.TB) (m *Maker, stop func()) {
	tb.Helper()
	m = w.bare()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- m.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			tb.Error(err)
		}
	})
	tb.Cleanup(stop)
	return m, stop
}

// bare is a Maker that does not run.
func (w *world) bare() *Maker {
	return New(Deps{Store: w.st, Bus: w.bus, Log: slog.New(slog.DiscardHandler), WordNet: w.net, Shelf: w.shelf, Now: func() time.Time { return w.now }})
}

// made makes a grouping and waits for its end.
func made(tb testing.TB, m *Maker, r Request) Grouping {
	tb.Helper()
	g := must(m.Group(tb.Context(), r))(tb)
	return ended(tb, m, g.ID)
}

// ended waits until a grouping is done or failed.
func ended(tb testing.TB, m *Maker, id int64) Grouping {
	tb.Helper()
	for late := time.Now().Add(time.Minute); time.Now().Before(late); time.Sleep(time.Millisecond) {
		if g := must(GroupingByID(tb.Context(), m.Store.DB, id))(tb); g.State != GroupingWorks {
			return g
		}
	}
	tb.Fatal("the grouping is still being made")
	return Grouping{}
}

// must fails the test on an error.
func must[T any](v T, err error) func(testing.TB) T {
	return func(tb testing.TB) T {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
		return v
	}
}

// musicians are links to pages about instruments and genres, and to others: five sources each, a page that only one page links
// to, and pages whose words are no terms.
func musicians() (all []say) {
	pages := []struct{ url, words string }{
		{"http://guitars.test/1", "guitar classical"}, {"http://guitars.test/2", "guitar violin"}, {"http://strings.test/", "violin guitar wood"},
		{"http://guitars.test/3", "guitar fiddle"}, {"http://strings.test/2", "violin guitar"},
		{"http://jazz.test/1", "jazz night"}, {"http://jazz.test/2", "jazz club"}, {"http://opera.test/1", "opera jazz"},
		{"http://jazz.test/3", "jazz opera"}, {"http://jazz.test/4", "jazz"},
		{"http://flutes.test/", "flute silver"},
		{"http://cook.test/1", "soup onion"}, {"http://cook.test/2", "soup onion leek"}, {"http://cook.test/3", "soup leek onion"},
		{"http://cook.test/4", "onion soup"},
	}
	for i, p := range pages {
		for s := range 2 + i%3 {
			all = append(all, say{fmt.Sprintf("http://source%d.test/", s), p.url, p.words})
		}
	}
	return append(all, say{"http://source0.test/", "http://few.test/", "guitar"})
}
