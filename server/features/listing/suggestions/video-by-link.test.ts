import { blockUser } from '@reelmark/contract/blocks.ts'
import { updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { findVideoByLink } from '@reelmark/contract/suggestions.ts'
import { expect, test } from 'vitest'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import type { TestUser } from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'

const { site, alice, bob } = await useSite()

const find = async (url: string, user?: TestUser) =>
  (await site.call(findVideoByLink, { query: { url } }, user)).bookmark

test('any link to a video finds its public bookmark, and never a private one', async () => {
  const source_url = 'https://youtu.be/aqz-KE-bpKQ'
  const links = [source_url, 'http://m.youtube.com/watch?v=aqz-KE-bpKQ&utm_source=x']
  for (const link of links) expect(await find(link)).toBeNull()
  const { id } = await saveFilm(site, alice, 1, { video: { title: 'Big Buck Bunny', source_url } })
  for (const link of links) expect(await find(link)).toEqual({ id, title: 'Big Buck Bunny' })
  await site.call(blockUser, { params: { id: bob.id } }, alice)
  expect(await find(source_url, bob)).toBeNull()
  await site.call(updateBookmark, { params: { id }, body: { access: 'private' } }, alice)
  for (const viewer of [undefined, alice]) expect(await find(source_url, viewer)).toBeNull()
})

test.each(['no link', 'ftp://films.example.org/x', 'https://', 'https://[', 'javascript:alert(1)'])(
  '%s finds nothing',
  async (url) => {
    expect(await find(url)).toBeNull()
  },
)
