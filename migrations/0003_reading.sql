-- What a page said by itself, beside what was made of it on its way: the judge's probability that the person would mark
-- it Useful, and the evidence for each hidden state, from which the most likely way is worked out. Fetches and finds of
-- before have neither: 0 and [] say so.
ALTER TABLE fetches ADD COLUMN useful REAL NOT NULL DEFAULT 0;
ALTER TABLE fetches ADD COLUMN evidence TEXT NOT NULL DEFAULT '[]'; -- JSON: proportional to P(page | T_0), P(page | T_1), …
ALTER TABLE finds ADD COLUMN useful REAL NOT NULL DEFAULT 0;
