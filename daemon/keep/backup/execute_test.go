package backup

import "database/sql"

// execute runs a statement in a database, whose driver package store brings.
func execute(path, statement string) error {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Exec(statement)
	return err
}
