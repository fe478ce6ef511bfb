// Package settings defines the settings, their defaults and their checks, and computes the nights from the window for
// crawls. It reads no file, database or clock: package store stores the settings, the dashboard's form changes them, and
// the scheduler applies them.
//
// Start with Default and Settings.Validate; Window.At tells whether the window is open.
package settings
