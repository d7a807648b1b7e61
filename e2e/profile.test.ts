/** Profiles: picture and bio, the tabs of a profile, following and followers. */

import { fileURLToPath } from 'node:url'
import { updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken, logInThroughForm, openSignedIn, saveFilms } from './accounts.ts'
import { expect, expectAccessibleInBothThemes, test, waitForIdle } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'

/** Any image file. */
const picture = fileURLToPath(new URL('../web/public/icon-512.png', import.meta.url))

test('an owner edits their profile, and a visitor browses and follows it', async ({
  page,
  otherPage,
  site,
}) => {
  test.slow()
  const ana = await createAccount(site, 'ana')
  const bo = await createAccount(site, 'bo')
  await saveFilms(site, ana, 26)
  for (const window of [page, otherPage]) await window.setViewportSize({ width: 1280, height: 900 })

  await test.step('the owner edits picture, bio and settings', async () => {
    await openSignedIn(page, site, ana, `/users/${ana.username}`)
    await page.getByRole('button', { name: 'Edit Profile' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Profile' })
    await dialog.getByLabel('Upload photo').setInputFiles(picture)
    await expect(dialog.locator('img')).toHaveAttribute('src', /^blob:/)
    await dialog.getByLabel('Bio').fill('I keep\nshort films.')
    await expect(dialog.getByText('19/500')).toBeVisible()
    await dialog.getByLabel('Default bookmark collection').selectOption('My Vault')
    await dialog.getByLabel('Someone follows you').uncheck()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('I keep short films.')).toBeVisible()
    const face = page.getByRole('main').locator('header img')
    await expect(face).toHaveAttribute('src', /^\/media\/[0-9a-f]{40}\.webp$/)
    await expect.poll(() => face.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(256)
    await page.reload()
    await page.getByRole('button', { name: 'Edit Profile' }).click()
    await expect(dialog.getByLabel('Someone follows you')).not.toBeChecked()
    await expect(dialog.getByLabel('Default bookmark collection')).toHaveValue(/^\d+$/)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  })

  await test.step('a visitor browses the tabs and is sent to log in by Follow', async () => {
    await otherPage.goto(`/users/${ana.username.toUpperCase()}`)
    await expect(otherPage.getByRole('heading', { level: 1, name: ana.username })).toBeVisible()
    await otherPage.getByRole('link', { name: 'Next' }).click()
    await expect(otherPage).toHaveURL(/page=2$/)
    await expect(otherPage.getByRole('article')).toHaveCount(1)
    // The first page also shows the second one below, and does so again on the way back.
    await otherPage.goBack()
    await otherPage.getByRole('button', { name: 'Show more' }).click()
    const last = otherPage.getByRole('article').nth(25)
    await expect(last.getByRole('link')).toBeFocused()
    await last.getByRole('link').press('Enter')
    await expect(otherPage).toHaveURL(/\/bookmarks\//)
    await otherPage.goBack()
    await expect(otherPage.getByRole('article')).toHaveCount(26)
    await expect(last).toBeInViewport()
    const tabs = otherPage.getByRole('navigation', { name: /'s bookmarks$/ })
    await tabs.getByRole('link', { name: 'Liked' }).click()
    await expect(otherPage).toHaveURL(/\?tab=liked$/)
    await expect(otherPage.getByText('No liked videos found')).toBeVisible()
    await tabs.getByRole('link', { name: 'Collections' }).click()
    await otherPage.getByRole('link', { name: 'My Vault' }).click()
    await expect(otherPage.getByRole('heading', { name: 'My Vault' })).toBeFocused()
    await otherPage.getByRole('link', { name: 'General' }).click()
    await expect(otherPage).toHaveURL(/tab=collections&collection=\d+&channel=\d+$/)
    await expect(otherPage.getByRole('article')).toHaveCount(25)
    await otherPage.reload()
    await expect(otherPage.getByRole('heading', { name: 'General' })).toBeVisible()
    await otherPage.getByRole('link', { name: 'Back to My Vault' }).click()
    await expect(otherPage.getByRole('link', { name: 'General' })).toBeVisible()
    await otherPage.getByRole('link', { name: 'Back to collections' }).click()
    await expect(otherPage.getByRole('heading', { name: 'Collections' })).toBeVisible()
    await waitForIdle(otherPage)
    await otherPage.getByRole('button', { name: /^Follow/ }).click()
    await otherPage.getByRole('dialog').getByRole('link', { name: 'Log in' }).click()
    await expect(otherPage).toHaveURL(/\/login\?redirect=/)
  })

  await test.step('after logging in the visitor follows and is listed as a follower', async () => {
    await logInThroughForm(otherPage, bo)
    await expect(otherPage).toHaveURL(new RegExp(`/users/${ana.username}`, 'i'))
    await expect(otherPage.getByRole('button', { name: /^Unfollow/ })).toBeVisible()
    await otherPage.getByRole('button', { name: '1 Follower' }).click()
    const followers = otherPage.getByRole('dialog', { name: 'Followers' })
    await expect(followers.getByText(/^Followed since /)).toBeVisible()
    await followers.getByRole('link', { name: `View Profile of ${bo.username}` }).click()
    await expect(otherPage).toHaveURL(`/users/${bo.username}`)
    await otherPage.getByRole('button', { name: '1 Following' }).click()
    const following = otherPage.getByRole('dialog', { name: 'Following' })
    await expect(following.getByText(/^Following since /)).toBeVisible()
    await following.getByRole('link', { name: `View Profile of ${ana.username}` }).click()
    await expect(otherPage).toHaveURL(`/users/${ana.username}`)
    await otherPage.getByRole('button', { name: /^Unfollow/ }).click()
    await expect(otherPage.getByRole('button', { name: '0 Followers' })).toBeVisible()
  })

  await test.step('the owner removes the picture', async () => {
    await page.getByRole('button', { name: 'Edit Profile' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Profile' })
    await dialog.getByRole('button', { name: 'Remove photo' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('main').locator('header img').first()).toHaveAttribute(
      'src',
      '/media/default.jpg',
    )
  })
})
test('an owner pins bookmarks and a collection by keyboard, and visitors see them in that order', async ({
  page,
  otherPage,
  site,
}) => {
  const ana = await createAccount(site, 'ana')
  await saveFilms(site, ana, 3)
  const pinned = (of: typeof page) =>
    of.getByRole('region', { name: 'Pinned' }).getByRole('heading', { level: 3 })
  await openSignedIn(page, site, ana, `/users/${ana.username}`)
  await page.getByRole('button', { name: 'Edit pinned' }).click()
  const dialog = page.getByRole('dialog', { name: 'Pinned' })
  await dialog.getByRole('button', { name: 'Pin Film 3' }).click()
  await dialog.getByRole('button', { name: 'Pin My Vault' }).click()
  await dialog.getByRole('searchbox', { name: 'Find a bookmark or collection' }).fill('film 1')
  await expect(dialog.getByRole('button', { name: 'Pin Film 2' })).toBeHidden()
  await dialog.getByRole('button', { name: 'Pin Film 1' }).click()
  await dialog.getByRole('button', { name: 'Move Film 1 up' }).focus()
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Remove Film 3' }).click()
  await expectAccessibleInBothThemes(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(pinned(page)).toHaveText(['Film 1', 'My Vault'])

  await otherPage.goto(`/users/${ana.username}`)
  await expect(pinned(otherPage)).toHaveText(['Film 1', 'My Vault'])
  await expectAccessibleInBothThemes(otherPage)
  await otherPage.getByRole('region', { name: 'Pinned' }).getByRole('link', { name: 'Film 1' }).click()
  await expect(otherPage).toHaveURL(/\/bookmarks\/\d+$/)
  // Its requests would fail after the next step.
  await expect(otherPage.getByRole('heading', { name: 'Film 1', level: 1 })).toBeVisible()
  await waitForIdle(otherPage)

  // What becomes private disappears for others.
  const token = await logInForToken(site, ana)
  const { results } = await call(httpTransport(site), listVideos, { query: { user: ana.username } }, token)
  const id = results.find(({ title }) => title === 'Film 1')?.id ?? 0
  await call(httpTransport(site), updateBookmark, { params: { id }, body: { access: 'private' } }, token)
  await otherPage.goto(`/users/${ana.username}`)
  await expect(pinned(otherPage)).toHaveText(['My Vault'])
  await page.reload()
  await expect(pinned(page)).toHaveText(['Film 1', 'My Vault'])

  // The list disappears with the last pin, and the focus goes to the field after it.
  await page.getByRole('button', { name: 'Edit pinned' }).click()
  for (const name of ['Film 1', 'My Vault']) {
    await dialog.getByRole('button', { name: `Remove ${name}` }).press('Enter')
  }
  await expect(dialog.getByRole('searchbox', { name: 'Find a bookmark or collection' })).toBeFocused()
})

test('the dialogs of a profile are loaded when they open', async ({ page, site }) => {
  const ana = await createAccount(site, 'ana')
  const scripts: string[] = []
  const profileDialogs = /(?:user-list|edit-profile|edit-pins|block)-dialog/
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname)
  })
  await page.goto(`/users/${ana.username}`)
  await waitForIdle(page)
  expect(scripts.filter((path) => profileDialogs.test(path))).toEqual([])
  await page.getByRole('button', { name: '0 Followers' }).click()
  await expect(page.getByText('No followers found.')).toBeVisible()
  expect(scripts.filter((path) => profileDialogs.test(path)).length).toBeGreaterThan(0)
})

test('an unknown and a missing username show an error', async ({ page, site, expectedNoise }) => {
  expectedNoise.push(/404/)
  expect((await page.goto('/users/nobody-of-this-name'))?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Error loading profile.' })).toBeVisible()
  expect((await page.goto('/users/'))?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'No username provided in route.' })).toBeVisible()
  const ana = await createAccount(site, 'ana')
  await page.goto('/explore')
  // Without a response, the page stays in its loading state.
  await page.route(`**/api/profile/${ana.username}/`, () => {})
  await page.evaluate((name) => {
    window.history.pushState(null, '', `/users/${name}`)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }, ana.username)
  await expect(page.getByText('Loading profile...')).toBeVisible()
})
