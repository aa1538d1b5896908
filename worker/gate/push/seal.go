//go:build !js

package push

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
)

// recordSize is the size of the only record of a message (RFC 8188). Push services take
// bodies of 4,096 bytes.
const recordSize = 4096

// overhead is what a body has beside its text: the header with salt, size and key, the mark
// of the last record, and the authentication tag.
const overhead = 16 + 4 + 1 + 65 + 1 + 16

// mostText is the largest text of a message, in bytes.
const mostText = recordSize - overhead

// sealText encrypts a text for a browser (RFC 8291). public and auth are what the browser gave.
func sealText(text, public, auth []byte) ([]byte, error) {
	own, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	var salt [16]byte
	rand.Read(salt[:])
	return sealWith(text, public, auth, own, salt[:])
}

// sealWith is sealText with a key and a salt, which must be used once.
func sealWith(text, public, auth []byte, own *ecdh.PrivateKey, salt []byte) ([]byte, error) {
	if len(text) > mostText {
		return nil, fmt.Errorf("a message of %d bytes; at most %d fit", len(text), mostText)
	}
	theirs, err := ecdh.P256().NewPublicKey(public)
	if err != nil {
		return nil, err
	}
	shared, err := own.ECDH(theirs)
	if err != nil {
		return nil, err
	}
	mine := own.PublicKey().Bytes()
	aead, nonce, err := keysOf(shared, auth, salt, public, mine)
	if err != nil {
		return nil, err
	}
	out := append(slices.Clone(salt), binary.BigEndian.AppendUint32(nil, recordSize)...)
	out = append(append(out, byte(len(mine))), mine...)
	return aead.Seal(out, nonce, append(slices.Clone(text), 2), nil), nil // 2 marks the last record
}

// keysOf returns the cipher and the nonce of a message, from the secret that both sides share.
func keysOf(shared, auth, salt, browser, sender []byte) (cipher.AEAD, []byte, error) {
	material, err := hkdf.Key(sha256.New, shared, auth, "WebPush: info\x00"+string(browser)+string(sender), 32)
	if err != nil {
		return nil, nil, err
	}
	key, err := hkdf.Key(sha256.New, material, salt, "Content-Encoding: aes128gcm\x00", 16)
	if err != nil {
		return nil, nil, err
	}
	nonce, err := hkdf.Key(sha256.New, material, salt, "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return nil, nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, nil, err
	}
	aead, err := cipher.NewGCM(block)
	return aead, nonce, err
}

// signingKey returns the key with which a gate says who it is (RFC 8292). It follows from the
// gate's secret alone.
func signingKey(secret []byte) (*ecdsa.PrivateKey, error) {
	for n := range byte(100) { // of four billion draws, one is no key
		raw, err := hkdf.Key(sha256.New, secret, []byte{n}, "boundcheck web push", 32)
		if err != nil {
			return nil, err
		}
		if key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), raw); err == nil {
			return key, nil
		}
	}
	return nil, fmt.Errorf("cannot make a key")
}

// signVoucher returns the header that says to the push service at an origin who sends. It is
// valid until a time in Unix seconds. contact is an address of the sender.
func signVoucher(key *ecdsa.PrivateKey, origin, contact string, until int64) (string, error) {
	claims, err := json.Marshal(map[string]any{"aud": origin, "exp": until, "sub": contact})
	if err != nil {
		return "", err
	}
	text := encodeBytes([]byte(`{"typ":"JWT","alg":"ES256"}`)) + "." + encodeBytes(claims)
	sum := sha256.Sum256([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, key, sum[:])
	if err != nil {
		return "", err
	}
	var signature [64]byte
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	public, err := key.PublicKey.Bytes()
	return "vapid t=" + text + "." + encodeBytes(signature[:]) + ", k=" + encodeBytes(public), err
}

func encodeBytes(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }
