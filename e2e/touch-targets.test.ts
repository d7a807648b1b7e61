/** Links and buttons are at least 44 px on a narrow touch screen. */

import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { createCollection } from '@reelmark/contract/collections.ts'
import { createComment } from '@reelmark/contract/comments.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken } from './accounts.ts'
import { expect, test } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import { expectTouchTargets } from './touch-targets.ts'

test.use({ viewport: { width: 320, height: 700 }, hasTouch: true })

test('a finger can hit every link and button of the public pages', async ({ page, site }) => {
  test.slow()
  const http = httpTransport(site)
  const ana = await createAccount(site, 'ana')
  const token = await logInForToken(site, ana)
  const { id: collection } = await call(http, createCollection, { body: { name: 'Sea' } }, token)
  const video = {
    source_url: `https://films.example.org/${ana.username}`,
    title: 'Sea',
    tags: ['x'],
    orientation: 'bi' as const,
  }
  const bookmark = { collection_id: collection, channel_id: null }
  const saved = await call(http, saveBookmark, { body: { video, bookmark } }, token)
  const ofVideo = { params: { id: saved.video.id } }
  await call(http, createComment, { ...ofVideo, body: { content: 'Waves' } }, token)

  const profile = `/users/${ana.username}`
  const pages = [
    ['/', 'Create Your Vault'],
    ['/explore', /^Page 1 of/],
    [`/explore/people?q=${ana.username}`, /^0 followers,/],
    [`/bookmarks/${saved.id}`, 'Waves'],
    [profile, 'Sea'],
    [`/collections/${collection}`, / · updated /],
  ] as const
  const check = async (path: string, shows: string | RegExp) => {
    await test.step(path, async () => {
      await page.goto(path)
      await expect(page.getByText(shows).filter({ visible: true }).first()).toBeVisible()
      await expectTouchTargets(page)
    })
  }
  for (const [path, shows] of pages) await check(path, shows)
})
