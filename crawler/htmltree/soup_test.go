package htmltree

import (
	"math/rand/v2"
	"strings"
)

// Pieces of documents. Those of one document come from few lists, so that they often fit together.
var pieces = [][]string{
	strings.Split(`text|a &amp; b|&lt|&copyx|&notit;| |
|x < y|</|<|<p|<!-- c -->|<!-->|<!--->|<!-- a --!>|<!x>|<?x>|</ >|</>|<!|<!--|&#13;|`+"\r\n|\r|\x00|é|\u00a0", "|"),
	strings.Split(`<p>|</p>|<div>|</div>|<h1>|</h1>|<h2>|</h2>|<br>|<br/>|</br>|<hr>|<pre>|</pre>|<blockquote>|</blockquote>|<center>|</center>|<section>|</section>|<main>|</main>|
|text`, "|"),
	strings.Split(`<b>|</b>|<i>|</i>|<a href=x>|</a>|<a href=y title=z>|<em>|</em>|<code>|</code>|<font color=red>|<font size=1>|</font>|<nobr>|</nobr>|<span>|</span>|<p>|</p>|text|<div>|</div>|<custom-one>|</custom-one>`, "|"),
	strings.Split(`<ul>|</ul>|<ol>|</ol>|<li>|</li>|<dl>|</dl>|<dt>|</dt>|<dd>|</dd>|<a href=x>|</a>|text|<p>|<b>|</b>|<div>|</div>`, "|"),
	strings.Split(`<table>|</table>|<table>|</table>|<tr>|</tr>|<td>|</td>|<th>|</th>|<tbody>|</tbody>|<thead>|</thead>|<caption>|</caption>|<colgroup>|</colgroup>|<col>| |
|<td>text|<a href=x>|</a>|<b>|</b>|<p>|</p>|<form>|</form>|<input type=hidden>|<script>x</script>`, "|"),
	strings.Split(`<form>|</form>|<select>|</select>|<option>|</option>|<optgroup>|</optgroup>|<button>|</button>|<input>|<input type=image alt=x>|<textarea>
a&amp;</textarea>|<label>|</label>|<fieldset>|</fieldset>|text|<hr>|<p>|</p>`, "|"),
	strings.Split(`<html>|<html lang=pt>|</html>|<head>|</head>|<body>|<body class=x>|</body>|<title>a &amp; b</title>|<meta charset=utf-8>|<link rel=x>|<style>p > b</style>|<script>a<b</script>|<script><!-- x </script>|<script><!-- <script> --></script>|<noscript><p>x</noscript>|<base href=x>|<!doctype html>|<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN">| |text|<!-- c -->|<frameset>|<frame>|<template>|</template>`, "|"),
	strings.Split(`<svg>|</svg>|<svg viewBox="0 0 1 1"/>|<path d=x/>|<path>|</path>|<g xlink:href=y>|</g>|<title>|</title>|<use xlink:href="#x"/>|<circle/>|<style>a{}</style>|text|<!-- c -->|<p>|<math>|</math>|<linearGradient>|</linearGradient>|<![CDATA[x]]>`, "|"),
	strings.Split(`<iframe src=x></iframe>|<object>|</object>|<applet>|</applet>|<ruby>|</ruby>|<rt>|<rp>|<rb>|<rtc>|<img src=x>|<image src=x>|<video>|</video>|<source>|<xmp><b></xmp>|<noembed>x</noembed>|<plaintext>|<area href=x>|<b>|</b>|<p>|text|<details>|<summary>|</summary>|</details>`, "|"),
	strings.Split(`<a HREF="x" href='y'>|<a b=c d>|<a b='&amp;&lt;&copy=1&x=2'>|<a b=&copy>|<a b="&copyright&notin;&not;">|<a b=&lt;'"x>|<a/>|<a b=/>|<a b/>|<br =x>|<br a= >|<a b = "c" >|<a b="c"d="e">|</a b="c>">|<A B>|<a b="x>y">|<a &amp;=1>|<img/src=x>|<a "b">|<a b="&#65;&#x41;&#130;&#0;">|</A>`, "|"),
}

// soup makes up a document.
func soup(random *rand.Rand) string {
	var b strings.Builder
	if random.IntN(3) > 0 {
		b.WriteString("<!DOCTYPE html>\n")
	}
	if random.IntN(2) == 0 {
		b.WriteString("<html><head><title>x</title></head>\n<body>")
	}
	lists := make([][]string, 1+random.IntN(3))
	for i := range lists {
		lists[i] = pieces[random.IntN(len(pieces))]
	}
	for range random.IntN(20) {
		list := lists[random.IntN(len(lists))]
		b.WriteString(list[random.IntN(len(list))])
	}
	if random.IntN(2) == 0 {
		b.WriteString("</body>\n</html>\n")
	}
	return b.String()
}
