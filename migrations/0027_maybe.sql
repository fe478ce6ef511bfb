-- Pages below the threshold of a find that Finds lists under Maybe. While such a page has no mark, it is no find (asked = 1).
ALTER TABLE finds ADD COLUMN maybe INTEGER NOT NULL DEFAULT 0;

DROP TRIGGER feedback_given;
CREATE TRIGGER feedback_given AFTER INSERT ON feedback BEGIN
    UPDATE finds SET mark = NEW.mark, asked = iif(maybe, NEW.mark = 'none', asked) WHERE id = NEW.find_id;
END;
