package app

import (
	"nightjar/daemon/keep/doctor"
	"nightjar/daemon/morning/notice"
	"nightjar/daemon/night/checks"
	"nightjar/daemon/workers/leases"
)

// Checks are the rows of the doctor's report, in its order.
var Checks = []doctor.Row{
	{Check: doctor.Daemon},
	{Check: doctor.Port},
	{Check: doctor.Browsers, Stored: true},
	{Check: doctor.LastEvent, Stored: true},
	{Check: checks.LastNight, Stored: true},
	{Check: checks.NextNight, Stored: true},
	{Check: notice.Check, Stored: true},
	{Check: doctor.Storing},
	{Check: checks.Disk},
	{Check: doctor.Folder},
	{Check: checks.Clock},
	{Check: doctor.Database},
	{Check: doctor.Rows, Stored: true},
	{Check: doctor.Backups, Stored: true},
	{Check: checks.Archive, Stored: true},
	{Check: checks.Robots, Stored: true},
	{Check: checks.Private, Stored: true},
	{Check: leases.Check, Stored: true},
	{Check: doctor.Extension},
	{Check: doctor.Versions},
}
