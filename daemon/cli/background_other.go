//go:build !unix

package cli

// stayInBackground does nothing on systems that stop no program for reading from its terminal.
func stayInBackground() {}
