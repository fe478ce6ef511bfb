// Package peakrss tells the most memory that this process held.
package peakrss
