-- What a page and the link to it say for each label that was learned from ways: strategy.Judgement.Signs, as JSON.
ALTER TABLE fetches ADD COLUMN signs TEXT NOT NULL DEFAULT '[]';
