/** Notifications: the bell updates live, the page lists events, and reading clears them. */
import type { Page } from '@playwright/test'
import { type Bookmark, saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { listChannels, listCollections } from '@reelmark/contract/collections.ts'
import { createComment, createReply } from '@reelmark/contract/comments.ts'
import { followUser } from '@reelmark/contract/follows.ts'
import { toggleLike } from '@reelmark/contract/likes.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken, openSignedIn } from './accounts.ts'
import { activate, expect, expectAccessible, screens, test, uniqueName, waitForIdle } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import type { Site } from './site-process.ts'

async function createBookmark(site: Site, token: Record<string, string>) {
  const { results } = await call(httpTransport(site), listCollections, { query: {} }, token)
  const id = results[0]?.id ?? 0
  const channels = await call(httpTransport(site), listChannels, { params: { id }, query: {} }, token)
  const name = uniqueName('film')
  const body = {
    video: { source_url: `https://films.example.org/watch/${name}`, title: `The Harbour ${name}` },
    bookmark: { channel_id: channels.results[0]?.id ?? 0 },
  }
  return call(httpTransport(site), saveBookmark, { body }, token)
}

const bell = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Notifications/ })

test('likes and replies appear live on the bell and are read and cleared by keyboard', async ({
  page,
  otherPage,
  site,
}) => {
  const [ana, ben] = [await createAccount(site, 'ana'), await createAccount(site, 'ben')]
  const token = await logInForToken(site, ana)
  const bookmark = await createBookmark(site, token)
  const params = { id: bookmark.video.id }
  const comment = await call(
    httpTransport(site),
    createComment,
    { params, body: { content: 'What a film' } },
    token,
  )
  await openSignedIn(page, site, ana, '/notifications')
  await expect(page.getByText('No notifications yet')).toBeVisible()
  await page.goto('/contact')
  // A second tab of the same browser, which gets the count from the first.
  const tab = await page.context().newPage()
  await tab.goto('/terms')

  await openSignedIn(otherPage, site, ben, `/bookmarks/${bookmark.id}`)
  await otherPage.getByRole('button', { name: /^Like/ }).click()
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread')
  await expect(bell(tab)).toHaveAccessibleName('Notifications, 1 unread')
  await expect(page.getByRole('status').filter({ hasText: 'Notifications: 1 unread' })).toBeAttached()
  const reply = await call(
    httpTransport(site),
    createReply,
    { params: { id: comment.id }, body: { content: 'Indeed, indeed' } },
    await logInForToken(site, ben),
  )
  await expect(bell(page)).toHaveAccessibleName('Notifications, 2 unread')

  await bell(page).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/notifications')
  const lines = page.getByRole('list', { name: 'Notifications' }).getByRole('listitem')
  await expect(lines).toHaveCount(2)
  await expect(lines.nth(0)).toContainText(`${ben.username} replied to your comment on The Harbour`)
  await expect(lines.nth(0)).toContainText('Indeed, indeed')
  await expect(lines.nth(1)).toContainText(`${ben.username} liked The Harbour`)
  await expect(lines.getByText('New', { exact: true })).toHaveCount(2)

  // Opening a notification marks it as read and leads to the reply.
  await lines
    .nth(0)
    .getByRole('link', { name: /Harbour/ })
    .focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/bookmarks/${bookmark.id}#comment-${reply.id}`)
  await expect(page.locator(`#comment-${reply.id}`)).toBeFocused()
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread')
  await expect(bell(tab)).toHaveAccessibleName('Notifications, 1 unread')
  await page.goBack()
  await expect(lines.getByText('New', { exact: true })).toHaveCount(1)

  await page.getByRole('button', { name: 'Mark all as read' }).focus()
  await page.keyboard.press('Enter')
  await expect(lines.getByText('New', { exact: true })).toHaveCount(0)
  await expect(bell(page)).toHaveAccessibleName('Notifications')
  await expect(bell(tab)).toHaveAccessibleName('Notifications')
  await page.reload()
  await expect(lines).toHaveCount(2)
  await expect(lines.getByText('New', { exact: true })).toHaveCount(0)

  // The tab with the stream closes; the other tab opens its own stream.
  await page.close()
  const body = { content: 'And once more' }
  await call(
    httpTransport(site),
    createReply,
    { params: { id: comment.id }, body },
    await logInForToken(site, ben),
  )
  await expect(bell(tab)).toHaveAccessibleName('Notifications, 1 unread')
  await call(
    httpTransport(site),
    followUser,
    { params: { id: bookmark.user.id } },
    await logInForToken(site, ben),
  )
  await expect(bell(tab)).toHaveAccessibleName('Notifications, 2 unread')
})

