package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
)

// failNetwork sets the outcome for an error of the network.
func (res *Response) failNetwork(err error, doing string) {
	res.Outcome, res.Reason = reason(err, doing)
}

// reason says what an error of the network means: refused by the guard, out of time, or broken.
func reason(err error, doing string) (Outcome, string) {
	var refused *refusal
	var later *errLater
	var late *errTimeout
	var timeout net.Error
	switch {
	case errors.As(err, &refused):
		return Refused, refused.reason
	case errors.As(err, &later):
		return map[bool]Outcome{true: Later, false: Timeout}[later.again], err.Error()
	case errors.As(err, &late):
		return Timeout, doing + ": " + late.what
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return Timeout, doing + ": " + errWhole.what
	case errors.Is(err, context.Canceled):
		return Canceled, "the crawl was stopped"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return Network, doing + ": the connection ended early"
	}
	return Network, fmt.Sprintf("%s: %v", doing, inner(err))
}

// inner strips what only repeats the request from an error.
func inner(err error) error {
	var dns *net.DNSError
	if errors.As(err, &dns) {
		return fmt.Errorf("looking up %s: %s", dns.Name, dns.Err)
	}
	var op *net.OpError
	if errors.As(err, &op) {
		return op
	}
	return err
}

// refusal is an address that our own rules forbid.
type refusal struct{ reason string }

func (r *refusal) Error() string { return r.reason }

func refuse(format string, args ...any) *refusal { return &refusal{fmt.Sprintf(format, args...)} }
