// Command dashbench measures how quick the dashboard is on a database of many years: by default a million stored pages
// with twenty million links between them.
//
// It makes the database by the real schema (generate.go): one session of the demo that is played and trained by the
// daemon's own code, and around it made-up sessions, crawls, finds and marks. A fifth of the pages was visited, the others
// were fetched by crawls. Links are where they are in real life: in the HTML of the stored contents, --links on each page,
// and, those that a crawl had not followed when its budget was spent, in the rows of its frontier. The search index is
// filled by the same code as the daemon's, from the same words.
//
// Then it serves the dashboard of a daemon on it, logs in and requests every page of the route table over HTTP, each with
// several real ids (measure.go). With --data, the next run measures the same database again. The first request of an address is its cold one: the daemon has just opened the database, so its own
// caches are empty; those of the operating system are not.
package main
