//go:build !unix

package app

// PrivateFiles does nothing: files inherit the permissions of the person's profile folder.
func PrivateFiles() {}
