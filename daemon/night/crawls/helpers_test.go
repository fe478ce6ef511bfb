package crawls

import (
	"context"
	"errors"
	"fmt"

	"nightjar/daemon/app/wings"
	"nightjar/daemon/db"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/night/progress"
	"nightjar/daemon/store"
)

func eraseHost(ctx context.Context, s *store.Store, host string) ([]int64, error) {
	return erasing.Host(ctx, s, wings.Erasing, host)
}

// eraseRows is the first step of an erasing.
func eraseRows(ctx context.Context, s *store.Store, host string) error {
	one, err := erasing.Begin(ctx, s.DB, host)
	if err != nil {
		return err
	}
	return erasing.Rows(ctx, s, wings.Erasing, &one)
}

// markedFinds returns "+" or "-" and the address of each marked find of a topic.
func markedFinds(ctx context.Context, d *db.DB, topic int64) (all []string, err error) {
	finds, err := trainingdata.MarkedFinds(ctx, d, topic, trainingdata.AllMarks)
	for _, f := range finds {
		all = append(all, map[bool]string{true: "+", false: "-"}[f.Useful]+f.Trail[len(f.Trail)-1].URL)
	}
	return all, err
}

// progressOf returns what the page of a crawl shows of it.
func progressOf(ctx context.Context, d *db.DB, crawl int64) (string, error) {
	looks, err1 := progress.LooksOf(ctx, d, crawl)
	outcomes, err2 := progress.Outcomes(ctx, d, crawl)
	hosts, err3 := progress.Hosts(ctx, d, crawl)
	curve, err4 := progress.Curve(ctx, d, crawl, 100)
	ledger, err5 := progress.Ledger(ctx, d, crawl)
	var last progress.CurvePoint
	if len(curve) > 0 {
		last = curve[len(curve)-1]
	}
	requests := map[string]int{}
	for _, h := range ledger {
		requests[h.Host] = h.Requests
	}
	return fmt.Sprintf("looks %+v, outcomes %+v, hosts %+v, %d points to %+v, requests %v", looks, outcomes, hosts, len(curve), last, requests),
		errors.Join(err1, err2, err3, err4, err5)
}
