package client

import (
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"fmt"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/socket"
)

// Pair pairs a browser called name with the daemon at addr. It calls show with the six digits that the person compares with
// those in the dashboard, waits for the approval, and returns the identity to connect with.
func Pair(ctx context.Context, addr, client, name, origin string, show func(digits string)) (Identity, error) {
	who := Identity{Client: client, Origin: origin}
	ws, err := socket.Dial(ctx, nil, addr, origin)
	if err != nil {
		return who, err
	}
	defer ws.Drop()
	private, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		return who, fmt.Errorf("make a key: %w", err)
	}
	own := protocol.PairReveal{Type: protocol.TypePairReveal, Public: private.PublicKey().Bytes(), Random: make([]byte, protocol.KeySize)}
	rand.Read(own.Random) // never fails
	commit := protocol.PairCommit{Type: protocol.TypePairCommit, V: protocol.Version, Client: client, Name: name,
		Commit: protocol.Commitment(own.Public, own.Random)}
	if err := ws.Send(ctx, commit); err != nil {
		return who, fmt.Errorf("pair: %w", err)
	}
	var theirCommit protocol.PairCommit
	if err := expect(ctx, ws, protocol.TypePairCommit, &theirCommit); err != nil {
		return who, err
	}
	if err := ws.Send(ctx, own); err != nil {
		return who, fmt.Errorf("pair: %w", err)
	}
	var theirs protocol.PairReveal
	if err := expect(ctx, ws, protocol.TypePairReveal, &theirs); err != nil {
		return who, err
	}
	if !theirs.Opens(theirCommit.Commit) {
		return who, protocol.ErrBadReveal
	}
	transcript := protocol.Transcript(client, own, theirs)
	if who.Key, err = protocol.Agree(private, theirs.Public, transcript); err != nil {
		return who, err
	}
	show(protocol.Digits(transcript))
	return who, expect(ctx, ws, protocol.TypePairDone, &protocol.Plain{})
}
