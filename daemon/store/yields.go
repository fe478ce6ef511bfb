package store

import (
	"context"

	"nightjar/daemon/db"
	"nightjar/daemon/learn/calibration"
)

// Yield is how many finds of a crawl are probably useful.
type Yield struct {
	calibration.Number
	Unjudged int // finds from before there was a judge; they count as hardly ever useful
}

// Yields says how many finds of crawls are useful, by the judge's probabilities and the person's marks on finds of their topics. It
// leaves out crawls without finds.
func (s *Store) Yields(ctx context.Context, crawls []int64) (map[int64]Yield, error) {
	finds, err := s.JudgedFinds(ctx, crawls)
	if err != nil {
		return nil, err
	}
	of := map[int64][]JudgedFind{}
	for _, f := range finds {
		of[f.CrawlID] = append(of[f.CrawlID], f)
	}
	topics := map[int64]calibration.Calibration{}
	yields := map[int64]Yield{}
	for crawl, list := range of {
		topic := list[0].TopicID
		c, known := topics[topic]
		if !known {
			if c, err = s.calibration(ctx, topic); err != nil {
				return nil, err
			}
			topics[topic] = c
		}
		yields[crawl] = yieldOf(list, c)
	}
	return yields, nil
}

// TopicYield says how many of all finds of a topic are useful.
func (s *Store) TopicYield(ctx context.Context, topic int64) (Yield, error) {
	c, err := s.calibration(ctx, topic)
	if err != nil {
		return Yield{}, err
	}
	finds, err := db.Query(ctx, s.Readers, db.Fields[JudgedFind], `SELECT crawl_id, topic_id, useful, mark FROM finds WHERE topic_id = ? AND `+ShownFinds, topic)
	return yieldOf(finds, c), db.Wrap(err, "read how the finds of topic %d were judged", topic)
}

// calibration is learned from the marks on a topic's finds.
func (s *Store) calibration(ctx context.Context, topic int64) (calibration.Calibration, error) {
	finds, err := s.JudgedMarks(ctx, topic)
	var marks []calibration.Mark
	for _, f := range finds {
		if m, said := f.said(); said && f.Useful > 0 {
			marks = append(marks, m)
		}
	}
	return calibration.Learn(marks), err
}

func yieldOf(finds []JudgedFind, c calibration.Calibration) Yield {
	var y Yield
	var marked []calibration.Mark
	var open []float64
	for _, f := range finds {
		if f.Useful <= 0 {
			y.Unjudged++
		}
		if m, said := f.said(); said {
			marked = append(marked, m)
		} else {
			open = append(open, f.Useful)
		}
	}
	y.Number = c.Count(marked, open)
	return y
}

// JudgedFind is the probability that the judge gave a find, 0 for one from before there was a judge, and the person's mark.
type JudgedFind struct {
	CrawlID int64
	TopicID int64
	Useful  float64
	Mark    string
}

// said is what the person said of a find; known is false for one without a mark and for one put off.
func (f JudgedFind) said() (m calibration.Mark, known bool) {
	m = calibration.Mark{P: f.Useful, Useful: f.Mark == MarkUseful}
	return m, m.Useful || f.Mark == MarkNotUseful || f.Mark == MarkOffTopic
}

// JudgedFinds lists the finds of some crawls, without those of refused sites.
func (s *Store) JudgedFinds(ctx context.Context, crawls []int64) ([]JudgedFind, error) {
	all, err := db.Query(ctx, s.Readers, db.Fields[JudgedFind], `SELECT crawl_id, topic_id, useful, mark FROM json_each(?) CROSS JOIN finds ON crawl_id = value
		WHERE `+ShownFinds, db.JSONList(crawls))
	return all, db.Wrap(err, "read how finds were judged")
}

// maxJudgedMarks bounds JudgedMarks.
const maxJudgedMarks = 300

// JudgedMarks lists the finds of a topic that the person called useful, not useful or of another topic, those of the newest
// crawls, at most 300.
func (s *Store) JudgedMarks(ctx context.Context, topic int64) ([]JudgedFind, error) {
	all, err := db.Query(ctx, s.Readers, db.Fields[JudgedFind], `SELECT crawl_id, topic_id, useful, mark FROM finds
		WHERE list IN ('`+MarkUseful+`', '`+MarkNotUseful+`', '`+MarkOffTopic+`') AND topic_id = ? ORDER BY crawl_id DESC, id DESC LIMIT ?`,
		topic, maxJudgedMarks)
	return all, db.Wrap(err, "read the marked finds of a topic")
}
