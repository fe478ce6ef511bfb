// Package source has the tests that read the source tree: which part imports which, that documents and code name what exists,
// and that tests look at nothing outside of their own folders.
package source
