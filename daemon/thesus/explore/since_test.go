package explore

import (
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/store/storetest"
	"nightjar/daemon/thesus/links"
)

// A grouping says that it waits for another one.
func TestWaiting(t *testing.T) {
	t.Parallel()
	w, reached, release := held(t)
	m, _ := w.maker(t)
	first := must(m.Group(t.Context(), Request{}))(t)
	<-reached
	second := must(m.Group(t.Context(), Request{Ontology: musicID}))(t)
	if p := m.Progress(second.ID); p != (Progress{Step: Waiting}) || m.Progress(first.ID).Step == Waiting {
		t.Errorf("%+v, and the first is at %+v", p, m.Progress(first.ID))
	}
	release()
	if g := ended(t, m, second.ID); g.State != GroupingDone {
		t.Errorf("%+v", g)
	}
}

// Links to the pages of a session are told of, others are not.
func TestNewLinksOfSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t, musicians())
	storetest.Exec(t, w.path, `INSERT INTO topics (id, name, created_at) VALUES (1, 'Music', 1)`)
	storetest.Exec(t, w.path, `INSERT INTO sessions (id, uuid, topic_id, client, status, started_at) VALUES (1, 'a', 1, 'c', 'submitted', 1)`)
	storetest.Exec(t, w.path, `INSERT INTO pages (id, url) SELECT id, url FROM link_page WHERE url LIKE 'http://jazz.test/%'`)
	storetest.Exec(t, w.path, `INSERT INTO visits (load, session_id, page_id, how, seq) SELECT url, 1, id, 'link', id FROM pages`)
	m, _ := w.maker(t)
	g := made(t, m, Request{Scope: links.PagesOfSession, ScopeID: 1})
	w.link(t, []say{{"http://source7.test/", "http://cook.test/1", "soup"}})
	if v := must(m.View(t.Context(), g.ID))(t); len(v.Pages) != 4 || warned(v, "A link") {
		t.Errorf("%d pages, %q", len(v.Pages), v.Warnings)
	}
	w.link(t, []say{{"http://source8.test/", "http://jazz.test/1", "jazz"}})
	if v := must(m.View(t.Context(), g.ID))(t); !warned(v, "A link to these pages was read since these groups were made") {
		t.Errorf("%q", v.Warnings)
	}
	w.link(t, []say{{"http://source9.test/", "http://jazz.test/2", "jazz"}})
	if v := must(m.View(t.Context(), g.ID))(t); !warned(v, "New links to these pages were read since these groups were made, 2 of them") {
		t.Errorf("%q", v.Warnings)
	}
}

// New links are told of, and count when it is made again.
func TestNewLinks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, musicians())
	m, _ := w.maker(t)
	g := made(t, m, Request{})
	w.link(t, []say{{"http://source7.test/", "http://few.test/", "guitar"}})
	v := must(m.View(t.Context(), g.ID))(t)
	if !slices.ContainsFunc(v.Warnings, func(w string) bool { return strings.HasPrefix(w, "A link was read since") }) || len(v.Pages) != 15 {
		t.Errorf("%d pages, %q", len(v.Pages), v.Warnings)
	}
	made(t, m, Request{})
	if v = must(m.View(t.Context(), g.ID))(t); len(v.Pages) != 16 {
		t.Errorf("%d pages, %q", len(v.Pages), v.Warnings)
	}
}
