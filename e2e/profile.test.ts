/** Two people and their profiles: a face, a few words, what they keep, and who follows whom. */

import { fileURLToPath } from 'node:url'
import { anAccount, logInBy, saveFilms } from './people.ts'
import { expect, expectAccessible, test } from './test.ts'

/** Any picture will do. */
const picture = fileURLToPath(new URL('../web/public/icon-512.png', import.meta.url))

for (const width of [390, 1280]) {
  test(`a profile is given a face, looked through and followed (${width} px)`, async ({
    page,
    otherPage,
    site,
  }) => {
    const ana = await anAccount(site, 'ana')
    const bo = await anAccount(site, 'bo')
    await saveFilms(site, ana, 26)
    for (const each of [page, otherPage]) await each.setViewportSize({ width, height: 900 })

    await test.step('the owner edits it', async () => {
      await page.goto('/login')
      await logInBy(page, ana)
      await expect(page).toHaveURL(`/users/${ana.username}`)
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Edit Profile' }).click()
      const dialog = page.getByRole('dialog', { name: 'Edit Profile' })
      await dialog.getByLabel('Choose picture').setInputFiles(picture)
      await expect(dialog.locator('img')).toHaveAttribute('src', /^blob:/)
      await dialog.getByLabel('Bio').fill('I keep\nshort films.')
      await expect(dialog.getByText('19/500')).toBeVisible()
      await dialog.getByLabel('Default bookmark collection').selectOption('My Vault')
      await dialog.getByLabel('Somebody follows you').uncheck()
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(dialog).toBeHidden()
      await expect(page.getByText('I keep short films.')).toBeVisible()
      const face = page.getByRole('main').locator('header img')
      await expect(face).toHaveAttribute('src', /^\/media\/[0-9a-f]{40}\.webp$/)
      await expect.poll(() => face.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(256)
      await page.reload()
      await page.getByRole('button', { name: 'Edit Profile' }).click()
      await expect(dialog.getByLabel('Somebody follows you')).not.toBeChecked()
      await expect(dialog.getByLabel('Default bookmark collection')).toHaveValue(/^\d+$/)
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
    })

    await test.step('a visitor looks through it, and is led to the login by Follow', async () => {
      await otherPage.goto(`/users/${ana.username.toUpperCase()}`)
      await expect(otherPage.getByRole('heading', { level: 1, name: ana.username })).toBeVisible()
      await otherPage.getByRole('link', { name: 'Next' }).click()
      await expect(otherPage).toHaveURL(/page=2$/)
      await expect(otherPage.getByRole('article')).toHaveCount(1)
      const tabs = otherPage.getByRole('navigation', { name: /keeps$/ })
      await tabs.getByRole('link', { name: 'Liked' }).click()
      await expect(otherPage).toHaveURL(/\?tab=liked$/)
      await expect(otherPage.getByText('No liked videos found')).toBeVisible()
      await tabs.getByRole('link', { name: 'Collections' }).click()
      await otherPage.getByRole('link', { name: 'My Vault' }).click()
      await expect(otherPage.getByRole('heading', { name: 'My Vault' })).toBeFocused()
      await otherPage.getByRole('link', { name: 'General' }).click()
      await expect(otherPage).toHaveURL(/tab=collections&collection=\d+&channel=\d+$/)
      await expect(otherPage.getByRole('article')).toHaveCount(25)
      await expectAccessible(otherPage)
      await otherPage.reload()
      await expect(otherPage.getByRole('heading', { name: 'General' })).toBeVisible()
      await otherPage.getByRole('link', { name: 'Back to My Vault' }).click()
      await expect(otherPage.getByRole('link', { name: 'General' })).toBeVisible()
      await expectAccessible(otherPage)
      await otherPage.getByRole('link', { name: 'Back to collections' }).click()
      await expect(otherPage.getByRole('heading', { name: 'Collections' })).toBeVisible()
      await otherPage.getByRole('button', { name: /^Follow/ }).click()
      await expect(otherPage).toHaveURL(/\/login\?redirect=/)
    })

    await test.step('signed in, they follow, and are among the followers', async () => {
      await logInBy(otherPage, bo)
      await expect(otherPage).toHaveURL(new RegExp(`/users/${ana.username}`, 'i'))
      await otherPage
        .getByRole('button', { name: /^Follow / })
        .or(otherPage.getByRole('button', { name: 'Follow', exact: true }))
        .click()
      await expect(otherPage.getByRole('button', { name: /^Unfollow/ })).toBeVisible()
      await otherPage.getByRole('button', { name: '1 Followers' }).click()
      const followers = otherPage.getByRole('dialog', { name: 'Followers' })
      await expect(followers.getByText(/^Followed since /)).toBeVisible()
      await expectAccessible(otherPage)
      await followers.getByRole('link', { name: `View Profile of ${bo.username}` }).click()
      await expect(otherPage).toHaveURL(`/users/${bo.username}`)
      await otherPage.getByRole('button', { name: '1 Following' }).click()
      const following = otherPage.getByRole('dialog', { name: 'Following' })
      await expect(following.getByText(/^Following since /)).toBeVisible()
      await following.getByRole('link', { name: `View Profile of ${ana.username}` }).click()
      await otherPage.getByRole('button', { name: /^Unfollow/ }).click()
      await expect(otherPage.getByRole('button', { name: '0 Followers' })).toBeVisible()
    })

    await test.step('the owner takes the picture away again', async () => {
      await page.getByRole('button', { name: 'Edit Profile' }).click()
      const dialog = page.getByRole('dialog', { name: 'Edit Profile' })
      await dialog.getByRole('button', { name: 'Remove picture' }).click()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByRole('main').locator('header img')).toHaveAttribute('src', '/media/default.jpg')
    })
  })
}

test('the dialogs of a profile are loaded when they are opened', async ({ page, site }) => {
  const ana = await anAccount(site, 'ana')
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname)
  })
  await page.goto(`/users/${ana.username}`)
  await page.waitForLoadState('networkidle')
  expect(scripts.filter((path) => /dialog/.test(path))).toEqual([])
  await page.getByRole('button', { name: '0 Followers' }).click()
  await expect(page.getByText('No followers found.')).toBeVisible()
  expect(scripts.filter((path) => /dialog/.test(path)).length).toBeGreaterThan(0)
})

test('nobody’s profile, and none at all, say so', async ({ page, site, expectedNoise }) => {
  expectedNoise.push(/404/)
  expect((await page.goto('/users/nobody-of-this-name'))?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Error loading profile.' })).toBeVisible()
  expect((await page.goto('/users/'))?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'No username provided in route.' })).toBeVisible()
  await expectAccessible(page)
  const ana = await anAccount(site, 'ana')
  await page.goto('/explore')
  // The answer takes its time.
  await page.route(`**/api/profile/${ana.username}/`, () => {})
  await page.evaluate((name) => {
    window.history.pushState(null, '', `/users/${name}`)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }, ana.username)
  await expect(page.getByText('Loading profile...')).toBeVisible()
})
