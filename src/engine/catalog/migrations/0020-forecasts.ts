/** Surveys from before chunks and codecs were forecast say that they know nothing of them. */
export const sql = `
UPDATE surveys
SET document = json_set(document, '$.chunked', json('[]'), '$.compression', json('[]'), '$.solid', json('[]'))
WHERE state = 'done';
`
