package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
)

// failNetwork sets the outcome for an error of the network: refused by the guard, out of time, or broken.
func (res *Response) failNetwork(err error, doing string) {
	var refused *refusal
	var later *errLater
	var timeout net.Error
	switch {
	case errors.As(err, &refused):
		res.fail(Refused, "%s", refused.reason)
	case errors.As(err, &later):
		res.fail(Timeout, "%v", err)
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		res.fail(Timeout, "%s: no complete answer in time", doing)
	case errors.Is(err, io.ErrUnexpectedEOF):
		res.fail(Network, "%s: the connection ended early", doing)
	default:
		res.fail(Network, "%s: %v", doing, inner(err))
	}
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
