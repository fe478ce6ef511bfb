package store

import (
	"context"
)

// JudgedFind is the probability that the judge gave a find, 0 for one from before there was a judge, and the person's mark.
type JudgedFind struct {
	CrawlID int64
	TopicID int64
	Useful  float64
	Mark    string
}

func readJudged(row scanner) (f JudgedFind, err error) {
	return f, row.Scan(&f.CrawlID, &f.TopicID, &f.Useful, &f.Mark)
}

// JudgedFinds lists the finds of some crawls, without those of refused sites.
func (s *Store) JudgedFinds(ctx context.Context, crawls []int64) ([]JudgedFind, error) {
	all, err := query(ctx, s.r, readJudged, `SELECT crawl_id, topic_id, useful, mark FROM json_each(?) CROSS JOIN finds ON crawl_id = value
		WHERE asked = 0 AND refused = 0`, jsonList(crawls))
	return all, wrap(err, "read how finds were judged")
}

// maxJudgedMarks bounds JudgedMarks.
const maxJudgedMarks = 300

// JudgedMarks lists the finds of a topic that the person called useful, not useful or of another topic, those of the newest
// crawls, at most 300.
func (s *Store) JudgedMarks(ctx context.Context, topic int64) ([]JudgedFind, error) {
	all, err := query(ctx, s.r, readJudged, `SELECT crawl_id, topic_id, useful, mark FROM finds
		WHERE list IN ('`+MarkUseful+`', '`+MarkNotUseful+`', '`+MarkOffTopic+`') AND topic_id = ? ORDER BY crawl_id DESC, id DESC LIMIT ?`,
		topic, maxJudgedMarks)
	return all, wrap(err, "read the marked finds of a topic")
}
