package frame

import (
	"strings"
	"testing"
)

func TestLabelCells(t *testing.T) {
	const table = `<!doctype html><p a="<td>">x</p><table class="t"><caption>C</caption><thead><tr><th scope="col">Host &amp; <b>port</b></th>` +
		`<th>Size "n"</th></tr></thead><tbody><tr><th scope="row">a.test</th><td class="n">1<br></td><td>more</td></tr>` +
		`<tr><td>b</td><td><table><thead><tr><th>in</th></tr></thead><tr><td>x</td></tr></table></td></tr></tbody></table>` +
		`<table class="heat"><thead><tr><th>H</th></tr></thead><tr><td>0</td></tr></table><table><tr><td>bare</td></tr></table><script>a<b</script>`
	got := string(labelCells([]byte(table)))
	want := strings.NewReplacer(
		`<td class="n">1`, `<td class="n" data-label="Size &#34;n&#34;">1`,
		`<td>b</td>`, `<td data-label="Host &amp; port">b</td>`,
		`<td><table>`, `<td data-label="Size &#34;n&#34;"><table>`,
	).Replace(table)
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, plain := range []string{"", "<p>no table", "<thead", "<table><thead><tr><td", "<thead></table></table><td>"} {
		if got := string(labelCells([]byte(plain))); got != plain {
			t.Errorf("%q became %q", plain, got)
		}
	}
}
