import { blockUser } from '@reelmark/contract/blocks.ts'
import { listSimilar } from '@reelmark/contract/listing.ts'
import { createMute } from '@reelmark/contract/mutes.ts'
import { expect, test } from 'vitest'
import { createDestination, saveFilm } from '../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../testing/test-users.ts'
import { useSite } from '../../testing/use-site.ts'

const { site, alice, bob } = await useSite()

const similarTo = async (id: number, who: TestUser | null = null) => {
  const { results } = await site.call(listSimilar, { params: { id } }, who)
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

test('what shares the most tags comes first, then what is of the same host; nothing adult, private or twice', async () => {
  const own = await saveFilm(site, alice, 'own', {
    video: { source_url: 'https://films.example.org/own' },
    bookmark: { tags: ['sea', "sailor's", 'b\\w'] },
  })
  const one = await saveTo(['sea'])
  const both = await saveTo(['sea', "sailor's", 'new'])
  const byHost = await saveTo(['other'], { host: 'films.example.org' })
  await saveTo(['sea'], { orientation: 'gay' })
  await saveTo(['sea'], { bookmark: { access: 'private' } })
  await saveTo(['sea'], { bookmark: await createDestination(site, bob, 'private') })
  await saveTo(['unlike'])
  const trashed = await saveTo(['sea'])
  await site.db`update bookmarks set deleted_at = now() where id = ${trashed}`
  expect(await similarTo(own.id)).toEqual([both, one, byHost])
  expect(await similarTo(own.id, alice)).toEqual([both, one, byHost])
  const adult = await saveTo(['sea', 'adult'], { orientation: 'gay' })
  for (const item of await similarTo(adult)) expect([own.id, one, both]).not.toContain(item)
})

test('of a bookmark that is not theirs to see people are told nothing', async () => {
  const id = await saveTo(['sea'], { bookmark: { access: 'private' } })
  for (const who of [alice, null])
    expect(await failedReply(similarTo(id, who))).toMatchObject({ status: 404 })
  expect((await similarTo(id, bob)).length).toBeGreaterThan(0)
})

test('many of one tag are ten, from two statements', async () => {
  const id = await saveTo(['many'])
  for (let n = 0; n < 12; n++) await saveTo(['many'])
  site.statements.length = 0
  expect(await similarTo(id)).toHaveLength(10)
  expect(site.statements).toHaveLength(2)
})

test('whom they blocked or muted, and what they muted, is not among it; from whom they are blocked it is not there', async () => {
  const carol = await signUp(site, 'carol')
  const own = await saveFilm(site, carol, 'carol', { bookmark: { tags: ['quiet'] } })
  const one = await saveTo(['quiet'])
  const two = await saveTo(['quiet', 'loud'])
  expect(await similarTo(own.id, carol)).toEqual(expect.arrayContaining([one, two]))
  await site.call(createMute, { body: { tag: 'loud' } }, carol)
  const left = await similarTo(own.id, carol)
  expect(left).toContain(one)
  expect(left).not.toContain(two)
  await site.call(blockUser, { params: { id: bob.id } }, carol)
  expect(await similarTo(own.id, carol)).not.toContain(one)
  expect(await failedReply(similarTo(own.id, bob))).toMatchObject({ status: 404 })
  expect(await similarTo(own.id)).toContain(one)
})
