package api

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// document is what the tests read of the OpenAPI document.
type document struct {
	OpenAPI string
	Paths   map[string]map[string]operation
	Comp    struct {
		Schemas    map[string]json.RawMessage
		Parameters map[string]parameter
		Responses  map[string]response
	} `json:"components"`
}

type operation struct {
	OperationID string
	Summary     string
	Parameters  []parameter
	Responses   map[string]response
}

type parameter struct {
	Ref      string `json:"$ref"`
	Name, In string
	Required bool
}

type response struct {
	Ref     string `json:"$ref"`
	Content map[string]struct {
		Schema struct {
			Ref string `json:"$ref"`
		}
	}
}

func readDocument(t *testing.T) (d document) {
	t.Helper()
	if err := json.Unmarshal(Document, &d); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(d.OpenAPI, "3.1.") {
		t.Fatalf("OpenAPI %s", d.OpenAPI)
	}
	return d
}

func (d document) response(r response) response {
	if name, ok := strings.CutPrefix(r.Ref, "#/components/responses/"); ok {
		return d.Comp.Responses[name]
	}
	return r
}

// schema returns a schema of the document, ready to check answers. The schemas of OpenAPI 3.1 are JSON Schema 2020-12,
// which keeps its definitions under another name.
func (d document) schema(t *testing.T, ref string) *jsonschema.Resolved {
	t.Helper()
	name, ok := strings.CutPrefix(ref, "#/components/schemas/")
	if !ok || d.Comp.Schemas[name] == nil {
		t.Fatalf("no schema %q", ref)
	}
	all, err := json.Marshal(map[string]any{"$ref": "#/$defs/" + name, "$defs": d.Comp.Schemas})
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(strings.ReplaceAll(string(all), "#/components/schemas/", "#/$defs/")), &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// TestDocumentHasTheRoutes: the document names each route with its parameters, and no other.
func TestDocumentHasTheRoutes(t *testing.T) {
	d := readDocument(t)
	ids := map[string]bool{}
	for _, r := range routes {
		methods := d.Paths[r.path]
		if len(methods) != 1 {
			t.Errorf("%s: %d methods are described", r.path, len(methods))
		}
		op, ok := methods["get"]
		if !ok || op.Summary == "" || op.OperationID == "" || ids[op.OperationID] {
			t.Errorf("%s: %+v", r.path, op)
		}
		ids[op.OperationID] = true
		var inQuery, inPath []string
		for _, p := range op.Parameters {
			if name, ok := strings.CutPrefix(p.Ref, "#/components/parameters/"); ok {
				p = d.Comp.Parameters[name]
			}
			switch p.In {
			case "query":
				inQuery = append(inQuery, p.Name)
			case "path":
				inPath = append(inPath, "{"+p.Name+"}")
			default:
				t.Errorf("%s: parameter %+v", r.path, p)
			}
		}
		if want := slices.Sorted(slices.Values(r.params)); !slices.Equal(slices.Sorted(slices.Values(inQuery)), want) {
			t.Errorf("%s: parameters %v are described, %v are read", r.path, inQuery, want)
		}
		if want := regexp.MustCompile(`\{\w+\}`).FindAllString(r.path, -1); !slices.Equal(inPath, want) {
			t.Errorf("%s: %v in the path are described, not %v", r.path, inPath, want)
		}
		for _, status := range []string{"200", "400", "401", "403", "429"} {
			if len(d.response(op.Responses[status]).Content) != 1 {
				t.Errorf("%s: status %s is not described", r.path, status)
			}
		}
	}
	if len(d.Paths) != len(routes) {
		t.Errorf("%d paths are described, there are %d", len(d.Paths), len(routes))
	}
	if described, err := Describe(); err != nil || len(described) != len(routes) {
		t.Errorf("%d in words, %v", len(described), err)
	}
}

// TestAnswersAreAsDescribed checks real answers, of each route and of each kind of error, by the schemas.
func TestAnswersAreAsDescribed(t *testing.T) {
	f := newFixture(t)
	d := readDocument(t)
	all := []struct {
		route, path, token string
		status             int
	}{
		{"/status", "/status", f.read, 200}, {"/topics", "/topics", f.read, 200},
		{"/finds", "/finds", f.read, 200}, {"/finds", "/finds?limit=2&after=6&state=open&topic=1&q=barrage", f.read, 200},
		{"/finds/{id}", "/finds/3", f.read, 200}, {"/finds/{id}/why", "/finds/3/why", f.read, 200}, {"/finds/{id}/why", "/finds/4/why", f.read, 200},
		{"/search", "/search?q=barrage", f.read, 200}, {"/search", "/search?q=nothing+at+all&kind=visited&since=2026-01-01", f.read, 200},
		{"/explore", "/explore?q=[]", f.read, 200}, {"/explore", "/explore?limit=1&q=weightedSourceKeywords([],[])", f.read, 200},
		{"/explore", "/explore?q=fetch(http://site1.test/stored)", f.read, 200}, {"/explore", "/explore?q=crwal([],1)", f.read, 400},
		{"/sessions", "/sessions", f.read, 200}, {"/sessions", "/sessions?limit=1", f.read, 200},
		{"/crawls", "/crawls?limit=2", f.read, 200}, {"/crawls/{id}", "/crawls/1", f.read, 200},
		{"/finds/{id}", "/finds/99", f.read, 404}, {"/finds/{id}/why", "/finds/99/why", f.read, 404}, {"/crawls/{id}", "/crawls/99", f.read, 404},
		{"/finds", "/finds?limit=0", f.read, 400}, {"/finds", "/finds", "", 401}, {"/finds", "/finds", f.read + "x", 401}, {"/finds", "/finds", f.feeds, 403},
	}
	covered := map[string]bool{}
	for _, one := range all {
		w := f.get(Base+one.path, one.token)
		if w.Code != one.status {
			t.Errorf("%s: %d %s", one.path, w.Code, w.Body)
			continue
		}
		covered[one.route] = covered[one.route] || w.Code == 200
		op := d.Paths[one.route]["get"]
		described := d.response(op.Responses[map[int]string{200: "200", 400: "400", 401: "401", 403: "403", 404: "404"}[one.status]])
		content, ok := described.Content[w.Header().Get("Content-Type")]
		if !ok {
			t.Errorf("%s: %d with type %q is not described", one.path, w.Code, w.Header().Get("Content-Type"))
			continue
		}
		var answer any
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Fatal(err)
		}
		if err := d.schema(t, content.Schema.Ref).Validate(answer); err != nil {
			t.Errorf("%s: %v\n%s", one.path, err, w.Body)
		}
	}
	for _, r := range routes {
		if !covered[r.path] {
			t.Errorf("no answer of %s was checked", r.path)
		}
	}
}

