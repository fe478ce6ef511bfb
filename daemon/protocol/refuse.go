package protocol

import (
	"errors"
	"fmt"
)

// Code says why an event or a connection was refused. Programs compare codes; people read the message beside it.
type Code string

// Why an event is refused. A refused event is never sent again.
const (
	BadJSON       Code = "bad-json"       // not one JSON object of the wire format
	BadVersion    Code = "bad-version"    // another version of the wire format
	UnknownType   Code = "unknown-type"   // no such event
	MissingField  Code = "missing-field"  // a field that the type needs is not there
	BadField      Code = "bad-field"      // a field has a value of the wrong form, or does not belong to the type
	BadURL        Code = "bad-url"        // not an absolute http or https URL
	TooLarge      Code = "too-large"      // longer than the format allows
	NeverRecord   Code = "never-record"   // of a host on the never-record list
	PasswordPage  Code = "password-page"  // of a page with a password field
	UnknownClient Code = "unknown-client" // client is not the one that proved its key on this connection
	NoSession     Code = "no-session"     // of a session that was never started, or was erased
	SessionEnded  Code = "session-ended"  // of a session that was submitted or discarded before
	OtherSession  Code = "other-session"  // another client's session, or a page load of another session
)

// Why a connection is refused; the daemon closes it afterwards.
const (
	NotPaired     Code = "not-paired"     // unknown or revoked browser, or a wrong proof
	PairingClosed Code = "pairing-closed" // nobody opened pairing in the dashboard
	PairRefused   Code = "pair-refused"   // the person said no, or the exchange was not honest
	PairTimeout   Code = "pair-timeout"   // nobody approved in time
	Unexpected    Code = "unexpected"     // a message that has no place at this point
)

// Invalid is the error of an event that breaks the format.
type Invalid struct {
	ID      string // the event's id as far as it could be read
	Code    Code
	Message string // in words, naming the field
}

// Error is the message.
func (e *Invalid) Error() string { return e.Message }

// CodeOf is the code of an error of this package, BadJSON for any other error.
func CodeOf(err error) Code {
	var invalid *Invalid
	if errors.As(err, &invalid) {
		return invalid.Code
	}
	return BadJSON
}

func invalid(code Code, format string, args ...any) *Invalid {
	return &Invalid{Code: code, Message: fmt.Sprintf(format, args...)}
}
