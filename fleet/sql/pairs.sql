-- The contents that each pair of sources has in common.
SELECT one.scheme AS scheme, one.source AS one, other.source AS other,
  COUNT(*) AS contents,
  CAST(SUM(one.bytes) AS DECIMAL(38, 0)) AS bytes,
  SUM(CAST(CASE WHEN one.bytes < 2000000000 THEN one.bytes * one.bytes ELSE 0 END AS DECIMAL(38, 0)))
    AS squares
FROM owned one
JOIN owned other ON one.scheme = other.scheme AND one.hash = other.hash AND one.source < other.source
GROUP BY one.scheme, one.source, other.source
ORDER BY scheme, one, other
