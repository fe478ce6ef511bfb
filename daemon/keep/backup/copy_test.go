package backup_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"nightjar/daemon/keep/backup"
	"nightjar/daemon/morning/notice"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/crawls/crawlstest"
	"nightjar/daemon/store/storetest"
)

// TestBackupKeepsNoSecret: the password of the mail server is not in a copy, not even in its free space.
func TestBackupKeepsNoSecret(t *testing.T) {
	v, _ := crawlstest.Open(t, crawls.Options{})
	const password = "correct-horse-battery"
	storetest.OK(t, v.SetSetting(t.Context(), notice.SecretSetting, password))
	const pairing, hash, login = "pairing-key-of-32-bytes-long.....", "hash-of-a-token-of-32-bytes-long", "hash-of-a-login"
	for range 40 { // more than a page of the database has
		storetest.Must(v.Writer.Exec(`INSERT INTO browsers (client, name, origin, key, paired_at) VALUES (hex(randomblob(16)), 'Firefox', 'moz-extension://x', ?, 1)`, []byte(pairing)))(t)
	}
	storetest.Must(v.Writer.Exec(`INSERT INTO tokens (key, hash, name, scope, created_at) VALUES (hex(randomblob(16)), ?, 'Reader', 'read', 1)`, []byte(hash)))(t)
	storetest.OK(t, v.SetSetting(t.Context(), "dashboard.logins", login))
	name := filepath.Join(t.TempDir(), "copy.db")
	storetest.OK(t, backup.CopyTo(t.Context(), v.DB, name))
	file := storetest.Must(os.ReadFile(name))(t)
	for _, secret := range []string{password, pairing, hash, login} {
		if bytes.Contains(file, []byte(secret)) {
			t.Errorf("the copy has the bytes of %q", secret)
		}
	}
	if !bytes.Contains(file, []byte("Hockey")) {
		t.Error("the copy lacks the rest")
	}
	var kept string
	if ok, err := v.Setting(t.Context(), notice.SecretSetting, &kept); !ok || err != nil || kept != password {
		t.Errorf("the database itself: %q, %v", kept, err)
	}
}