// TestSchemasCatch: the check of the answers is able to fail.
func TestSchemasCatch(t *testing.T) {
	d := readDocument(t)
	schema := d.schema(t, "#/components/schemas/Counts")
	good := map[string]any{"new": 1.0, "open": 1.0, "later": 0.0, "useful": 0.0, "not_useful": 0.0, "off_topic": 0.0, "all": 1.0}
	if err := schema.Validate(good); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(map[string]any){
		"lacks a field": func(m map[string]any) { delete(m, "all") },
		"more fields":   func(m map[string]any) { m["more"] = 1.0 },
		"a text":        func(m map[string]any) { m["all"] = "1" },
		"below zero":    func(m map[string]any) { m["all"] = -1.0 },
	} {
		bad := map[string]any{}
		for k, v := range good {
			bad[k] = v
		}
		change(bad)
		if schema.Validate(bad) == nil {
			t.Errorf("%s: nothing is wrong", name)
		}
	}
}

// TestDocumentIsServed: without a token, since a program may want it before there is one.
func TestDocumentIsServed(t *testing.T) {
	f := newFixture(t)
	w := f.get(Base+"/openapi.json", "")
	if w.Code != http.StatusOK || w.Body.String() != string(Document) || w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("%d %s", w.Code, w.Header())
	}
	var u struct{ Servers []struct{ URL string } }
	if err := json.Unmarshal(Document, &u); err != nil || len(u.Servers) != 1 {
		t.Fatal(err)
	}
	if one, err := url.Parse(u.Servers[0].URL); err != nil || one.Path != Base {
		t.Errorf("server %s", u.Servers[0].URL)
	}
}
