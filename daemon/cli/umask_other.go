//go:build !unix

package cli

// privateFiles does nothing: files take the rights of the person's own profile folder.
func privateFiles() {}
