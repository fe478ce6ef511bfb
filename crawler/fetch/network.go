package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
)

// failNetwork sets the outcome for a network error.
func (res *Response) failNetwork(err error, doing string) {
	res.Outcome, res.Reason = reason(err, doing)
}

// reason classifies a network error: refused by the guard, timed out, or broken.
func reason(err error, doing string) (Outcome, string) {
	var refused *refusal
	var later *errNotReady
	var late *errTimeout
	var timeout net.Error
	var unstored *errUnstored
	switch {
	case errors.As(err, &unstored):
		return Canceled, fmt.Sprintf("%s: not sent, because the intent to send it could not be stored: %v", doing, unstored.error)
	case errors.As(err, &refused):
		return Refused, refused.reason
	case errors.As(err, &later):
		return map[bool]Outcome{true: Later, false: Timeout}[later.canRetry], err.Error()
	case errors.As(err, &late):
		return Timeout, doing + ": " + late.what
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return Timeout, doing + ": " + errTotal.what
	case errors.Is(err, context.Canceled):
		return Canceled, "the crawl was stopped"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return Network, doing + ": the connection ended early"
	}
	return Network, fmt.Sprintf("%s: %v", doing, inner(err))
}

// inner removes the wrappers of an error that only repeat the request.
func inner(err error) error {
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return fmt.Errorf("looking up %s: %s", dns.Name, dns.Err)
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return op
	}
	return err
}

// refusal is the error for an address that our own rules forbid.
type refusal struct{ reason string }

func (r *refusal) Error() string { return r.reason }

func refuse(format string, args ...any) *refusal { return &refusal{fmt.Sprintf(format, args...)} }
