/** Changing the username: the new name is shown everywhere, and what has the former one still leads to the user. */
import type { Page } from '@playwright/test'
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { listCollections } from '@reelmark/contract/collections.ts'
import { createComment } from '@reelmark/contract/comments.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken, openSignedIn } from './accounts.ts'
import { type Account, expect, expectAccessibleAtBothWidths, test, uniqueName } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import type { Site } from './site-process.ts'

/** Saves a film of Ana's with a comment by Ben that mentions her, and returns the bookmark's id. */
async function saveMentioningFilm(site: Site, ana: Account, ben: Account): Promise<number> {
  const http = httpTransport(site)
  const token = await logInForToken(site, ana)
  const { results } = await call(http, listCollections, { query: {} }, token)
  const video = { source_url: `https://films.example.org/watch/${uniqueName('film')}`, title: 'The Harbour' }
  const bookmark = { channel_id: results[0]?.channels[0]?.id ?? 0 }
  const saved = await call(http, saveBookmark, { body: { video, bookmark } }, token)
  const content = `Thank you @${ana.username}`
  const input = { params: { id: saved.video.id }, body: { content } }
  await call(http, createComment, input, await logInForToken(site, ben))
  return saved.id
}

/** Expects that the account menu leads to the profile of a username. */
async function expectOwnName(page: Page, username: string): Promise<void> {
  const menu = page.getByRole('banner').getByRole('button', { name: 'Account' })
  await menu.click()
  const profile = page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Profile' })
  await expect(profile).toHaveAttribute('href', `/users/${username}`)
  await page.keyboard.press('Escape')
}

test('a user changes their username, and links and mentions with the former one still lead to them', async ({
  page,
  otherPage,
  site,
  expectedNoise,
}) => {
  // The error of the taken name.
  expectedNoise.push(/400/)
  const [ana, ben] = [await createAccount(site, 'ana'), await createAccount(site, 'ben')]
  const username = uniqueName('Anna')
  const bookmarkId = await saveMentioningFilm(site, ana, ben)
  const tab = await page.context().newPage()
  await openSignedIn(tab, site, ana, '/explore')
  await page.goto('/settings/account')

  await page.getByRole('button', { name: 'Change username' }).click()
  const field = page.getByLabel('New username')
  await expect(field).toBeFocused()
  await field.fill(ben.username)
  await page.getByLabel('Your password').fill(ana.password)
  await page.getByRole('button', { name: 'Save username' }).click()
  await expect(page.getByText("This username isn't available.")).toBeVisible()
  await expect(field).toBeFocused()
  await expect(field).toHaveValue(ben.username)
  await expectAccessibleAtBothWidths(page)
  await field.fill(username)
  await page.getByRole('button', { name: 'Save username' }).click()
  await expect(page.getByText('Username changed.')).toBeVisible()
  await expect(page.getByRole('main').getByText(username, { exact: true })).toBeVisible()

  await expectOwnName(page, username)
  await expectOwnName(tab, username)

  const response = await otherPage.goto(`/users/${ana.username}?tab=collections`)
  const redirect = await response?.request().redirectedFrom()?.response()
  expect(redirect?.status()).toBe(301)
  await expect(otherPage).toHaveURL(`/users/${username}?tab=collections`)
  await expect(otherPage.getByRole('heading', { name: username })).toBeVisible()

  await otherPage.goto(`/bookmarks/${bookmarkId}`)
  await otherPage.getByRole('link', { name: `@${ana.username}` }).click()
  await expect(otherPage).toHaveURL(`/users/${username}`)
  await expect(otherPage.getByRole('heading', { name: username })).toBeVisible()

  // The owner's own page, by its former address.
  await tab.goto(`/users/${ana.username}`)
  await expect(tab).toHaveURL(`/users/${username}`)
  await expect(tab.getByRole('button', { name: 'Edit Profile' })).toBeVisible()
})
