package sessions

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/lab/effort"
)

// jsonColumns are the columns whose JSON statements look into, with values of the types that are written there. Table changes
// also holds settings.Change, which no statement reads.
var jsonColumns = map[string][]any{
	"body": {&protocol.Event{}},
	"data": {&edit{}},
}

// elements are columns that other statements make of a list, such as "value" by json_each. Of those that are read by name, the
// types are listed by file.
var elements = map[string][]any{"topic_delete.go": {&placed{}}}

// jsonPath finds where a statement looks into JSON: column, '$.path' or column ->> 'name'.
var jsonPath = regexp.MustCompile(`(\w+)(?:\)*, *'\$\.\w+[^']*'| *->>? *'[^']+')(?:, *[^,']*,? *'\$\.\w+')*`)

// jsonName is the first name of a path.
var jsonName = regexp.MustCompile(`'(?:\$\.)?(\w+)`)

// TestJSONPaths takes each JSON path of each statement of the daemon and its tests, and looks it up in what the real writer
// writes. Names of JSON count as they are spelled: SQLite gives NULL for another spelling, and nothing fails.
func TestJSONPaths(t *testing.T) {
	effort.Long(t)
	jsonColumns["facts"], jsonColumns["options"] = []any{Keep.Facts}, []any{Keep.CrawlOptions, Keep.MapOptions}
	seen := 0
	err := filepath.WalkDir("../..", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || filepath.Base(path) == "jsonpaths_test.go" {
			return err
		}
		source, err := os.ReadFile(path)
		for _, found := range jsonPath.FindAllStringSubmatch(string(source), -1) {
			types := jsonColumns[found[1]]
			if found[1] == "value" {
				types = elements[filepath.Base(path)]
			}
			if types == nil {
				if !strings.HasSuffix(path, "_test.go") {
					t.Errorf("%s: who writes the column %s? Name its type in this test: %s", path, found[1], found[0])
				}
				continue
			}
			for _, name := range jsonName.FindAllStringSubmatch(found[0], -1) {
				if seen++; !written(t, types, name[1]) {
					t.Errorf("%s: no writer of the column %s writes %q: %s", path, found[1], name[1], found[0])
				}
			}
		}
		return err
	})
	if err != nil || seen < 40 {
		t.Errorf("%d paths found, %v", seen, err)
	}
}

// written reports whether one of the values, with something in each field, is written with a name.
func written(t *testing.T, values []any, name string) bool {
	for _, v := range values {
		fill(reflect.ValueOf(v).Elem())
		text := must(json.Marshal(v))(t)
		var fields map[string]json.RawMessage
		ok(t, json.Unmarshal(text, &fields))
		if _, ok := fields[name]; ok {
			return true
		}
	}
	return false
}

// fill puts something into each field of a struct that omitempty would leave out.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i))
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint64:
		v.SetUint(1)
	case reflect.Float64:
		v.SetFloat(1)
	}
}
