import { blockUser } from '@reelmark/contract/blocks.ts'
import { listSimilar } from '@reelmark/contract/listing.ts'
import { createMute } from '@reelmark/contract/mutes.ts'
import { expect, test } from 'vitest'
import { createDestination, saveFilm } from '../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../testing/test-users.ts'
import { useSite } from '../../testing/use-site.ts'

const { site, alice, bob } = await useSite()

const similarTo = async (id: number, viewer: TestUser | null = null) => {
  const { results } = await site.call(listSimilar, { params: { id } }, viewer)
  return results.map((item) => item.id)
}
let films = 0
const saveTo = async (
  tags: string[],
  options: { host?: string; orientation?: 'gay'; bookmark?: object } = {},
) => {
  films += 1
  const { host = `h${films}.example.org`, orientation, bookmark = {} } = options
  const video = { source_url: `https://${host}/${films}`, ...(orientation ? { orientation } : {}) }
  return (await saveFilm(site, bob, films, { video, bookmark: { tags, ...bookmark } })).id
}

test('videos with the most common tags come first, then those of the same host; adult and private ones are left out', async () => {
  const own = await saveFilm(site, alice, 'own', {
    video: { source_url: 'https://films.example.org/own' },
    bookmark: { tags: ['sea', "sailor's", 'b\\w'] },
  })
  const oneTag = await saveTo(['sea'])
  const bothTags = await saveTo(['sea', "sailor's", 'new'])
  const byHost = await saveTo(['other'], { host: 'films.example.org' })
  await saveTo(['sea'], { orientation: 'gay' })
  await saveTo(['sea'], { bookmark: { access: 'private' } })
  await saveTo(['sea'], { bookmark: await createDestination(site, bob, 'private') })
  await saveTo(['unlike'])
  const trashed = await saveTo(['sea'])
  await site.db`update bookmarks set deleted_at = now() where id = ${trashed}`
  expect(await similarTo(own.id)).toEqual([bothTags, oneTag, byHost])
  expect(await similarTo(own.id, alice)).toEqual([bothTags, oneTag, byHost])
  const adult = await saveTo(['sea', 'adult'], { orientation: 'gay' })
  for (const item of await similarTo(adult)) expect([own.id, oneTag, bothTags]).not.toContain(item)
})

test('a bookmark that the viewer may not see is answered with 404', async () => {
  const id = await saveTo(['sea'], { bookmark: { access: 'private' } })
  for (const viewer of [alice, null])
    expect(await failedReply(similarTo(id, viewer))).toMatchObject({ status: 404 })
  expect((await similarTo(id, bob)).length).toBeGreaterThan(0)
})

test('at most ten similar videos are returned, with two statements', async () => {
  const id = await saveTo(['many'])
  for (let n = 0; n < 12; n++) await saveTo(['many'])
  site.statements.length = 0
  expect(await similarTo(id)).toHaveLength(10)
  expect(site.statements).toHaveLength(2)
})

test('blocked and muted users and tags are left out, and a blocked user gets 404', async () => {
  const carol = await signUp(site, 'carol')
  const own = await saveFilm(site, carol, 'carol', { bookmark: { tags: ['quiet'] } })
  const quiet = await saveTo(['quiet'])
  const loud = await saveTo(['quiet', 'loud'])
  expect(await similarTo(own.id, carol)).toEqual(expect.arrayContaining([quiet, loud]))
  await site.call(createMute, { body: { tag: 'loud' } }, carol)
  const remaining = await similarTo(own.id, carol)
  expect(remaining).toContain(quiet)
  expect(remaining).not.toContain(loud)
  await site.call(blockUser, { params: { id: bob.id } }, carol)
  expect(await similarTo(own.id, carol)).not.toContain(quiet)
  expect(await failedReply(similarTo(own.id, bob))).toMatchObject({ status: 404 })
  expect(await similarTo(own.id)).toContain(quiet)
})
