//go:build race

package fetch

func init() { nightHosts = 1000 }
