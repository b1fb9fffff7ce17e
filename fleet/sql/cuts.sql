-- Every kept content of every source, by each way of cutting; whole files are one of them.
SELECT source, scheme, hash, bytes FROM blocks
UNION ALL
SELECT source, scheme, hash, bytes FROM chunks
UNION ALL
SELECT source, 'files' AS scheme, hash, bytes FROM contents
