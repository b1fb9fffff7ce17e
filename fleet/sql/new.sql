-- The contents of each source that none before it has; only_here is 1 for those that no other has.
-- All rows of a scheme add up to the unique contents of all sources together.
SELECT scheme, source, only_here,
  COUNT(*) AS contents,
  CAST(SUM(bytes) AS DECIMAL(38, 0)) AS bytes,
  SUM(CAST(CASE WHEN bytes < 2000000000 THEN bytes * bytes ELSE 0 END AS DECIMAL(38, 0))) AS squares
FROM (
  SELECT scheme, hash,
    MIN(source) AS source,
    CASE WHEN MIN(source) = MAX(source) THEN 1 ELSE 0 END AS only_here,
    MAX(bytes) AS bytes
  FROM cuts
  GROUP BY scheme, hash
) firsts
GROUP BY scheme, source, only_here
ORDER BY scheme, source, only_here
