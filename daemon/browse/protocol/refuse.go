package protocol

import (
	"errors"
	"fmt"
)

// Code says why an event or a connection was refused. It is for programs; the message beside it is for people.
type Code string

// Why an event is refused. The extension does not send a refused event again.
const (
	BadJSON       Code = "bad-json"       // not a JSON object
	BadVersion    Code = "bad-version"    // another version of the wire format
	UnknownType   Code = "unknown-type"   // no such type of event
	MissingField  Code = "missing-field"  // a field that the type needs is missing
	BadField      Code = "bad-field"      // a field is malformed, or does not belong to the type
	BadURL        Code = "bad-url"        // not an absolute http or https URL
	TooLarge      Code = "too-large"      // longer than the format allows
	NeverRecord   Code = "never-record"   // of a host on the never-record list
	PasswordPage  Code = "password-page"  // of a page with a password field
	Erased        Code = "erased"         // of a page load that the person deleted from its session
	UnknownClient Code = "unknown-client" // not the client that proved its key on this connection
	NoSession     Code = "no-session"     // of a session that was never started, or was erased
	SessionEnded  Code = "session-ended"  // of a session that was already submitted or discarded
	OtherSession  Code = "other-session"  // of another client's session, or of another session's page load
)

// Why a connection is refused. The daemon closes it afterwards.
const (
	NotPaired     Code = "not-paired"     // unknown or revoked browser, or a wrong proof
	PairingClosed Code = "pairing-closed" // no page of the dashboard lets a browser ask now, or another browser is asking
	PairRefused   Code = "pair-refused"   // the person declined, or ErrBadReveal
	PairTimeout   Code = "pair-timeout"   // the person did not approve in time
	Damaged       Code = "damaged"        // the database is damaged: nothing can be stored until it is mended
	Unexpected    Code = "unexpected"     // a message of a type that is not allowed at this point
)

// Invalid says that an event violates the wire format.
type Invalid struct {
	ID      string // the event's id, if it could be read
	Code    Code
	Message string // for people; names the field
}

// Error returns the message.
func (e *Invalid) Error() string { return e.Message }

// CodeOf returns the code of an *Invalid, and BadJSON for any other error.
func CodeOf(err error) Code {
	if invalid, ok := errors.AsType[*Invalid](err); ok {
		return invalid.Code
	}
	return BadJSON
}

func invalid(code Code, format string, args ...any) *Invalid {
	return &Invalid{Code: code, Message: fmt.Sprintf(format, args...)}
}
