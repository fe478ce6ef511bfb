package work

import "context"

// Local is the Dispatcher within this process: each task runs at once, in a goroutine of its own.
type Local struct {
	hands   *Hands
	width   int
	results chan Result
}

// NewLocal returns a dispatcher of tasks to hands. Width is what Width returns; whoever dispatches keeps to it.
func NewLocal(h *Hands, width int) *Local {
	return &Local{hands: h, width: max(width, 1), results: make(chan Result)}
}

// Dispatch starts a task.
func (l *Local) Dispatch(ctx context.Context, t Task) {
	go func() { l.results <- l.hands.Do(ctx, t) }()
}

// Results returns the channel of the results.
func (l *Local) Results() <-chan Result { return l.results }

// Width is how many tasks may be under way.
func (l *Local) Width() int { return l.width }

// Durable is false: what is under way is lost when the process ends.
func (l *Local) Durable() bool { return false }

// Close does nothing: no goroutine is left after the last result.
func (l *Local) Close() {}
