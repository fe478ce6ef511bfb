package kills

import (
	"bytes"
	"database/sql"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/store"
	"nightjar/model"
)

// learned makes a data folder with the sessions of a topic, of which the model was trained on the first few.
func learned(t *testing.T, sessions, trained int) (data string) {
	t.Helper()
	data = filepath.Join(t.TempDir(), "data")
	b := newBrowser()
	b.pair(t, data)
	withStore(t, data, func(st *store.Store) {
		for n := range sessions {
			if n == trained && n > 0 {
				train(t, st)
			}
			storeEvents(t, st, browse(n, b.who.Client, topic))
		}
		if trained == sessions {
			train(t, st)
		}
	})
	return data
}

// train trains the topic in this process.
func train(t *testing.T, st *store.Store) {
	t.Helper()
	about, err := topics.ByName(t.Context(), st.DB, topic)
	if err != nil {
		t.Fatal(err)
	}
	tr := trainer.New(trainer.Deps{Store: st, Bus: &notify.Bus{}, Log: slog.New(slog.DiscardHandler)})
	if _, err := tr.Train(t.Context(), about.ID); err != nil {
		t.Fatal(err)
	}
}

// version is a stored version of a model.
type version struct {
	number int
	bundle []byte
	facts  string
}

// versions reads the models of a database, each of which must be whole.
func versions(t *testing.T, db *sql.DB) (all []version) {
	t.Helper()
	rows, err := db.Query("SELECT version, bundle, facts FROM models ORDER BY version")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var v version
		if err := rows.Scan(&v.number, &v.bundle, &v.facts); err != nil {
			t.Fatal(err)
		}
		b, err := model.Decode(v.bundle)
		if err != nil {
			t.Fatalf("version %d of the model cannot be read: %v", v.number, err)
		}
		if err := b.Usable(); err != nil {
			t.Fatalf("version %d of the model cannot be used: %v", v.number, err)
		}
		all = append(all, v)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// reported reports whether the newest of the versions has a report.
func reported(t *testing.T, all []version) bool {
	t.Helper()
	if len(all) == 0 {
		return false
	}
	b, err := model.Decode(all[len(all)-1].bundle)
	if err != nil {
		t.Fatal(err)
	}
	return b.Report != nil
}

// TestTraining ends the program while it trains the second version of a model, and starts it again. What is there then is
// the first version, or both; in the end both are, the second with its report, as after a training that was not interrupted.
func TestTraining(t *testing.T) {
	effort.Long(t)
	t.Parallel()
	before := learned(t, 2, 1)
	db := look(t, database(before))
	old := versions(t, db)
	if len(old) != 1 {
		t.Fatalf("%d versions before", len(old))
	}
	calm := copyFolder(t, before)
	l := mustServe(t, calm)
	took := time.Now()
	trained(t, calm)
	lasts := time.Since(took)
	l.kill()
	want := versions(t, look(t, database(calm)))

	random := rand.New(rand.NewPCG(2, uint64(kills())))
	var mu sync.Mutex
	rounds(t, kills(), append(placesOf(training), atRandom), func(t *testing.T, place string) {
		data := copyFolder(t, before)
		for range 2 { // the second time in what the first kill left
			mu.Lock()
			pass, after := 1, time.Duration(random.Int64N(int64(lasts)))
			mu.Unlock()
			if place == "store.write.before-commit" || place == "store.write.after-commit" {
				pass = 1 + int(after.Microseconds()%8)
			}
			l := serve(t, at(place, pass), data)
			if place == atRandom {
				if l.ready() {
					time.Sleep(after)
					l.kill()
				}
			}
			l.diesOr(func() bool { return done(t, data) })
			sound(t, database(data))
			checkVersions(t, data, old)
		}
		l := mustServe(t, data)
		trained(t, data)
		l.kill()
		sound(t, database(data))
		got := versions(t, look(t, database(data)))
		if len(got) != 2 || !bytes.Equal(got[1].bundle, want[1].bundle) {
			t.Errorf("ended at %q: %d versions; the newest is not what an undisturbed training makes", place, len(got))
		}
	})
}

// done reports whether the second version is there with its report.
func done(t *testing.T, data string) bool {
	t.Helper()
	db := look(t, database(data))
	defer db.Close()
	all := versions(t, db)
	return len(all) >= 2 && reported(t, all)
}

// trained waits until done.
func trained(t *testing.T, data string) {
	t.Helper()
	wait(t, "the training", func() bool { return done(t, data) })
}

// checkVersions checks that the first version is as it was, and that there is at most one more.
func checkVersions(t *testing.T, data string, old []version) {
	t.Helper()
	db := look(t, database(data))
	defer db.Close()
	all := versions(t, db)
	if len(all) < 1 || len(all) > 2 || !slices.EqualFunc(all[:1], old, func(a, b version) bool {
		return a.number == b.number && a.facts == b.facts && bytes.Equal(a.bundle, b.bundle)
	}) {
		t.Errorf("%d versions, of which the first must be as it was", len(all))
	}
}