test('likes of several bookmarks are one notification, which is expanded and read', async ({
  page,
  otherPage,
  site,
}) => {
  const [ana, ben] = [await createAccount(site, 'ana'), await createAccount(site, 'ben')]
  const token = await logInForToken(site, ana)
  const bens = await logInForToken(site, ben)
  for (let n = 0; n < 3; n++) {
    const { video } = await createBookmark(site, token)
    await call(httpTransport(site), toggleLike, { params: { id: video.id } }, bens)
  }
  await openSignedIn(page, site, ana, '/notifications')
  const list = page.getByRole('list', { name: 'Notifications', exact: true })
  const group = list.getByRole('button', { name: /^[23] of your bookmarks$/ })
  await expect(group).toBeVisible()
  await expectAccessible(page)
  await group.click()
  const single = page.getByRole('list', { name: 'Notifications of this group' })
  await expect(single.getByText(`${ben.username} liked The Harbour`).first()).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(group).toBeVisible()
  await expect(bell(page)).toHaveAccessibleName(/^Notifications(, 1 unread)?$/)
  // Nobody else sees the group.
  await openSignedIn(otherPage, site, ben, '/notifications')
  await expect(otherPage.getByText('No notifications yet')).toBeVisible()
})

for (const { name: screen, device } of screens)
  test.describe(screen, () => {
    test.use(device)

    test('comments on a video saved first and mentions appear on the bell, and kinds are turned off', async ({
      page,
      site,
    }) => {
      const [ana, ben] = [await createAccount(site, 'ana'), await createAccount(site, 'ben')]
      const bens = await logInForToken(site, ben)
      const [own, other] = [
        await createBookmark(site, await logInForToken(site, ana)),
        await createBookmark(site, bens),
      ]
      const comment = ({ video }: Bookmark, content: string) =>
        call(httpTransport(site), createComment, { params: { id: video.id }, body: { content } }, bens)
      await openSignedIn(page, site, ana, '/settings/notifications')
      await comment(own, 'How quiet it is')
      await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread')
      await comment(other, `Look at this, @${ana.username}`)
      await expect(bell(page)).toHaveAccessibleName('Notifications, 2 unread')
      await activate(bell(page), 'Enter')
      const lines = page.getByRole('list', { name: 'Notifications' }).getByRole('listitem')
      await expect(lines).toHaveCount(2)
      await expect(lines.nth(0)).toContainText(`${ben.username} mentioned you`)
      await expect(lines.nth(1)).toContainText(`${ben.username} commented on The Harbour`)
      await expectAccessible(page)
      // Unread mentions of the same video are one notification.
      await activate(page.getByRole('button', { name: 'Mark all as read' }), 'Enter')
      await expect(bell(page)).toHaveAccessibleName('Notifications')

      await page.goto('/settings/notifications')
      const onSite = page.getByRole('switch', {
        name: 'Someone comments on a video you saved first',
        exact: true,
      })
      const byMail = page.getByRole('switch', { name: 'Someone mentions you, by email' })
      for (const choice of [onSite, byMail]) {
        await expect(choice).toBeChecked()
        await activate(choice, 'Space')
        await expect(choice).not.toBeChecked()
      }
      await page.reload()
      for (const choice of [onSite, byMail]) await expect(choice).not.toBeChecked()
      await expect(page.getByRole('switch', { name: 'Someone mentions you', exact: true })).toBeChecked()
      await comment(own, 'Nobody is told of this')
      await comment(other, `Once more, @${ana.username}`)
      await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread')
      await activate(bell(page), 'mouse')
      await expect(page.getByText(`Once more, @${ana.username}`)).toBeVisible()
      await expect(page.getByText('Nobody is told of this')).toHaveCount(0)
    })
  })

test('a visitor loads nothing about notifications', async ({ page }) => {
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await page.goto('/explore')
  await waitForIdle(page)
  expect(requested.filter((path) => /unread|notifications/.test(path))).toEqual([])
  await page.goto('/notifications')
  await expect(page).toHaveURL(/\/login\?redirect=%2Fnotifications/)
})

test('the menu on a phone leads to notifications', async ({ page, site }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await openSignedIn(page, site, await createAccount(site, 'ana'), '/contact')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'You' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Notifications' }).click()
  await expect(page).toHaveURL('/notifications')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expectAccessible(page)
})
