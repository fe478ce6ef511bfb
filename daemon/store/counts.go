package store

// What is counted, everywhere in the same words (the command line, the dashboard, the bar and the popup):
//
//   - Pages of a session: the pages of its web graph, each once, however often it was visited, with variants of one page
//     as one. Session.Pages; counted by session.Count while it is recorded, and from its first training on by the web
//     graph that is learned from, whose texts show which pages are variants.
//   - Useful pages: those of them that the person marked. Session.Useful.
//   - Fetched pages of a crawl: the addresses that it requested, failed requests included. CrawlView.Fetched.
//   - Relevant pages: those of the fetched ones that the model judges useful, known ones included, copies of a page once.
//     CrawlView.Relevant.
//   - Finds: those of the relevant ones that were new to the person, as Finds shows them: ShownFinds.

// ShownFinds is the condition on rows of finds that Finds shows: not those that were only asked about, nor those of what
// the person refused.
const ShownFinds = `asked = 0 AND refused = 0`

// listedFinds is the condition on those and the pages under Maybe.
const ListedFinds = `refused = 0 AND (asked = 0 OR maybe = 1)`

// StateMaybe is the finds.Filter.State of pages that are new to the person and that the model rated below the threshold of a find.
// Such a page becomes a find with its first mark, and stops being one when the mark is removed.
const StateMaybe = "maybe"

// Maybe is the condition on finds f under Maybe. The first part is that of an index.
const Maybe = `f.list = 'asked' AND f.maybe = 1 AND f.mark = 'none' AND f.visited = 0 AND f.refused = 0`
