package protocol

import (
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
)

// Types of handshake messages.
const (
	TypePairCommit = "pair.commit"
	TypePairReveal = "pair.reveal"
	TypePairDone   = "pair.done"
	TypeHello      = "hello"
	TypeChallenge  = "challenge"
	TypeProof      = "proof"
)

// KeySize is the size in bytes of pairing keys, random values, nonces and MACs.
const KeySize = 32

// PairCommit starts a pairing. Each side commits to its key and random value before it sees the other's, so that
// neither side can search for values that lead to chosen digits.
type PairCommit struct {
	Type   string `json:"type"`
	V      int    `json:"v,omitempty"`      // client only
	Client string `json:"client,omitempty"` // client only: UUID of this installation of the extension
	Name   string `json:"name,omitempty"`   // client only: shown to the person
	Commit []byte `json:"commit"`
}

// PairReveal opens a commitment.
type PairReveal struct {
	Type   string `json:"type"`
	Public []byte `json:"public"` // X25519
	Random []byte `json:"random"`
}

// Hello starts a connection of a paired browser.
type Hello struct {
	Type   string `json:"type"`
	V      int    `json:"v"`
	Client string `json:"client"`
	Nonce  []byte `json:"nonce"`
}

// Challenge is the daemon's answer to Hello: its proof that it holds the key, and the nonce for the browser's proof.
type Challenge struct {
	Type  string `json:"type"`
	Nonce []byte `json:"nonce"`
	MAC   []byte `json:"mac"`
}

// Proof is the browser's proof that it holds the key.
type Proof struct {
	Type string `json:"type"`
	MAC  []byte `json:"mac"`
}

// ErrBadReveal says that a revealed key is invalid or does not match its commitment.
var ErrBadReveal = errors.New("the revealed key is invalid or does not match its commitment")

// Commitment returns SHA-256("nightjar pair commit" | public | random).
func Commitment(public, random []byte) []byte {
	return digest([]byte("nightjar pair commit"), public, random)
}

// Opens reports whether r opens commit.
func (r PairReveal) Opens(commit []byte) bool {
	return len(r.Public) == KeySize && len(r.Random) == KeySize &&
		hmac.Equal(Commitment(r.Public, r.Random), commit)
}

// Transcript returns the hash of a whole pairing:
// SHA-256("nightjar pair" | client as text | client's public | client's random | daemon's public | daemon's random).
func Transcript(client string, c, d PairReveal) []byte {
	return digest([]byte("nightjar pair"), []byte(client), c.Public, c.Random, d.Public, d.Random)
}

// Digits returns the six digits that both sides show: the first four bytes of SHA-256("digits" | transcript), big
// endian, modulo 10^6.
func Digits(transcript []byte) string {
	return fmt.Sprintf("%06d", binary.BigEndian.Uint32(digest([]byte("digits"), transcript))%1_000_000)
}

// Agree returns the pairing key, 32 bytes: HKDF-SHA256 of the X25519 shared secret with the transcript as salt.
func Agree(private *ecdh.PrivateKey, peer, transcript []byte) ([]byte, error) {
	public, err := ecdh.X25519().NewPublicKey(peer)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBadReveal, err)
	}
	shared, err := private.ECDH(public)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBadReveal, err)
	}
	return hkdf.Key(sha256.New, shared, transcript, "nightjar key", KeySize)
}

// DaemonMAC proves to the browser that the daemon holds key.
func DaemonMAC(key, clientNonce, daemonNonce []byte) []byte {
	return mac(key, "nightjar daemon", clientNonce, daemonNonce)
}

// ExtensionMAC proves to the daemon that the browser holds key.
func ExtensionMAC(key, clientNonce, daemonNonce []byte) []byte {
	return mac(key, "nightjar extension", clientNonce, daemonNonce)
}

// SameMAC compares two MACs in constant time.
func SameMAC(a, b []byte) bool { return hmac.Equal(a, b) }

func mac(key []byte, label string, clientNonce, daemonNonce []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(label))
	h.Write(clientNonce)
	h.Write(daemonNonce)
	return h.Sum(nil)
}

func digest(parts ...[]byte) []byte {
	h := sha256.New()
	for _, part := range parts {
		h.Write(part)
	}
	return h.Sum(nil)
}
