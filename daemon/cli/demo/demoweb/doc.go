// Package demoweb makes up a small web: some hundred pages on a dozen host names under .test, which the program serves
// itself, so that one can try everything without contacting other people's sites.
//
// Start with Generate; Web.Handler serves the sites by host name; Web.Script is a person's session on them.
//
// The web has the topic hierarchy of [HMM] §1: paths to pages about a topic lead through other pages, which are similar on
// all sites. A university leads to departments, a department to research groups, a group to its papers; a museum has halls,
// rooms and objects; a club has sections, circles and reports. All topics have the same structure and one is drawn as the
// topic of the web, so that only words show the way. The generator knows the relevant pages (Web.Relevant).
package demoweb
