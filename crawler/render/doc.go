// Package render shows what a page's scripts make of it, by an installed Chromium.
//
// New finds the browser, Render runs one page at a time, Close ends the browser. The browser is started with an empty
// profile of its own that is thrown away, and it cannot reach any network by itself: names do not resolve, everything
// goes to a proxy that is not there, and what could go around one is switched off. Every request that a page makes is
// caught by the DevTools protocol before it is sent and answered by Nightjar's own fetcher, under the same rules as all
// pages: guard, robots.txt, turns, caps, no cookies, GET only. Of those only scripts, and what scripts ask for from the
// page's own site, are fetched; style sheets, pictures, media, fonts and frames are not.
//
// A page may use a number of files, of bytes, seconds and megabytes (see Options). A page that does not come to an end
// costs the browser its life, with its whole process group, and the next page gets a new one.
package render
