//go:build !unix

package app

// PrivateFiles does nothing: files take the rights of the person's own profile folder.
func PrivateFiles() {}
