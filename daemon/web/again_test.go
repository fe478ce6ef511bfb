//go:build !race

package web

import (
	"net/url"
	"strconv"
	"strings"
	"testing"

	"nightjar/daemon/browse/topics"
	"nightjar/daemon/lab/webtest"
)

func TestWrongForms(t *testing.T) {
	s := seed(t)
	other, err := topics.Create(t.Context(), s.Store.DB, "Curling")
	if err != nil {
		t.Fatal(err)
	}
	combined, err := topics.Combine(t.Context(), s.Store.DB, "Ice", []int64{s.Topic, other.ID})
	if err != nil {
		t.Fatal(err)
	}
	topic, whole := strconv.FormatInt(s.Topic, 10), strconv.FormatInt(combined.ID, 10)
	load := s.Page(t, "/sessions/"+s.Session+"/edit").Find("button[form=split]").First().AttrOr("value", "")
	address := s.Page(t, "/sessions/"+s.Session+"?from=1&name=1").Find("form[action$=milestone] [name=url]").AttrOr("value", "")
	s.MustPost(t, "/sessions/"+s.Session+"/milestone", url.Values{"url": {address}, "n": {"1"}, "name": {"team"}})
	long := strings.Repeat("long ", 60)
	w := s.wing(t)
	w.Paths["/model"], w.Paths["/topics/{topic}/parts"] = []string{"/model"}, []string{"/topics/" + whole + "/parts"}
	makeToken(t, s.fixture, url.Values{"name": {"script"}, "scope": {"read"}})
	webtest.WrongForms(t, w, "from=1&name=1&host=linwood-university.test", map[string]webtest.WrongForm{
		"/sessions/edit":                    webtest.Wrong("/sessions/edit", "/sessions", url.Values{"do": {"move"}, "topic": {long}, "session": {s.Session}}, "topic", "name"),
		"/sessions/{uuid}/name":             webtest.Wrong("/sessions/"+s.Session+"/name", "/sessions/"+s.Session, url.Values{"name": {long}}, "name", "200"),
		"/sessions/{uuid}/topic":            webtest.Wrong("/sessions/"+s.Session+"/topic", "/sessions/"+s.Session, url.Values{"topic": {long}}, "topic", "name"),
		"/sessions/{uuid}/split":            webtest.Wrong("/sessions/"+s.Session+"/split", "/sessions/"+s.Session+"/edit", url.Values{"load": {load}, "topic": {"Ice"}, "name": {long}}, "name", "200"),
		"/sessions/{uuid}/milestone":        webtest.Wrong("/sessions/"+s.Session+"/milestone", "/sessions/"+s.Session+"?from=1&name=1", url.Values{"url": {address}, "n": {"1"}, "name": {"goal"}}, "name", "Nightjar’s own"),
		"/topics/{topic}/milestones/rename": webtest.Wrong("/topics/"+topic+"/milestones/rename", "/model/"+topic, url.Values{"name": {"team"}, "to": {"T3"}}, "to", "Nightjar’s own"),
		"/topics/combine":                   webtest.Wrong("/topics/combine", "/model", url.Values{"topic": {topic}, "name": {"Ice & <i>snow</i>"}}, "topic", "at least two"),
		"/topics/{topic}/rename":            webtest.Wrong("/topics/"+whole+"/rename", "/topics/"+whole+"/parts", url.Values{"name": {"Curling"}}, "name", "another name"),
		"/topics/{topic}/starts":            webtest.Wrong("/topics/"+topic+"/starts", "/sessions", url.Values{"url": {"ftp://example.org/\"x"}, "visited-asked": {topic}}, "url", "should look like"),
		"/topics/{topic}/linkers":           webtest.Wrong("/topics/"+topic+"/linkers", "/model/"+topic+"/newest/graph", url.Values{"instance": {"ftp://\"x"}}, "instance", "no address of a SearXNG instance"),
		"/tonight":                          webtest.Wrong("/tonight", "/tonight", url.Values{"topic": {topic}, "visited-asked": {topic}, "night": {"on"}, "night_start": {"22:00"}, "night_end": {"06:00"}, "pages": {"12"}}, "start-"+topic, "tick at least one"),
		"/settings":                         webtest.Wrong("/settings", "/settings", url.Values{"pages": {"many"}}, "pages", "whole number"),
		"/settings/tokens":                  webtest.Wrong("/settings/tokens", "/settings", url.Values{"scope": {"feed"}, "topic": {topic}, "name": {long}}, "name", "80"),
		"/settings/tokens/{id}/allow":       webtest.Wrong("/settings/tokens/1/allow", "/settings", url.Values{"may": {"ask"}, "pages": {"0"}}, "pages", "from 1"),
		"/settings/notices":                 webtest.Wrong("/settings/notices", "/settings", url.Values{"mail": {"on"}, "smtp_host": {"a b"}, "smtp_port": {"25"}, "smtp_tls": {"starttls"}, "smtp_from": {"a@example.org"}, "smtp_to": {"b@example.org"}}, "smtp_host", ""),
		"/settings/workers":                 webtest.Wrong("/settings/workers", "/settings", url.Values{"workers_on": {"on"}, "workers_listen": {"any\"where"}, "workers_address": {"a.example"}, "workers_tls": {""}, "workers_broker": {""}, "workers_login": {""}, "workers_none": {"here"}}, "workers_listen", "ADDR:PORT"),
		"/settings/workers/invite":          webtest.Wrong("/settings/workers/invite", "/settings", url.Values{"name": {"<b> attic"}}, "name", "letters from a to z"),
		"/settings/erase-all":               webtest.Wrong("/settings/erase-all", "/settings", url.Values{"confirm": {"erase <everything"}}, "confirm", "nothing was erased"),
		"/settings/restore":                 webtest.Wrong("/settings/restore", "/settings", nil, "backup", "choose the file"),
	})
}
