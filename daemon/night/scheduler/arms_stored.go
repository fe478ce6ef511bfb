package scheduler

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
	"nightjar/model/arms"
)

// Who chose a topic's strategy.
const (
	ByNights = "nights" // what its nights brought
	ByYou    = "you"
)

// TopicStrategy is by which strategies a topic is crawled.
type TopicStrategy struct {
	At       time.Time
	ChosenBy string // ByNights or ByYou; "" for a topic that is crawled as the settings say
	Strategy string // "" for that of the settings
	Second   string // that is compared with it; "" for that of the settings
	Fixed    bool   // the nights may not change it
	Verdict  *arms.Verdict
}

// StrategyOf returns by which strategies a topic is crawled. It is the zero value where nobody has chosen.
func StrategyOf(ctx context.Context, d *db.DB, topicID int64) (TopicStrategy, error) {
	all, err := topicStrategies(ctx, d, topicID, 1)
	if err != nil || len(all) == 0 {
		return TopicStrategy{}, err
	}
	return all[0], nil
}

// topicStrategies lists the choices of a topic's strategy, newest first, at most limit.
func topicStrategies(ctx context.Context, d *db.DB, topicID int64, limit int) ([]TopicStrategy, error) {
	all, err := db.Query(ctx, d.Readers, func(row db.Scanner) (t TopicStrategy, err error) {
		return t, row.Scan(db.TimeOf(&t.At), &t.ChosenBy, &t.Strategy, &t.Second, &t.Fixed, db.JSONOf(&t.Verdict))
	}, `SELECT at, chosen_by, strategy, second, fixed, verdict FROM topic_strategies WHERE topic_id = ? ORDER BY id DESC LIMIT ?`, topicID, limit)
	return all, db.Wrap(err, "read the strategy of topic %d", topicID)
}

// ChooseStrategy stores by which strategies a topic is crawled from its next crawl on.
func ChooseStrategy(ctx context.Context, d *db.DB, topicID int64, t TopicStrategy) error {
	var verdict any = ""
	if t.Verdict != nil {
		verdict = db.JSONOf(t.Verdict)
	}
	err := d.Exec(ctx, `INSERT INTO topic_strategies (topic_id, at, chosen_by, strategy, second, fixed, verdict)
		VALUES (?, ?, ?, ?, ?, ?, ?)`, topicID, db.Millis(d.Now()), t.ChosenBy, t.Strategy, t.Second, t.Fixed, verdict)
	return db.Wrap(err, "choose the strategy of topic %d", topicID)
}

// UndoStrategy makes the choice before the last one hold again, and keeps the nights from changing it. It does nothing unless
// the nights made the last one.
func UndoStrategy(ctx context.Context, d *db.DB, topicID int64) error {
	last, err := topicStrategies(ctx, d, topicID, 2)
	if err != nil || len(last) == 0 || last[0].ChosenBy != ByNights {
		return err
	}
	before := TopicStrategy{ChosenBy: ByYou, Fixed: true}
	if len(last) > 1 {
		before.Strategy, before.Second = last[1].Strategy, last[1].Second
	}
	return ChooseStrategy(ctx, d, topicID, before)
}

// armCrawls selects crawls in which two strategies chose in turn.
const armCrawls = `SELECT id, strategy, json_extract(options, '$.second'), coalesce(json_extract(options, '$.second_share'), 0)
	FROM crawls WHERE json_extract(options, '$.second') <> '' AND `

func scanArmCrawl(row db.Scanner) (c ArmCrawl, err error) {
	return c, row.Scan(&c.ID, &c.First, &c.Second, &c.Night.Share)
}

// ArmCrawl is what a crawl with two strategies brought.
type ArmCrawl struct {
	ID            int64
	First, Second string // names of the strategies
	Night         arms.Night
}

// ArmCrawls lists what the crawls of a topic brought in which two strategies chose in turn, oldest first. A find is worth what
// the person marked it, otherwise its probability of being useful; a page that was only asked about counts once it is marked.
func ArmCrawls(ctx context.Context, d *db.DB, topicID int64) ([]ArmCrawl, error) {
	tx, err := d.Readers.BeginTx(ctx, nil) // reads all tables in the same state
	if err != nil {
		return nil, fmt.Errorf("read what strategies brought: %w", err)
	}
	defer tx.Rollback()
	all, err := db.Query(ctx, tx, scanArmCrawl, armCrawls+`topic_id = ? ORDER BY id`, topicID)
	for i := range all {
		if err == nil {
			err = readArms(ctx, tx, &all[i])
		}
	}
	return all, db.Wrap(err, "read what the strategies of topic %d brought", topicID)
}

// ArmCrawlByID returns what one crawl with two strategies brought; ErrNotFound for a crawl with one.
func ArmCrawlByID(ctx context.Context, d *db.DB, crawlID int64) (ArmCrawl, error) {
	c, err := scanArmCrawl(d.Readers.QueryRowContext(ctx, armCrawls+`id = ?`, crawlID))
	if errors.Is(err, sql.ErrNoRows) {
		return c, db.ErrNotFound
	}
	if err == nil {
		err = readArms(ctx, d.Readers, &c)
	}
	return c, db.Wrap(err, "read what the strategies of crawl %d brought", crawlID)
}

// readArms reads the picks and the finds of a crawl with two strategies.
func readArms(ctx context.Context, q db.Queryer, c *ArmCrawl) error {
	err := q.QueryRowContext(ctx, `SELECT count(*) FILTER (WHERE pick > 0), count(*) FILTER (WHERE pick < 0)
		FROM fetches WHERE crawl_id = ? AND pick <> 0 AND cost > 0`, c.ID).Scan(&c.Night.Picks[0], &c.Night.Picks[1])
	if err != nil {
		return err
	}
	c.Night.Finds, err = db.Query(ctx, q, scanArmFind, `SELECT f.pick, d.mark, d.useful, d.asked FROM fetches f
		CROSS JOIN finds d ON d.fetch_id = f.id WHERE f.crawl_id = ? AND f.pick <> 0 ORDER BY f.n`, c.ID)
	return err
}

func scanArmFind(row db.Scanner) (f arms.Find, err error) {
	var mark string
	var asked bool
	err = row.Scan(&f.Pick, &mark, &f.Worth, &asked)
	f.Pick, f.Second = max(f.Pick, -f.Pick), f.Pick < 0
	switch {
	case mark == store.MarkUseful:
		f.Worth = 1
	case mark == store.MarkNotUseful, mark == store.MarkOffTopic, asked:
		f.Worth = 0
	}
	return f, err
}

// CompareArms compares two strategies, called A and B, by the crawls in which one was the first and the other the second.
func CompareArms(crawls []ArmCrawl, a, b string) arms.Verdict {
	var nights []arms.Night
	for _, c := range crawls {
		n := c.Night
		switch {
		case c.First == b && c.Second == a:
			n.Swapped, n.Picks = true, [2]int{n.Picks[1], n.Picks[0]}
		case c.First != a || c.Second != b:
			continue
		}
		nights = append(nights, n)
	}
	return arms.Compare(nights)
}
