-- The unique contents of each source by itself.
SELECT scheme, source,
  COUNT(*) AS contents,
  CAST(SUM(bytes) AS DECIMAL(38, 0)) AS bytes,
  SUM(CAST(CASE WHEN bytes < 2000000000 THEN bytes * bytes ELSE 0 END AS DECIMAL(38, 0))) AS squares
FROM owned
GROUP BY scheme, source
ORDER BY scheme, source
