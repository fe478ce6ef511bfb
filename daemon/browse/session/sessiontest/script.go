package sessiontest

import (
	"fmt"
	"strings"
	"time"

	"nightjar/daemon/browse/protocol"
)

// Host is the site of the pages of a Script.
const Host = "http://s.test/"

// Script makes the events of a session from commands with white space between them, like "typed=a link=b back submit".
// Pages are named by their path on Host; site has the HTML of each, and pages without HTML have no snapshot.
//
//	typed=P bookmark=P reload=P form=P other=P   open a page in the present tab; form and other tell the page before it
//	link=P       follow a link of the present page or frame; link=Q:P asks for Q and is led to P
//	tab=P        follow a link into a new tab
//	back         go back in the present tab
//	to=P         continue on the last load of P, in its tab, or in this frame; it makes no event
//	frame=P iframe=P  a frame of the present page loads
//	useful not-useful submit   as events; label=NAME names the present page
//	lost         the present page is not recorded: its events are left out
//
// Each script starts a session with the topic "Topic".
func Script(seed uint64, start time.Time, site map[string]string, script string) ([]protocol.Event, error) {
	s := &scripted{Maker: NewMaker(seed, start), site: site, loads: map[string]*shown{}}
	s.events = []protocol.Event{s.Start("Topic")}
	for _, command := range strings.Fields(script) {
		verb, what, _ := strings.Cut(command, "=")
		if err := s.do(verb, what); err != nil {
			return nil, fmt.Errorf("%s: %w", command, err)
		}
	}
	return s.events, nil
}

// scripted is a session that is being made.
type scripted struct {
	*Maker
	site   map[string]string
	events []protocol.Event
	loads  map[string]*shown // last of each page
	here   *shown            // the page or frame that the person looks at
}

// shown is a page or frame in a tab.
type shown struct {
	load   string
	top    *shown // the page around a frame
	before *shown // in the history of the tab
}

// hows are the commands that open a page in the present tab.
var hows = map[string]string{
	"typed": protocol.HowTyped, "bookmark": protocol.HowBookmark, "reload": protocol.HowReload, "form": protocol.HowForm,
	"other": protocol.HowOther, "link": protocol.HowLink, "tab": protocol.HowNewTab,
}

func (s *scripted) do(verb, what string) error {
	if how := hows[verb]; how != "" {
		s.open(how, what)
		return nil
	}
	if verb == "submit" {
		s.events = append(s.events, s.Event(protocol.Submit))
		return nil
	}
	if verb == "to" {
		s.here = s.loads[what]
	}
	if s.here == nil {
		return fmt.Errorf("no page is shown")
	}
	switch verb {
	case "to":
	case "back":
		left := s.here.page()
		if s.here = left.before; s.here == nil {
			return fmt.Errorf("no page before it")
		}
		s.events = append(s.events, s.Of(protocol.Back, s.here.load, left.load))
	case "frame", "iframe":
		s.frame(verb, what)
	case "useful", "not-useful":
		s.events = append(s.events, s.Of(protocol.Type(verb), s.here.load, ""))
	case "label":
		e := s.Of(protocol.Label, s.here.load, "")
		e.Name = what
		s.events = append(s.events, e)
	case "lost":
		s.lose()
	default:
		return fmt.Errorf("unknown command")
	}
	return nil
}

// page is the page in the tab.
func (p *shown) page() *shown {
	if p != nil && p.top != nil {
		return p.top.page()
	}
	return p
}

func (s *scripted) open(how, name string) {
	requested, name := cutRequested(name)
	from := ""
	if s.here != nil && how != protocol.HowTyped && how != protocol.HowBookmark && how != protocol.HowReload {
		from = s.here.load
	}
	e := s.Visit(Host+name, "", how, from)
	if requested != "" {
		e.Requested = Host + requested
	}
	before := s.here.page()
	if how == protocol.HowNewTab {
		before = nil
	}
	s.here = &shown{load: e.Page, before: before}
	s.show(e, name)
}

// cutRequested splits "Q:P".
func cutRequested(name string) (requested, final string) {
	if q, p, ok := strings.Cut(name, ":"); ok {
		return q, p
	}
	return "", name
}

// frame loads a frame of the present page. The person stays where they are.
func (s *scripted) frame(kind, name string) {
	e := s.Frame(s.here.load, Host+name, kind)
	here := s.here
	s.here = &shown{load: e.Page, top: here}
	s.show(e, name)
	s.here = here
}

// show adds the event that brings a page, and its snapshot.
func (s *scripted) show(e protocol.Event, name string) {
	s.loads[name] = s.here
	s.events = append(s.events, e)
	if html, ok := s.site[name]; ok {
		s.events = append(s.events, s.Snapshot(e.Page, []byte(html)))
	}
}

// lose removes the events of the present page, but for their numbers.
func (s *scripted) lose() {
	kept := s.events[:0]
	for _, e := range s.events {
		if e.Page != s.here.load {
			kept = append(kept, e)
		}
	}
	s.events = kept
}
