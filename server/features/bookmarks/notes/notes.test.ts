import { blockUser } from '@reelmark/contract/blocks.ts'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import {
  createNote,
  deleteNote,
  listOwnNotes,
  type TimedNote,
  updateNote,
} from '@reelmark/contract/timed-notes.ts'
import { expect, test } from 'vitest'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'

const { site, alice, bob } = await useSite()

const byId = (id: number) => ({ params: { id } })
const addNote = (viewer: TestUser, id: number, note: Partial<TimedNote> = {}) =>
  site.call(
    createNote,
    { ...byId(id), body: { seconds: 30, text: 'The wave', access: 'private' as const, ...note } },
    viewer,
  )
const readPublic = async (id: number, viewer: TestUser | null) =>
  (await site.call(getBookmark, byId(id), viewer)).notes.map(({ text }) => text)
const readOwn = async (id: number, viewer: TestUser) =>
  (await site.call(listOwnNotes, byId(id), viewer)).notes.map(({ text }) => text)

test('public notes of the owner are part of the bookmark, and private ones are read by their author only', async () => {
  const { id } = await saveFilm(site, alice, 'notes')
  await addNote(alice, id, { seconds: 90, text: 'Later', access: 'public' })
  await addNote(alice, id, { seconds: 10, text: 'Sooner', access: 'public' })
  await addNote(alice, id, { seconds: 50, text: 'Secret of alice' })
  await addNote(bob, id, { seconds: 20, text: 'Secret of bob' })
  for (const viewer of [null, bob, alice]) {
    expect(await readPublic(id, viewer)).toEqual(['Sooner', 'Later'])
    expect(JSON.stringify(await site.call(getBookmark, byId(id), viewer))).not.toContain('Secret')
  }
  expect(await readOwn(id, alice)).toEqual(['Sooner', 'Secret of alice', 'Later'])
  expect(await readOwn(id, bob)).toEqual(['Secret of bob'])
})

test('only the owner of a bookmark adds public notes, and only its author changes or deletes a note', async () => {
  const { id } = await saveFilm(site, alice, 'own notes')
  expect(await failedReply(addNote(bob, id, { access: 'public' }))).toMatchObject({
    status: 400,
    body: { access: ['Only the owner of a bookmark can add public notes to it.'] },
  })
  const note = await addNote(bob, id)
  const change = (viewer: TestUser, body: Partial<TimedNote>) =>
    site.call(updateNote, { ...byId(note.id), body }, viewer)
  expect(await change(bob, { seconds: 31, text: 'The tide' })).toMatchObject({
    seconds: 31,
    text: 'The tide',
  })
  expect(await failedReply(change(bob, { access: 'public' }))).toMatchObject({ status: 400 })
  expect(await failedReply(change(alice, { text: 'Mine now' }))).toMatchObject({ status: 404 })
  expect(await failedReply(site.call(deleteNote, byId(note.id), alice))).toMatchObject({ status: 404 })
  await site.call(deleteNote, byId(note.id), bob)
  expect(await readOwn(id, bob)).toEqual([])
  // A public note that becomes private disappears for others.
  const shown = await addNote(alice, id, { access: 'public' })
  expect(await readPublic(id, null)).toEqual(['The wave'])
  await site.call(updateNote, { ...byId(shown.id), body: { access: 'private' } }, alice)
  expect(await readPublic(id, bob)).toEqual([])
})

test('a user can neither read nor add notes on bookmarks that they may not see', async () => {
  const secret = await saveFilm(site, alice, 'secret notes', { bookmark: { access: 'private' } })
  const shared = await saveFilm(site, alice, 'blocked notes')
  const cora = await signUp(site, 'cora')
  const note = await addNote(cora, shared.id)
  await site.call(blockUser, byId(cora.id), alice)
  for (const { id } of [secret, shared]) {
    expect(await failedReply(addNote(cora, id))).toMatchObject({ status: 404 })
    expect(await failedReply(readOwn(id, cora))).toMatchObject({ status: 404 })
  }
  const edit = site.call(updateNote, { ...byId(note.id), body: { text: 'Still here' } }, cora)
  expect(await failedReply(edit)).toMatchObject({ status: 404 })
  await site.call(deleteNote, byId(note.id), cora)
})

test('invalid notes are refused with a reason', async () => {
  const { id } = await saveFilm(site, alice, 'short', { video: { duration: 60 } })
  expect(await failedReply(addNote(alice, id, { seconds: 61 }))).toMatchObject({
    status: 400,
    body: { seconds: ['Must be a time within the video.'] },
  })
  for (const invalid of [{ seconds: -1 }, { text: ' ' }, { text: 'x'.repeat(limits.timedNoteMax + 1) }]) {
    expect(await failedReply(addNote(alice, id, invalid))).toMatchObject({ status: 400 })
  }
  await site.db`
    insert into timed_notes (bookmark_id, user_id, seconds, text, access)
    select ${id}, ${alice.id}, 1, 'One of many', 'private' from generate_series(1, ${limits.timedNotesMax - 1})`
  const outcomes = await Promise.allSettled([addNote(alice, id), addNote(alice, id), addNote(alice, id)])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await readOwn(id, alice)).toHaveLength(limits.timedNotesMax)
})

test('a content rule keeps a text from being a public note', async () => {
  const { id } = await saveFilm(site, alice, 'ruled notes')
  await site.db`
    insert into content_rules (kind, pattern, effect) values ('word', 'zanzibar', 'hold'), ('word', 'quagga', 'refuse')`
  for (const text of ['To zanzibar', 'A quagga']) {
    // Rules are cached for a second.
    await expect
      .poll(async () => (await failedReply(addNote(alice, id, { text, access: 'public' }))).status, {
        timeout: 5_000,
      })
      .toBe(400)
    expect(await addNote(alice, id, { text })).toMatchObject({ access: 'private' })
  }
  await site.db`delete from content_rules`
})

test('notes are deleted with their bookmark and with the account of their author', async () => {
  const { id } = await saveFilm(site, alice, 'notes of others')
  const dana = await signUp(site, 'dana')
  await addNote(dana, id)
  await addNote(alice, id)
  await site.db`delete from users where id = ${dana.id}`
  const count = async () =>
    (await site.db<[{ count: number }]>`select count(*) from timed_notes where bookmark_id = ${id}`)[0].count
  expect(await count()).toBe(1)
  await site.db`delete from bookmarks where id = ${id}`
  expect(await count()).toBe(0)
})
