-- Rows as version 18 had them, after those of version 17: a crawl that was foretold, and a topic with strategies of its own.
INSERT INTO forecasts VALUES (1, 20, 100, 3.5, 1, 8, 1, '{}');
INSERT INTO topic_strategies VALUES (1, 1, 21, 'you', 'hmm', 'link-value', 1, '');
