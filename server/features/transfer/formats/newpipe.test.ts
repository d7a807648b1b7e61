import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { filledFields, readUpload } from './read-upload.fixture.ts'
import { createZip } from './zip.fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'reelmark-newpipe-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let count = 0

/** Returns a database with the statements. */
function createDatabase(sql: string): Buffer {
  count += 1
  const path = join(folder, `${count}.db`)
  const db = new DatabaseSync(path)
  db.exec(sql)
  db.close()
  return readFileSync(path)
}

/** As in version 9 of NewPipe's schema. */
const schema = `
  create table subscriptions (uid integer primary key autoincrement not null, service_id integer not null, url text, name text, avatar_url text);
  create table streams (uid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, service_id integer not null, url text not null, title text not null, stream_type text not null, duration integer not null, uploader text not null);
  create table stream_history (stream_id integer not null, access_date integer not null, repeat_count integer not null, primary key (stream_id, access_date));
  create table stream_state (stream_id integer not null, progress_time integer not null, primary key (stream_id));
  create table playlists (uid integer primary key autoincrement not null, name text, is_thumbnail_permanent integer not null, thumbnail_stream_id integer not null, display_index integer not null);
  create table playlist_stream_join (playlist_id integer not null, stream_id integer not null, join_index integer not null, primary key (playlist_id, join_index));
  create table remote_playlists (uid integer primary key autoincrement not null, service_id integer not null, name text, url text, uploader text, display_index integer not null, stream_count integer);
`
const rows = `
  insert into streams values
    (1, 0, 'https://www.youtube.com/watch?v=aaaaaaaaaaa', 'A film', 'VIDEO_STREAM', 60, 'X'),
    (2, 1, 'https://soundcloud.com/a/b', 'A song', 'AUDIO_STREAM', 60, 'Y');
  insert into playlists values (7, 'Mix', 0, 1, 0);
  insert into playlist_stream_join values (7, 2, 0), (7, 1, 1), (7, 99, 2);
  insert into stream_history values (1, 1700000000000, 2);
  insert into stream_state values (1, 30500);
  insert into subscriptions values (1, 0, 'https://www.youtube.com/channel/UCaaaaaaaaaaaaaaaaaaaaaa', 'Channel', '');
  insert into remote_playlists values (1, 0, 'Their list', 'https://www.youtube.com/playlist?list=PLaaaa', '', 0, 3);
`

test('an export is read with playlists in their order, history, subscriptions and positions', async () => {
  const database = createDatabase(schema + rows)
  const zip = createZip([
    { name: 'newpipe.db', content: database },
    { name: 'newpipe.settings', content: 'x' },
    { name: 'preferences.json', content: '{"theme":"dark"}' },
  ])
  for (const content of [zip, database]) {
    const { detected, items, rejected } = await readUpload(content)
    expect(detected.label).toBe('NewPipe')
    expect(items.map(filledFields)).toEqual([
      { url: 'https://soundcloud.com/a/b', title: 'A song', folders: ['Mix'], list_position: 0 },
      {
        url: 'https://www.youtube.com/watch?v=aaaaaaaaaaa',
        title: 'A film',
        folders: ['Mix'],
        list_position: 1,
      },
      {
        kind: 'watched',
        url: 'https://www.youtube.com/watch?v=aaaaaaaaaaa',
        title: 'A film',
        saved_at: '2023-11-14T22:13:20.000Z',
        position_seconds: 30,
      },
      {
        kind: 'subscription',
        url: 'https://www.youtube.com/channel/UCaaaaaaaaaaaaaaaaaaaaaa',
        title: 'Channel',
      },
      { kind: 'subscription', url: 'https://www.youtube.com/playlist?list=PLaaaa', title: 'Their list' },
    ])
    expect(rejected).toMatchObject([{ row: 3, reason: 'Its video is missing from the file.' }])
  }
})

test('a database that Android wrote with a write-ahead log is read', async () => {
  const { items } = await readUpload(createDatabase(`pragma journal_mode = wal; ${schema} ${rows}`))
  expect(items).toHaveLength(5)
})

test('tables of older versions that are missing are left out', async () => {
  const { items } = await readUpload(
    createDatabase(`create table streams (uid integer primary key, url text, title text);
      create table playlists (uid integer primary key, name text);
      create table subscriptions (url text, name text);
      insert into subscriptions values ('https://www.youtube.com/channel/UCaaaaaaaaaaaaaaaaaaaaaa', null)`),
  )
  expect(items).toHaveLength(1)
})

const endless =
  'with recursive n(i) as (select 1 union all select i + 1 from n) select i as uid, i as name from n'

test.each([
  {
    what: 'a view without end in place of a table',
    sql: `create table streams (uid integer primary key, url, title); create view playlists as ${endless}`,
  },
  {
    what: 'generated columns',
    sql: `create table streams (uid integer primary key, url text as (hex(zeroblob(100000000))), title);
      create table playlists (uid integer primary key, name)`,
  },
  {
    what: 'generated columns, in long form',
    sql: `create table streams (uid integer primary key, url text generated always as ('x') virtual, title);
      create table playlists (uid integer primary key, name)`,
  },
  {
    what: 'a key that is not indexed',
    sql: 'create table streams (uid text, url, title); create table playlists (uid integer primary key, name)',
  },
  { what: 'other tables', sql: 'create table moz_places (id integer primary key, url text)' },
  {
    what: 'missing columns',
    sql: 'create table streams (uid integer primary key); create table playlists (uid integer primary key, name); create table playlist_stream_join (playlist_id, stream_id, join_index)',
  },
  {
    what: 'a text of several megabytes',
    sql: `${schema}${rows} update streams set title = hex(zeroblob(2000000))`,
  },
  {
    what: 'numbers beyond those of JavaScript',
    sql: `${schema}${rows} insert into stream_history values (9223372036854775807, 9223372036854775807, 1)`,
  },
])('a database with $what is refused', async ({ sql }) => {
  await expect(readUpload(createDatabase(sql))).rejects.toThrow(
    "The file isn't a database of NewPipe, or it is damaged.",
  )
})

test('a damaged or incomplete database is refused', async () => {
  const database = createDatabase(schema + rows)
  const damaged = Buffer.from(database)
  damaged.fill(0xff, 200, 4000)
  for (const content of [database.subarray(0, 5000), damaged, database.subarray(0, 100)]) {
    await expect(readUpload(content)).rejects.toThrow("The file isn't a database of NewPipe")
  }
})
