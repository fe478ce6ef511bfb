// Package arms compares two strategies that choose links from one queue in turn, as a seeded draw says.
//
// A crawl's picks, its choices of a link, are cut into blocks of 100/share picks. In each block one pick, drawn evenly from all
// of them, is the second strategy's, the others are the first's. So the second has exactly its share, neither has the better
// part of the night, and the first cannot take the best links away in advance more than chance lets it: whatever waits in the
// queue when a block begins, each of its picks is equally likely to be the second's. The mean harvest of a pick is therefore
// comparable although one strategy picks more often. Where both would choose the same link, either is credited with it by the
// same draw, in proportion to how often it picks, so that links on which both agree tell nothing for or against either.
//
// What a pick brought is its worth, from 0 to 1: the person's mark of the page if there is one, otherwise the probability that
// the page is useful, and 0 for a page that is no find. It counts for the strategy that chose the link, whichever pages held it.
//
// What is compared is the choice among links that both know, not finding them: the links of a page that one strategy chose are
// in the queue of the other, too. A strategy that opens up a rich part of the web shares it with the other, so that the ratio is
// nearer to 1 than that of two crawls in which each is alone. And where a crawl finds all there is, both have found it.
//
// Two questions get two answers:
//
//   - How much more does one bring? Verdict.Ratio with a 95 % interval for one look at the data. It is the score interval of a
//     ratio of rates given the sum of both, as Wilson's is for a proportion: if both are equal, each find is the second's with
//     the probability of a pick.
//   - Which of the two should crawl? Verdict.Winner. This is asked again after every night, which a plain interval does not
//     allow for: it would be wrong sooner or later. It is answered by a product of e-variables, one for each block, which may be
//     looked at as often as one likes: it makes an arm win that is no better with probability Alpha at most, ever. The
//     e-variables are those of Turner, Ly, Grünwald, "Generic E-variables for exact sequential k-sample tests that allow for
//     optional stopping", Journal of Statistical Planning and Inference 230 (2024), for a block in which one of n places is
//     drawn; Ville's inequality and mixtures are in Ramdas, Grünwald, Vovk, Shafer, "Game-theoretic statistics and safe
//     anytime-valid inference", Statistical Science 38 (2023). They need no model of the harvest, which falls during a night
//     and changes from night to night.
//
// Neither says anything before LeastUseful useful pages were found.
package arms
