package sessions

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// interrupted begins an import of a session with many pages and stops it when the condition of a statement holds. It returns the
// events, their session and the error of the import.
func interrupted(t *testing.T, s *store.Store, when string) (file []protocol.Event, session string, err error) {
	t.Helper()
	m := maker(5)
	file = []protocol.Event{m.Start("Hockey")}
	for i := range importPart {
		v := m.Visit(fmt.Sprintf("http://canary%d.test/", i%2), "canary", protocol.HowTyped, "")
		file = append(file, v, m.Snapshot(v.Page, fmt.Appendf(nil, "<title>canary</title><p>page %d", i)))
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s.Wrote = func(error) {
		if mustCount(t, s, "SELECT "+when) > 0 {
			cancel()
		}
	}
	defer func() { s.Wrote = nil }()
	_, err = Import(ctx, s, inFile(t, nil, file...), nil)
	return file, m.Session, err
}

const (
	halfStaged  = "count(*) FROM import_events"
	halfApplied = "count(*) FROM events"
)

// TestImportStopped: of an import that is stopped before it is decided, nothing is left; of one that is stopped later, nothing is
// seen until the rest has taken effect, once.
func TestImportStopped(t *testing.T) {
	s := open(t)
	if _, _, err := interrupted(t, s, halfStaged); !errors.Is(err, context.Canceled) || errors.Is(err, ErrImportLater) {
		t.Errorf("while it was checked and stored: %v", err)
	}
	if all := dump(t, s); strings.Contains(all, "canary") {
		t.Errorf("something is left:\n%.500s", all)
	}
	if did, err := FinishImport(t.Context(), s); did || err != nil {
		t.Errorf("an import that was not decided is finished: %v, %v", did, err)
	}

	file, uuid, err := interrupted(t, s, halfApplied)
	if !errors.Is(err, ErrImportLater) {
		t.Errorf("while it took effect: %v", err)
	}
	if n := mustCount(t, s, "SELECT count(*) FROM events"); n == 0 || n == len(file) {
		t.Errorf("%d of %d events took effect, want some", n, len(file))
	}
	if all := must(List(t.Context(), s.DB))(t); len(all) > 0 {
		t.Errorf("sessions of half an import are seen: %+v", all)
	}
	if _, err := ByUUID(t.Context(), s.DB, uuid); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("its session is seen: %v", err)
	}
	if there := must(s.Setting(t.Context(), ImportKey, &map[string]int64{}))(t); !there {
		t.Error("its pages can be indexed: package search waits for this setting to go")
	}
	look := must(store.Look(t.Context(), s.Path()))(t)
	defer look.Close()
	if all := must(List(t.Context(), look.DB))(t); len(all) > 0 {
		t.Errorf("a program that reads sees half an import: %+v", all)
	}

	if did, err := FinishImport(t.Context(), s); !did || err != nil {
		t.Errorf("it is not finished: %v, %v", did, err)
	}
	one := must(ByUUID(t.Context(), s.DB, uuid))(t)
	if steps := must(Steps(t.Context(), s.DB, one.ID))(t); len(steps) != len(file) {
		t.Errorf("%d of %d events", len(steps), len(file))
	}
	if n := mustCount(t, s, "SELECT count(*) FROM search_queue"); n != 2 {
		t.Errorf("%d pages wait to be indexed", n)
	}
	if there := must(s.Setting(t.Context(), ImportKey, &map[string]int64{}))(t); there {
		t.Error("its pages cannot be indexed")
	}
	if in, err := Import(t.Context(), s, inFile(t, nil, file...), nil); err != nil || in.Known != len(file) {
		t.Errorf("again: %d of %d events were known, %v", in.Known, len(file), err)
	}
}

// TestImportBeforeImport: what is left of an import takes effect before the next one, whose file may go on with its session.
func TestImportBeforeImport(t *testing.T) {
	s := open(t)
	file, uuid, _ := interrupted(t, s, halfApplied)
	m := maker(5)
	for range len(file) {
		m.Event(protocol.SessionPause)
	}
	more := m.Visit("http://more.test/", "More", protocol.HowTyped, "")
	more.Session, more.Client, more.Seq = uuid, file[0].Client, int64(len(file)+1)
	if in, err := Import(t.Context(), s, inFile(t, nil, more), nil); err != nil || len(in.Acked) != 1 {
		t.Errorf("%+v, %v", in, err)
	}
	if one := must(ByUUID(t.Context(), s.DB, uuid))(t); one.Pages != 3 {
		t.Errorf("%d pages, want 3", one.Pages)
	}
}

// TestEraseHalfImport: what is erased while an import goes on does not come back with the rest of it.
func TestEraseHalfImport(t *testing.T) {
	s := open(t)
	_, uuid, _ := interrupted(t, s, halfApplied)
	must(Keep.EraseHost(t.Context(), s, "canary1.test"))(t)
	if one := must(ByUUID(t.Context(), s.DB, uuid))(t); one.Pages != 1 {
		t.Errorf("%d pages after one of two sites was erased", one.Pages)
	}
	if all := dump(t, s); strings.Contains(all, "canary1") {
		t.Errorf("something is left:\n%.500s", all)
	}
	s = open(t)
	_, _, _ = interrupted(t, s, halfApplied)
	ok(t, Keep.EraseAll(t.Context(), s))
	if did, err := FinishImport(t.Context(), s); did || err != nil {
		t.Errorf("an import whose events were erased is finished: %v, %v", did, err)
	}
	s.Wrote = func(error) { // between two parts
		if mustCount(t, s, "SELECT count(*) FROM import_events") > 0 {
			s.Wrote = nil
			ok(t, db.Execute(t.Context(), s.Writer, "DELETE FROM import_events"))
		}
	}
	m := maker(6)
	events := []protocol.Event{m.Start("Hockey")}
	for range 2 * importPart {
		events = append(events, m.Event(protocol.SessionPause))
	}
	if _, err := Import(t.Context(), s, inFile(t, nil, events...), nil); !errors.Is(err, errImportErased) {
		t.Errorf("an import whose first part was erased: %v", err)
	}
	if n := mustCount(t, s, "SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM sessions)"); n > 0 {
		t.Errorf("%d rows of erased imports", n)
	}
}

// TestImportOpenSession: a session that went on after its Submit, because there was too little to learn from, is stored open.
func TestImportOpenSession(t *testing.T) {
	s := open(t)
	m := maker(1)
	events := []protocol.Event{m.Start("Hockey"), m.Visit("http://ice.test/", "", protocol.HowTyped, ""), m.Event(protocol.Submit)}
	last := map[string]int64{m.Session: events[2].Seq}
	events = append(events, m.Visit("http://ice.test/2", "", protocol.HowTyped, ""))
	if in, err := Import(t.Context(), s, inFile(t, nil, events...), last); err != nil || len(in.Acked) != 4 || len(in.Refused) > 0 {
		t.Errorf("%+v, %v", in, err)
	}
	if one := must(ByUUID(t.Context(), s.DB, m.Session))(t); one.Status != Recording || one.Problem == "" || one.Pages != 2 {
		t.Errorf("%+v", one)
	}
}
