/** What visitors want to do is done after they sign in: once, and only what they pressed in the same tab. */
import type { Page } from '@playwright/test'
import { toggleLike } from '@reelmark/contract/likes.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken, logInThroughForm, saveFilms } from './accounts.ts'
import {
  type Account,
  expect,
  expectAccessibleAtBothWidths,
  newAccount,
  test,
  waitForIdle,
} from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import type { Site } from './site-process.ts'

/** Returns the path and the video of a film that another user saved. */
async function createFilm(site: Site): Promise<{ path: string; videoId: number }> {
  const mara = await createAccount(site, 'mara')
  await saveFilms(site, mara, 1)
  const query = { user: mara.username }
  const [film] = (await call(httpTransport(site), listVideos, { query })).results
  return { path: `/bookmarks/${film?.id}`, videoId: film?.video_id ?? 0 }
}

async function like(site: Site, account: Account, id: number): Promise<void> {
  const token = await logInForToken(site, account)
  await call(httpTransport(site), toggleLike, { params: { id } }, token)
}

/** Fills in and submits the form on the page, and returns to where the visitor came from. */
async function signUp(page: Page, { username, email, password }: Account): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password').fill(password)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByRole('button', { name: 'Continue Now' }).click()
}

test('a visitor who presses Like logs in and returns to the liked video, and nothing is done twice', {
  tag: '@essential',
}, async ({ page, site }) => {
  const ana = await createAccount(site, 'ana')
  const { path } = await createFilm(site)
  await page.goto(path)
  // The dialog is loaded after the page.
  await waitForIdle(page)
  await page.getByRole('button', { name: 'Like', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Log in to like this video' })
  await expect(dialog.getByText('Film 1').first()).toBeVisible()
  await expect(dialog.getByRole('link', { name: 'Sign up' })).toBeFocused()
  await expectAccessibleAtBothWidths(page)
  await dialog.getByRole('link', { name: 'Log in' }).click()
  await logInThroughForm(page, ana)
  await expect(page).toHaveURL(path)
  await expect(page.getByText('Liked.', { exact: true })).toBeVisible()
  const liked = page.getByRole('button', { name: 'Liked', exact: true })
  await expect(liked).toBeVisible()
  await liked.click()
  await expect(page.getByRole('button', { name: 'Like', exact: true })).toBeVisible()
  await page.reload()
  await waitForIdle(page)
  await expect(page.getByRole('button', { name: 'Like', exact: true })).toBeVisible()
})

test('a visitor who presses Collect signs up and returns to the collected video', async ({ page, site }) => {
  const { path } = await createFilm(site)
  const ben = newAccount('ben')
  await page.goto(path)
  await waitForIdle(page)
  await page.getByRole('button', { name: 'Collect', exact: true }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Sign up' }).click()
  await signUp(page, ben)
  await expect(page).toHaveURL(path)
  await expect(page.getByText('Added to My Vault / General, public.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(/^Removed from My Vault/)).toBeVisible()
})

test('a visitor who wants to comment signs up and returns to the bookmark', async ({ page, site }) => {
  const { path } = await createFilm(site)
  const ben = newAccount('ben')
  await page.goto(path)
  await waitForIdle(page)
  await page.locator('#comments').getByRole('link', { name: 'Sign In' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Sign up' }).click()
  await signUp(page, ben)
  await expect(page).toHaveURL(path)
  await expect(page.getByLabel('Your comment')).toBeVisible()
})

test('a video that the user likes already stays liked', async ({ page, site }) => {
  const ana = await createAccount(site, 'ana')
  const { path, videoId } = await createFilm(site)
  await like(site, ana, videoId)
  await page.goto(path)
  await waitForIdle(page)
  await page.getByRole('button', { name: 'Like', exact: true }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Log in' }).click()
  await logInThroughForm(page, ana)
  await expect(page.getByText('Liked.', { exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Liked', exact: true })).toBeVisible()
})

test('nothing is done for a link of another site, or after the visitor went elsewhere', async ({
  page,
  site,
}) => {
  const ana = await createAccount(site, 'ana')
  const { path } = await createFilm(site)
  // Addresses name no intent.
  await page.goto(`/login?redirect=${encodeURIComponent(`${path}?then=like`)}&then=like`)
  await logInThroughForm(page, ana)
  await expect(page).toHaveURL(`${path}?then=like`)
  await waitForIdle(page)
  await expect(page.getByRole('button', { name: 'Like', exact: true })).toBeVisible()
  await page.evaluate(() => localStorage.clear())

  await page.goto(path)
  await waitForIdle(page)
  await page.getByRole('button', { name: 'Like', exact: true }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Log in' }).click()
  await expect(page).toHaveURL(/\/login/)
  await page.goto('/contact')
  await waitForIdle(page)
  await page.goto(`/login?redirect=${encodeURIComponent(path)}`)
  await logInThroughForm(page, ana)
  await expect(page).toHaveURL(path)
  await waitForIdle(page)
  await expect(page.getByRole('button', { name: 'Like', exact: true })).toBeVisible()
})
