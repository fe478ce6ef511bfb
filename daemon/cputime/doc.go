// Package cputime tells what this process took of the processors. On a busy machine it says more of the work than the
// clock on the wall.
package cputime
