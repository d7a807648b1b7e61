/** The first steps of a new user: they can be skipped, found again, and used by keyboard. */
import type { Page } from '@playwright/test'
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { listCollections } from '@reelmark/contract/collections.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken, logInThroughForm } from './accounts.ts'
import {
  type Account,
  expect,
  expectAccessibleInBothThemes,
  freezeCountdowns,
  newAccount,
  test,
  uniqueName,
  waitForIdle,
} from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import type { Site } from './site-process.ts'

/** Saves enough videos with a new tag that it is among the most used ones. Returns the tag. */
async function saveWithNewTag(site: Site, account: Account): Promise<string> {
  const http = httpTransport(site)
  const token = await logInForToken(site, account)
  const { results } = await call(http, listCollections, { query: {} }, token)
  const channel_id = results[0]?.channels[0]?.id ?? 0
  const tag = uniqueName('tide').toLowerCase()
  for (let n = 1; n <= 12; n++) {
    const source_url = `https://films.example.org/${account.username}/${n}`
    const video = { source_url, title: `Film ${n}`, tags: [tag], orientation: 'sfw' as const }
    await call(http, saveBookmark, { body: { video, bookmark: { channel_id } } }, token)
  }
  return tag
}

async function signUpThroughForm(page: Page, { username, email, password }: Account): Promise<void> {
  // The login page, which also has a username, can still be shown although the address has changed.
  await expect(page.getByRole('heading', { name: 'Sign up', level: 1 })).toBeVisible()
  const values = { Username: username, Email: email, Password: password, 'Confirm Password': password }
  for (const [label, text] of Object.entries(values)) {
    await page.getByLabel(label, { exact: true }).fill(text)
  }
  await page.getByRole('button', { name: 'Sign up' }).click()
}

for (const { width, height } of [
  { width: 1440, height: 900 },
  { width: 320, height: 700 },
]) {
  test(`a new user follows suggested people, skips the rest and finds the steps again, at ${width} px`, async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width, height })
    await freezeCountdowns(page)
    const ana = await createAccount(site, 'ana')
    const tag = await saveWithNewTag(site, ana)
    const kim = newAccount('kim')

    await test.step('signing up leads to the steps', async () => {
      await page.goto('/register')
      await signUpThroughForm(page, kim)
      await page.getByRole('button', { name: 'Get started' }).click()
      await expect(page).toHaveURL('/welcome')
      for (const name of ['Import your videos', 'Save from anywhere', 'Follow people']) {
        await expect(page.getByRole('heading', { name, level: 2 })).toBeVisible()
      }
    })

    await test.step('a tag is picked and a suggested user followed, by keyboard', async () => {
      const choice = page.getByRole('button', { name: tag, exact: true })
      await choice.focus()
      await page.keyboard.press('Space')
      await expect(choice).toHaveAttribute('aria-pressed', 'true')
      await expect(page.getByRole('status').filter({ hasText: '1 person found' })).toBeVisible()
      const list = page.getByRole('list', { name: 'People to follow' })
      await expect(list.getByText(`Saves ${tag}`)).toBeVisible()
      await expectAccessibleInBothThemes(page)
      await list.getByRole('button', { name: `Follow ${ana.username}` }).focus()
      await page.keyboard.press('Enter')
      await expect(list.getByRole('button', { name: `Unfollow ${ana.username}` })).toBeFocused()
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0)
    })

    await test.step('the other steps lead to their pages, and the account menu back', async () => {
      await page.getByRole('link', { name: 'Import videos' }).click()
      await expect(page.getByRole('heading', { name: 'Import data' })).toBeVisible()
      await page.getByRole('banner').getByRole('button', { name: 'Account' }).click()
      await page
        .getByRole('navigation', { name: 'Account' })
        .getByRole('link', { name: 'Get started' })
        .click()
      await page.getByRole('link', { name: 'Set up saving' }).click()
      await expect(page.getByRole('heading', { name: 'Bookmarklet' })).toBeVisible()
      await page.goto('/settings/account')
      await page.getByRole('link', { name: 'Show the steps' }).click()
      await expect(page.getByRole('heading', { name: 'Get started', level: 1 })).toBeVisible()
    })

    await test.step('a followed user is not suggested again, and the steps end at home', async () => {
      await page.reload()
      await page.getByRole('button', { name: tag, exact: true }).click()
      await expect(page.getByText('No one to suggest for these tags yet.')).toBeVisible()
      await page.getByRole('link', { name: 'Done' }).click()
      await expect(page).toHaveURL('/')
    })
  })
}

test('a user who signs up to comment returns to the comments', async ({ page, site }) => {
  await freezeCountdowns(page)
  const ana = await createAccount(site, 'ana')
  await saveWithNewTag(site, ana)
  const kim = newAccount('kim')
  await page.goto(`/users/${ana.username}`)
  await page.getByRole('article').first().getByRole('link').first().click()
  await expect(page).toHaveURL(/\/bookmarks\/\d+/)
  const address = new URL(page.url()).pathname
  // The dialog that asks visitors to sign in is loaded after the page.
  await waitForIdle(page)
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Log in' }).click()
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await page.getByRole('main').getByRole('link', { name: 'Sign up' }).click()
  await expect(page).toHaveURL(/\/register\?redirect=/)
  await signUpThroughForm(page, kim)
  const next = page.getByRole('button', { name: 'Continue Now' })
  await expect(next).toBeVisible()
  await expect(page.getByRole('button', { name: 'Get started' })).toHaveCount(0)
  await next.click()
  await expect(page).toHaveURL((url) => url.pathname === address)
})

test('a visitor who opens the steps logs in and returns to them', async ({ page, site }) => {
  const ana = await createAccount(site, 'ana')
  await page.goto('/welcome')
  await expect(page).toHaveURL('/login?redirect=%2Fwelcome')
  await logInThroughForm(page, ana)
  await expect(page).toHaveURL('/welcome')
  await expect(page.getByRole('link', { name: 'Skip for now' })).toBeVisible()
})
