// Package demoweb makes a small web up: some hundred pages on a dozen host names under .test, which the program serves
// itself, so that everything can be tried without touching anybody's site.
//
// Start with Generate; Web.Handler serves the sites by host name; Web.Script is a person's evening on them.
//
// What it is built to show is the topic hierarchy of [HMM] §1: pages about a matter are found by way of pages that are
// not about it, and those look alike everywhere. A university leads to departments, a department to research groups, a
// group to its papers; a museum has halls, rooms and objects, a club has sections, circles and reports. All matters are
// built alike and one of them is drawn as the topic, so nothing but the words tells the way. The labels are the
// generator's own (Web.Relevant): no strategy sees them.
package demoweb
