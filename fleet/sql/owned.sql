-- Each content of a source once, however many of its files have it.
SELECT scheme, source, hash, MAX(bytes) AS bytes
FROM cuts
GROUP BY scheme, source, hash
