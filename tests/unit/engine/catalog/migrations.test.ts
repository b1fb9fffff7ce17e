import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { MIGRATIONS, migrate } from '../../../../src/engine/catalog/migrate'
import { temporaryFolder } from '../../../support/surveyedFolder'

/** A catalog as it was at a schema version, with rows as that version wrote them. */
function catalogAt(version: number, rows: string): Database.Database {
  const db = new Database(':memory:')
  for (const step of MIGRATIONS) if (step.version <= version) db.exec(step.sql)
  db.pragma(`user_version = ${version}`)
  db.exec(rows)
  return db
}

describe('the migrations', () => {
  it('are numbered in order and lead to the newest version', () => {
    const db = new Database(':memory:')
    migrate(db, 'catalog')
    expect(db.pragma('user_version', { simple: true })).toBe(MIGRATIONS.at(-1)?.version)
    expect(MIGRATIONS.map((step) => step.version)).toEqual(
      [...new Set(MIGRATIONS.map((step) => step.version))].toSorted((a, b) => a - b),
    )
  })

  it('0020 marks surveys without forecasts, and does not change an unfinished one', () => {
    const db = catalogAt(
      10,
      `INSERT INTO surveys (id, state, owner_pid, document) VALUES ('s-1', 'done', 1, '{"id":"s-1"}'), ('s-2', 'open', 1, '')`,
    )
    migrate(db, 'catalog')
    expect(db.prepare('SELECT document FROM surveys ORDER BY id').pluck().all()).toEqual([
      '{"id":"s-1","chunked":[],"compression":[],"solid":[]}',
      '',
    ])
  })

  it('0080 keeps surveys and their entries, as ones without a sketch', () => {
    const db = catalogAt(
      70,
      `INSERT INTO surveys (id, state, owner_pid, document) VALUES ('s-1', 'done', 1, '{"id":"s-1"}');
       INSERT INTO survey_entries VALUES (4294967296, 0, 0, x'61', 5, 4096, 1, 2, 3, 4, 33188, x'00', NULL, NULL, NULL)`,
    )
    migrate(db, 'catalog')
    expect(db.prepare('SELECT id, sketch_entries, document FROM surveys').all()).toEqual([
      { id: 's-1', sketch_entries: 0, document: '{"id":"s-1"}' },
    ])
    expect(db.prepare('SELECT key, bytes, file_number FROM survey_entries').all()).toEqual([
      { key: 4_294_967_296, bytes: 5, file_number: null },
    ])
  })

  it('0095 keeps an order of files, and knows no groups of them', () => {
    const db = catalogAt(90, `INSERT INTO content_orders VALUES (1, x'0100000002000000')`)
    migrate(db, 'catalog')
    expect(db.prepare('SELECT hex(ids) FROM content_orders').pluck().all()).toEqual(['0100000002000000'])
    expect(db.prepare('SELECT count(*) FROM content_groups').pluck().get()).toBe(0)
  })

  it('0111 keeps plans in the catalog', () => {
    const db = catalogAt(
      100,
      `INSERT INTO plans (id, survey_id, created_wall_ms, document) VALUES ('p-1', 's-1', 1, '{}')`,
    )
    migrate(db, 'catalog')
    expect(db.prepare('SELECT id, withdrawn_by FROM plans').all()).toEqual([
      { id: 'p-1', withdrawn_by: null },
    ])
  })

  it('0150 keeps the entries of plans, as ones whose owners nobody has noted', () => {
    const db = catalogAt(
      140,
      `INSERT INTO plan_entries (key, volume, kind, path, source, bytes) VALUES (4294967296, 1, 0, x'61', x'2f61', 5)`,
    )
    migrate(db, 'catalog')
    expect(
      db.prepare('SELECT bytes, uid, gid, user_name, group_name, attributes FROM plan_entries').all(),
    ).toEqual([{ bytes: 5, uid: null, gid: null, user_name: null, group_name: null, attributes: null }])
  })

  it('0170 keeps the entries of plans, as ones without creation times', () => {
    const db = catalogAt(
      160,
      `INSERT INTO plan_entries (key, volume, kind, path, source, bytes) VALUES (4294967296, 1, 0, x'61', x'2f61', 5)`,
    )
    migrate(db, 'catalog')
    expect(db.prepare('SELECT bytes, created_ns FROM plan_entries').all()).toEqual([
      { bytes: 5, created_ns: null },
    ])
  })

  it('0190 keeps unfinished surveys and withdrawn plans, with the number of their process', () => {
    const db = catalogAt(
      180,
      `INSERT INTO surveys (id, state, owner_pid) VALUES ('s-1', 'done', 7), ('s-2', 'open', 8);
       INSERT INTO plans (id, survey_id, created_wall_ms, document, withdrawn_by)
       VALUES ('p-1', 's-1', 1, '{}', NULL), ('p-2', 's-1', 1, '{}', 9)`,
    )
    migrate(db, 'catalog')
    expect(db.prepare('SELECT id, state, owner FROM surveys').all()).toEqual([
      { id: 's-1', state: 'done', owner: '' },
      { id: 's-2', state: 'open', owner: '8' },
    ])
    expect(db.prepare('SELECT id, withdrawn_by FROM plans').all()).toEqual([
      { id: 'p-1', withdrawn_by: null },
      { id: 'p-2', withdrawn_by: '9' },
    ])
  })

  it('0160 takes over what was verified, and nothing of builds, of images that were not there and of damaged documents', () => {
    const run = (kind: string, volumes: object[]): string =>
      JSON.stringify({ kind, elapsedMs: 50, startedWallMs: 1000, volumes })
    const volume = (index: number, state: string, ...codes: string[]): object => ({
      index,
      label: `A_0${index}`,
      state,
      files: 7,
      errors: codes.map((code) => ({ code, message: 'm' })),
    })
    const verified = [volume(1, 'done'), volume(2, 'failed', 'verification-failed', 'verification-failed')]
    const db = catalogAt(140, '')
    const insert = db.prepare('INSERT INTO runs VALUES (?, ?, 1000, ?)')
    insert.run(
      'v-1',
      'p-1',
      run('verify', [...verified, volume(3, 'failed', 'not-found'), volume(4, 'cancelled')]),
    )
    insert.run('b-1', 'p-1', run('build', [volume(1, 'done')]))
    insert.run('v-2', 'p-1', 'no document')
    insert.run('v-3', 'p-1', '{"kind":"verify","elapsedMs":1,"volumes":["done",3,{"state":"done"}]}')
    migrate(db, 'catalog', 160)
    expect(db.prepare('SELECT count(*) FROM runs').pluck().get()).toBe(4)
    const all = {
      plan_id: 'p-1',
      set_id: null,
      check_id: 'v-1',
      checked_wall_ms: 1050,
      by_plan: 1,
      every_months: 12,
    }
    const columns =
      'plan_id, set_id, check_id, checked_wall_ms, by_plan, every_months, volume, label, result, files, damaged'
    expect(db.prepare(`SELECT ${columns} FROM volume_checks ORDER BY number`).all()).toEqual([
      { ...all, volume: 1, label: 'A_01', result: 0, files: 7, damaged: 0 },
      { ...all, volume: 2, label: 'A_02', result: 1, files: 7, damaged: 2 },
    ])
    db.prepare("DELETE FROM runs WHERE id = 'v-1'").run()
    expect(db.prepare('SELECT count(*) FROM volume_checks').pluck().get()).toBe(0)
  })

  it('0220 takes earlier checks for those of the built image, or of the first copy that was written', () => {
    const db = catalogAt(
      190,
      `INSERT INTO runs VALUES ('v-1', 'p-1', 1, '{"kind":"verify"}'), ('w-1', 'p-1', 1, '{"kind":"write"}'),
         ('v-2', 'p-1', 1, 'no document')`,
    )
    const insert = db.prepare(
      `INSERT INTO volume_checks (check_id, plan_id, volume, label, checked_wall_ms, result, by_plan, files, damaged,
         every_months) VALUES (?, 'p-1', 1, 'A_01', 1, 0, ?, 7, 0, 12)`,
    )
    for (const [id, byPlan] of [
      ['v-1', 1],
      ['w-1', 1],
      ['v-2', 1],
      ['c-1', 0],
    ])
      insert.run(id, byPlan)
    migrate(db, 'catalog', 220)
    expect(db.prepare('SELECT check_id, copy FROM volume_checks ORDER BY number').raw().all()).toEqual([
      ['v-1', 0],
      ['w-1', 1],
      ['v-2', 0],
      ['c-1', 1],
    ])
    db.exec(`INSERT INTO plans (id, survey_id, created_wall_ms, document) VALUES ('p-1', 's-1', 1, '{}');
      INSERT INTO copy_notes (of_set, volume, copy, label, noted_wall_ms, kind) VALUES ('p-1', 1, 1, 'A_01', 1, 'lost');
      DELETE FROM plans WHERE id = 'p-1'`)
    expect(db.prepare('SELECT count(*) FROM copy_notes').pluck().get()).toBe(0)
  })

  it('0240 numbers what happened to volumes by its dates, and what happened at once as it was counted until now', () => {
    const run = (kind: string, facts: object, volumes: object[]): string =>
      JSON.stringify({ kind, elapsedMs: 5, ...facts, volumes })
    const volume = (index: number, state: string, more: object = {}): object => ({
      index,
      label: `A_0${index}`,
      state,
      errors: [],
      ...more,
    })
    const db = catalogAt(230, '')
    const insert = db.prepare('INSERT INTO runs VALUES (?, ?, ?, ?)')
    const target = { kind: 'folder', path: '/disk', copy: 2, place: 'home' }
    const written = { sha256: 'cd', bytes: 9, endedWallMs: 400 }
    insert.run('w-1', 'p-1', 300, run('write', { setId: 'ab', target }, [volume(1, 'done', { written })]))
    insert.run(
      'b-1',
      'p-1',
      100,
      run('build', {}, [volume(1, 'done'), volume(2, 'kept'), volume(3, 'failed')]),
    )
    const errors = [{ code: 'io' }]
    insert.run(
      'v-1',
      'p-1',
      500,
      run('verify', {}, [volume(1, 'failed', { errors }), volume(2, 'cancelled')]),
    )
    insert.run('v-2', 'p-1', 600, 'no document')
    insert.run('v-3', 'p-1', 600, '{"kind":"build","volumes":["done",3,{"state":"done"}]}')
    db.exec(`
      INSERT INTO volume_checks (check_id, set_id, plan_id, volume, copy, label, checked_wall_ms, result, by_plan, reading, files,
          damaged, every_months)
        VALUES ('w-1', 'ab', 'p-1', 1, 2, 'A_01', 400, 0, 1, NULL, 3, 0, 6), ('c-1', 'ab', NULL, 1, 1, 'A_01', 50, 1, 0, 'cached', 3, 2, 12);
      INSERT INTO copy_notes (of_set, volume, copy, label, noted_wall_ms, kind, place)
        VALUES ('p-1', 1, 2, 'A_01', 400, 'lost', NULL), ('${'ef'.repeat(32)}', 1, 1, 'B_01', 400, 'place', 'bank')`)
    migrate(db, 'catalog')
    const rows = db.prepare(
      'SELECT kind, of_id, plan_id, substr(set_id, 1, 2), volume, copy, wall_ms, facts FROM events ORDER BY number',
    )
    expect(rows.raw().all()).toEqual([
      [
        'damaged',
        'c-1',
        null,
        'ab',
        1,
        1,
        50,
        '{"by":"volume","reading":"cached","files":3,"damaged":2,"everyMonths":12}',
      ],
      ['built', 'b-1', 'p-1', null, 1, 0, 105, '{}'],
      ['kept', 'b-1', 'p-1', null, 2, 0, 105, '{}'],
      [
        'written',
        'w-1',
        'p-1',
        'ab',
        1,
        2,
        400,
        '{"target":{"kind":"folder","path":"/disk"},"place":"home","digest":"cd","bytes":9}',
      ],
      [
        'good',
        'w-1',
        'p-1',
        'ab',
        1,
        2,
        400,
        '{"by":"plan","reading":null,"files":3,"damaged":0,"everyMonths":6}',
      ],
      ['lost', null, 'p-1', null, 1, 2, 400, '{}'],
      ['place', null, null, 'ef', 1, 1, 400, '{"place":"bank"}'],
      ['failed', 'v-1', 'p-1', null, 1, 0, 505, '{}'],
    ])
    expect(db.prepare('SELECT id FROM runs ORDER BY number').pluck().all()).toEqual([
      'b-1',
      'w-1',
      'v-1',
      'v-2',
      'v-3',
    ])
    db.prepare("DELETE FROM runs WHERE id = 'w-1'").run()
    db.exec(`INSERT INTO plans (id, survey_id, created_wall_ms, document) VALUES ('p-1', 's-1', 1, '{}');
      DELETE FROM plans WHERE id = 'p-1'`)
    expect(db.prepare('SELECT kind FROM events ORDER BY number').pluck().all()).toEqual([
      'damaged',
      'built',
      'kept',
      'place',
      'failed',
    ])
  })

  it('0250 keeps plans, as those of no archive', () => {
    const db = catalogAt(
      240,
      `INSERT INTO plans (id, survey_id, created_wall_ms, document) VALUES ('p-1', 's-1', 1, '{}')`,
    )
    migrate(db, 'catalog')
    expect(db.prepare('SELECT id FROM plans').pluck().all()).toEqual(['p-1'])
    expect(db.prepare('SELECT count(*) FROM archives').pluck().get()).toBe(0)
  })

  it('0255 keeps events, and takes one of each set that a check reads', () => {
    const good = (plan: string) =>
      `INSERT INTO events (kind, of_id, plan_id, set_id, volume, copy, label, wall_ms, facts)
       VALUES ('good', 'c-1', '${plan}', NULL, 1, 1, 'A_01', 9, '{}')`
    const db = catalogAt(250, good('p-1'))
    expect(() => db.exec(good('p-2'))).toThrow('UNIQUE')
    migrate(db, 'catalog')
    db.exec(good('p-2'))
    expect(() => db.exec(good('p-2'))).toThrow('UNIQUE')
    expect(db.prepare('SELECT plan_id FROM events ORDER BY number').pluck().all()).toEqual(['p-1', 'p-2'])
    expect(db.prepare('SELECT count(*) FROM drills').pluck().get()).toBe(0)
  })

  it('0270 keeps groups of files that share data, and knows none by DATs', () => {
    const db = catalogAt(260, `INSERT INTO content_groups VALUES (1, x'0100000002000000')`)
    migrate(db, 'catalog')
    expect(db.prepare('SELECT hex(files) FROM content_groups').pluck().all()).toEqual(['0100000002000000'])
    expect(db.prepare('SELECT count(*) FROM dat_groups').pluck().get()).toBe(0)
  })

  it('0275 keeps groups by DATs, and knows none of ROM sets', () => {
    const db = catalogAt(270, `INSERT INTO dat_groups VALUES (1, x'0100000002000000', '["Alpha"]')`)
    migrate(db, 'catalog')
    const kept = db.prepare('SELECT hex(files) AS files, names FROM dat_groups').all()
    expect(kept).toEqual([{ files: '0100000002000000', names: '["Alpha"]' }])
    expect(db.prepare('SELECT count(*) FROM dat_sets').pluck().get()).toBe(0)
  })

  it('0280 keeps groups of ROM sets, and knows no forecasts of their files', () => {
    const db = catalogAt(275, `INSERT INTO dat_sets VALUES (1, x'0100000002000000', '["Alpha"]')`)
    migrate(db, 'catalog')
    expect(db.prepare('SELECT hex(files) FROM dat_sets').pluck().all()).toEqual(['0100000002000000'])
    expect(db.prepare('SELECT count(*) FROM packed_files').pluck().get()).toBe(0)
  })

  it('0285 keeps plans, and gives the catalog no identity before it is asked for', () => {
    const db = catalogAt(280, `INSERT INTO archives (id, is_forgotten, document) VALUES ('a-1', 0, '{}')`)
    migrate(db, 'catalog')
    expect(db.prepare('SELECT id FROM archives').pluck().all()).toEqual(['a-1'])
    expect(db.prepare('SELECT count(*) FROM identity').pluck().get()).toBe(0)
    expect(() => db.exec(`INSERT INTO identity VALUES (2, 'k-1')`)).toThrow('CHECK')
  })

  it('leave a connection with the new schema when another one has migrated meanwhile', () => {
    const file = join(temporaryFolder(), 'catalog.db')
    const [one, other] = [new Database(file), new Database(file)]
    for (const step of MIGRATIONS) if (step.version <= 70) one.exec(step.sql)
    one.pragma('user_version = 70')
    // From here on the connection knows the old schema.
    expect(other.prepare('SELECT * FROM survey_entries').columns()).toHaveLength(15)
    migrate(one, 'catalog')
    migrate(other, 'catalog')
    expect(other.prepare('SELECT * FROM survey_entries').columns()).toHaveLength(16)
    expect(() => other.prepare(`INSERT INTO survey_entries VALUES (${'?, '.repeat(15)}?)`)).not.toThrow()
    one.close()
    other.close()
  })

  it('reads one survey without looking at another', () => {
    const db = catalogAt(MIGRATIONS.at(-1)?.version ?? 0, '')
    const plan = db
      .prepare('EXPLAIN QUERY PLAN SELECT * FROM survey_entries WHERE key BETWEEN 1 AND 2')
      .all() as { detail: string }[]
    expect(plan.map((row) => row.detail)).toEqual([
      'SEARCH survey_entries USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)',
    ])
  })
})
