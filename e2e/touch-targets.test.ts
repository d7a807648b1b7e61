/** Links and buttons are at least 44 px on a narrow touch screen. */

import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { createCollection } from '@reelmark/contract/collections.ts'
import { createComment } from '@reelmark/contract/comments.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken, openSignedIn } from './accounts.ts'
import { expect, test } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import { createScene, type Scene } from './scene.ts'
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
    [`/collections/${collection}`, /^\d+ videos? · /],
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

type OwnPage = [path: string | ((scene: Scene) => string), shows: string | RegExp]

const ownPages: Record<'ana' | 'mo', OwnPage[]> = {
  ana: [
    ['/', 'My Vault'],
    ['/library', 'The harbour'],
    [({ ana }) => `/users/${ana.username}`, 'Edit Profile'],
    [({ ana }) => `/users/${ana.username}?tab=liked`, 'No liked videos found'],
    [({ ana }) => `/users/${ana.username}?tab=collections`, 'Sea films'],
    [({ collection }) => `/collections/${collection}`, '3 bookmarks'],
    [({ bookmark }) => `/bookmarks/${bookmark}`, 'A film of waves'],
    ['/watch-later', 'Watch Later'],
    ['/history', 'No watched videos yet'],
    ['/tags', /undo it for 7 days/],
    ['/trash', '30 days left'],
    ['/notifications', /replied to your comment/],
    ['/bookmarks/create?tab=url', 'Extract Info'],
    ['/bookmarks/create?tab=manual', 'Fill the form to see a preview.'],
    ['/settings/profile', 'Default bookmark collection'],
    ['/settings/account', 'Confirm your email'],
    ['/settings/security', 'This device'],
    ['/settings/privacy', 'Who can see'],
    ['/settings/notifications', 'Someone follows you'],
    ['/settings/appearance', 'Single-key shortcuts'],
    ['/settings/blocked', "You haven't blocked anyone."],
    ['/settings/reports', 'No reports yet'],
    ['/settings/save', 'Bookmarklet'],
    ['/settings/data', /No exports yet/],
    ['/settings/tokens', /No tokens yet/],
    ['/settings/webhooks', 'No webhooks yet.'],
  ],
  mo: [
    ['/moderator', 'The second storm'],
    ['/moderator/appeals', /^\d+ appeals?$/],
    ['/moderator/users', /^Joined /],
    [({ ana }) => `/moderator/users/${ana.username}`, /^Suspend$/],
    ['/moderator/rules', 'Add a rule'],
    ['/moderator/log', 'View changes'],
    ['/moderator/statistics', 'Median time'],
    ['/moderator/links', 'In 30 days'],
  ],
}

for (const [viewer, who] of [
  ['ana', 'a signed-in user'],
  ['mo', 'a moderator'],
] as const) {
  test(`a finger can hit every link and button of the pages of ${who}`, async ({ page, site }) => {
    test.slow()
    const scene = await createScene(site)
    await openSignedIn(page, site, scene[viewer], '/contact')
    for (const [path, shows] of ownPages[viewer]) {
      const address = typeof path === 'string' ? path : path(scene)
      await test.step(address, async () => {
        await page.goto(address)
        await expect(page.getByText(shows).filter({ visible: true }).first()).toBeVisible()
        await expectTouchTargets(page)
      })
    }
    await test.step('the account menu', async () => {
      await page.getByRole('button', { name: 'Account' }).click()
      await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()
      await expectTouchTargets(page)
    })
  })
}
