// Package render runs the scripts of a page in an installed Chromium and returns the resulting HTML.
//
// New finds the browser, Render runs one page at a time, Close ends the browser. The browser has a temporary, empty
// profile, and no access to any network: names do not resolve, all traffic goes to a proxy that does not exist, and
// features that bypass a proxy are switched off. The DevTools protocol intercepts each request of a page before it is sent,
// and Nightjar's fetcher answers it under the same rules as for all pages: guard, robots.txt, politeness, size limits, no
// cookies, GET only. It fetches only scripts, and what scripts request from the page's own site; it does not fetch style
// sheets, pictures, media, fonts and frames.
//
// Options limit the files, bytes, time and memory that a page may use. If a page does not finish, its browser is killed
// with all its processes, and the next page gets a new one.
package render
