// Package settings holds what a person can set: the values with their defaults, the checks, and the nights that the
// window for crawls opens. It reads no file, database or clock: store keeps the settings, the dashboard's form changes
// them, and the scheduler follows them.
//
// Start with Default and Settings.Validate; Window.At tells whether the window is open.
package settings
