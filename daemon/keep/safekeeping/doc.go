// Package safekeeping keeps automatic backups of the database, and saves what can be read of a damaged one.
//
// A Keeper makes a backup once a week and keeps the last three, in the folder "backups" of the data folder. List says
// which there are. Each is a backup as package backup writes it, made of a copy that was checked; it can be restored like
// any other. Package leftovers deletes what a killed process left of an unfinished one.
package safekeeping
