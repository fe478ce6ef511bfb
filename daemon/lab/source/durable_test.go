package source

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// unsynced are the files outside of crawler/durable that write, rename or make something themselves, with the reason.
var unsynced = map[string]string{
	"crawler/archive/file.go":           "an archive's file is synced when it ends",
	"crawler/archive/rewrite.go":        "it is synced before its records are said to have moved",
	"crawler/failpoint/on.go":           "in no normal build",
	"daemon/keep/backup/apply.go":       "moves files that are on the disk, and syncs the folders",
	"daemon/keep/backup/stage.go":       "syncs what it unpacks, and the folders",
	"daemon/workers/broker/embedded.go": "a queue, whose results come again when it is lost",
	"daemon/cli/cmd_backup.go":          "ends with durable.Rename",
	"daemon/cli/cmd_worker_invite.go":   "must not replace a file; it is synced",
	"daemon/keep/safekeeping/keeper.go": "ends with durable.Rename",
	"daemon/keep/safekeeping/save.go":   "a copy that is deleted after use",
	"daemon/db/migrate.go":              "SQLite syncs the database; the copy ends with durable.Rename",
	"daemon/store/storetest/":           "for tests",
	"daemon/thesus/wordnet/collect.go":  "synced before they are used",
}

// TestFilesAreDurable: what must last is written by package durable. Others than those above write no files, except temporary ones.
func TestFilesAreDurable(t *testing.T) {
	writes := regexp.MustCompile(`\b(os\.(WriteFile|Create|OpenFile|Rename|Mkdir|MkdirAll)|ioutil\.WriteFile)\(`)
	used := map[string]bool{}
	for _, part := range []string{"crawler", "daemon"} {
		if err := filepath.WalkDir(filepath.Join(root, part), func(path string, d fs.DirEntry, err error) error {
			name := strings.TrimPrefix(filepath.ToSlash(path), root+"/")
			switch {
			case err != nil:
				return err
			case name == "daemon/lab", name == "crawler/durable":
				return fs.SkipDir
			}
			if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil || !writes.Match(text) {
				return err
			}
			for of := range unsynced {
				if strings.HasPrefix(name, of) {
					used[of] = true
					return nil
				}
			}
			t.Errorf("%s writes files: use package durable, or explain here why they need not last", name)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	for of := range unsynced {
		if !used[of] {
			t.Errorf("%s writes no files any more", of)
		}
	}
}
