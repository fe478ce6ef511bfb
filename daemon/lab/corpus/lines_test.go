package corpus

import (
	"reflect"
	"testing"
)

// TestMarkedTables: labels and games that an editor saved with a byte order mark and the line ends of Windows are read as any other.
func TestMarkedTables(t *testing.T) {
	for _, c := range []struct{ name, plain, marked string }{
		{"labels", "http://a.test/\tgood\nhttp://b.test/\tbad\n", "\ufeffhttp://a.test/\tgood\r\nhttp://b.test/\tbad\r\n"},
		{"a comment first", "# labels\nhttp://a.test/\tgood\n", "\ufeff# labels\r\nhttp://a.test/\tgood"},
	} {
		plain, err1 := ReadLabels([]string{file(t, "plain.tsv", c.plain)})
		marked, err2 := ReadLabels([]string{file(t, "marked.tsv", c.marked)})
		if err1 != nil || err2 != nil || !reflect.DeepEqual(plain, marked) || plain.Len() == 0 {
			t.Errorf("%s: %+v, %v; with a mark %+v, %v", c.name, plain, err1, marked, err2)
		}
	}
	const games = "http://a.test/;http://b.test/\n"
	plain, err1 := ReadGames([]string{file(t, "plain.tsv", games)})
	marked, err2 := ReadGames([]string{file(t, "marked.tsv", "\ufeffhttp://a.test/;http://b.test/\r\n")})
	if err1 != nil || err2 != nil || !reflect.DeepEqual(plain, marked) || len(plain) != 1 {
		t.Errorf("games: %+v, %v; with a mark %+v, %v", plain, err1, marked, err2)
	}
}
