package demoweb

import (
	"context"
	"fmt"

	"nightjar/daemon/cli/demo/surfer"
)

// Play lets a surfer take the steps. It calls done, unless nil, after each.
func Play(ctx context.Context, s *surfer.Surfer, steps []Step, done func(n int) error) error {
	if err := s.Start(); err != nil {
		return fmt.Errorf("start the session: %w", err)
	}
	for i, step := range steps {
		if err := play(ctx, s, step); err != nil {
			return fmt.Errorf("step %d (%s): %w", i+1, step.Do, err)
		}
		if done == nil {
			continue
		}
		if err := done(i + 1); err != nil {
			return err
		}
	}
	return nil
}

func play(ctx context.Context, s *surfer.Surfer, step Step) error {
	switch step.Do {
	case Open:
		return s.Open(ctx, step.URL)
	case Follow:
		if s.Shown() == nil || s.Shown().Holder(step.URL) == nil {
			return fmt.Errorf("the page shown has no link to %s", step.URL)
		}
		return s.Follow(ctx, step.URL)
	case Back:
		return s.Back()
	case Useful:
		return s.Useful()
	case Submit:
		return s.Submit()
	}
	return fmt.Errorf("unknown action %q", step.Do)
}
