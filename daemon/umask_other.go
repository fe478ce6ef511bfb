//go:build !unix

package main

// privateFiles does nothing: files take the rights of the person's own profile folder.
func privateFiles() {}
