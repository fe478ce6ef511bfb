// Package hostile has texts by which a page, an address or a name may try to become markup, a formula, a header or a
// command, for tests of everything that shows texts.
package hostile

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/lab/effort"
)

// own are texts of our own.
var own = []string{
	`<script>alert(1)</script>`, `"><script>alert(1)</script>`, `'><img src=x onerror=alert(1)>`, `<img src=x onerror=alert(1)//`,
	`</title><script>alert(1)</script>`, `</textarea><svg onload=alert(1)>`, `</style><script>alert(1)</script>`, `--><script>alert(1)</script>`,
	`<svg><style><img src=x onerror=alert(1)></style></svg>`, `<math><mi//xlink:href="data:x,<script>alert(1)</script>">`,
	`" onmouseover="alert(1)`, `' onfocus='alert(1)' autofocus='`, "` onclick=alert(1) `", `x" style="background:url(//evil.example)`,
	`{{.Layout}}`, `{{"}}`, `${alert(1)}`, `<%= 1 %>`, `&lt;script&gt;`, `&#x3c;script&#x3e;`, `]]><script>alert(1)</script>`, `<![CDATA[<script>]]>`,
	`<!--`, `<a href="javascript:alert(1)">x</a>`, `<base href="//evil.example">`, `<meta http-equiv=refresh content="0;url=//evil.example">`,
	`<form action=//evil.example><input name=x>`, `<iframe srcdoc="<script>alert(1)</script>">`, `<template><script>alert(1)</script></template>`,
	`</svg><script>alert(1)</script>`, `</desc></svg><img src=x>`, `</details></article></main>`, `<plaintext>`, `<noscript><p title="</noscript><img src=x>">`,
	`javascript:alert(1)`, ` javascript:alert(1)`, `data:text/html,<script>alert(1)</script>`, `//evil.example/`, `<link rel=stylesheet href=//evil.example/x.css>`,
	`<img src=//evil.example/x.png>`, `=cmd|' /C calc'!A0`, `+1+1`, `@SUM(1)`, "\t=1", "\uff1d1+1", `-2+3`, "x\r\nBcc: evil@evil.example\r\n\r\nbody", "x\nSubject: y",
	`$(touch /tmp/x)`, "`touch /tmp/x`", `; touch /tmp/x`, `-e touch`, `<b>bold</b> <a href="//evil.example">x</a>`,
	"\x00<b>", "\u202e<b>gnol\u202c", "\u2028<b>", "\ufeff<b>", "a\r\nb: c", "%3Cscript%3E", `\u003cscript\u003e`, `'; DROP TABLE finds; --`, `%s%n%d`,
	"\xff\xfe<b>", "\u2066\u2067\u202b" + strings.Repeat("\u05d0\u05d1\u05d2 ", 20), "e" + strings.Repeat("\u0301\u0337\u0348", 60) + " zalgo",
	"\u0e14" + strings.Repeat("\u0e49\u0e47", 40), strings.Repeat("<b>", 200), strings.Repeat("W", 3000),
}

// Texts are our own texts, and with NIGHTJAR_REFERENCE, the folder of reference suites, those of the Big List of Naughty
// Strings (https://github.com/minimaxir/big-list-of-naughty-strings).
func Texts(tb testing.TB) []string {
	tb.Helper()
	all := own[:len(own):len(own)]
	root := os.Getenv("NIGHTJAR_REFERENCE")
	if root == "" {
		return all
	}
	file, err := os.ReadFile(filepath.Join(root, "strings", "blns.json"))
	if err != nil {
		tb.Fatal(err)
	}
	var list []string
	if err := json.Unmarshal(file, &list); err != nil {
		tb.Fatal(err)
	}
	if len(list) < 400 {
		tb.Fatalf("the list has %d strings", len(list))
	}
	return append(all, list...)
}

// Some are our own texts and a tenth of the list; at night, all of it. It is for tests that are slow and need each text alone.
func Some(tb testing.TB) []string {
	tb.Helper()
	texts := Texts(tb)
	if effort.Nightly() {
		return texts
	}
	some := slices.Clone(own)
	for i := len(own); i < len(texts); i += 10 {
		some = append(some, texts[i])
	}
	return some
}

// Joined are the texts, several in each, for tests that are slow; by day, six times as many in each. A text that becomes markup does so
// among others, too.
func Joined(tb testing.TB, several int) (all []string) {
	tb.Helper()
	if !effort.Nightly() {
		several *= 6
	}
	texts := Texts(tb)
	for len(texts) > 0 {
		n := min(several, len(texts))
		all = append(all, strings.Join(texts[:n], " "))
		texts = texts[n:]
	}
	return all
}
