/** Actions on cards by mouse, keyboard and touch, and keyboard navigation in a grid. */

import type { Page } from '@playwright/test'
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { listCollections } from '@reelmark/contract/collections.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken, logInThroughForm, openSignedIn } from './accounts.ts'
import {
  type Account,
  expect,
  expectAccessible,
  longPress,
  test,
  uniqueName,
  waitForIdle,
} from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import type { Site } from './site-process.ts'

/** Saves a bookmark per title and returns the path of an Explore page with only these, last saved first. */
async function createBookmarks(site: Site, owner: Account, titles: readonly string[]): Promise<string> {
  const token = await logInForToken(site, owner)
  const { results } = await call(httpTransport(site), listCollections, { query: {} }, token)
  const tag = uniqueName('tag')
  for (const title of titles) {
    const body = {
      video: {
        source_url: `https://vimeo.com/${Math.floor(Math.random() * 1e8) + 1e8}`,
        title,
        tags: [tag],
      },
      bookmark: { collection_id: results[0]?.id ?? 0, channel_id: null, tags: [tag] },
    }
    await call(httpTransport(site), saveBookmark, { body }, token)
  }
  return `/explore?tag=${tag}`
}

const findCard = (page: Page, title: string) =>
  page.getByRole('article').filter({ has: page.getByRole('link', { name: title, exact: true }) })

test.describe('with a mouse', () => {
  test.use({
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })

  test('a visitor logs in to like a card, then likes, collects and shares it', async ({ page, site }) => {
    await page.addInitScript(() => Object.defineProperty(navigator, 'share', { value: undefined }))
    const [mara, ana] = [await createAccount(site, 'mara'), await createAccount(site, 'ana')]
    const path = await createBookmarks(site, mara, ['The long tide'])
    await page.goto(path)
    // The dialog that asks visitors to sign in is loaded after the page.
    await waitForIdle(page)
    const card = findCard(page, 'The long tide')
    const tools = card.getByRole('toolbar', { name: 'Actions for The long tide' })
    await expect(tools).toBeHidden()
    await card.hover()
    await expect(card.getByText('vimeo.com')).toBeVisible()
    await tools.getByRole('button', { name: 'Like', exact: true }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Log in' }).click()
    await expect(page).toHaveURL(`/login?redirect=${encodeURIComponent(path)}`)
    await logInThroughForm(page, ana)
    await expect(page).toHaveURL(path)
    await expect(page.getByText('Liked.', { exact: true })).toBeVisible()
    await card.hover()
    await expect(tools.getByRole('button', { name: 'Liked', exact: true })).toBeVisible()
    await expectAccessible(page)
    await tools.getByRole('button', { name: 'Watch later' }).click()
    await expect(tools.getByRole('button', { name: 'In Watch Later' })).toBeVisible()
    await tools.getByRole('button', { name: 'Share' }).click()
    await expect(page.getByText('Link copied.')).toBeVisible()
    await page.reload()
    await card.hover()
    await expect(tools.getByRole('button', { name: 'Liked', exact: true })).toBeVisible()
    await expect(tools.getByRole('button', { name: 'In Watch Later' })).toBeVisible()
    await tools.getByRole('button', { name: 'Collect' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add to Collection' })
    await dialog.getByRole('button', { name: 'My Vault', exact: true }).click()
    await expect(page.getByText('Added to My Vault, public.')).toBeVisible()
    await expect(page).toHaveURL(path)
  })

  test('keys move in the grid, like and collect; a dialog lists them and turns them off', async ({
    page,
    site,
  }) => {
    const [mara, ana] = [await createAccount(site, 'mara'), await createAccount(site, 'ana')]
    const titles = Array.from({ length: 7 }, (_, n) => `Film ${7 - n}`)
    await openSignedIn(page, site, ana, await createBookmarks(site, mara, titles))
    const link = (n: number) => page.getByRole('link', { name: `Film ${n}`, exact: true })
    await expect(link(7)).toBeVisible()
    // The shortcuts are loaded after the page.
    await waitForIdle(page)
    const columns = await page
      .locator('.card-grid')
      .evaluate((grid) => getComputedStyle(grid).gridTemplateColumns.split(' ').length)
    for (const [key, at] of [
      ['j', 1],
      ['j', 2],
      ['k', 1],
      ['ArrowRight', 2],
      ['ArrowDown', 2 + columns],
      ['ArrowUp', 2],
      ['ArrowLeft', 1],
    ] as const) {
      await page.keyboard.press(key)
      await expect(link(at), key).toBeFocused()
    }
    const tools = findCard(page, 'Film 1').getByRole('toolbar')
    await expect(tools.getByRole('button', { name: 'Like', exact: true })).toBeVisible()
    await page.keyboard.press('l')
    await expect(tools.getByRole('button', { name: 'Liked', exact: true })).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(tools.getByRole('button', { name: 'Liked', exact: true })).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await expect(tools.getByRole('button', { name: 'Collect' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(link(2)).toBeFocused()
    await page.keyboard.press('c')
    const collect = page.getByRole('dialog', { name: 'Add to Collection' })
    await expect(collect.getByText('Film 2')).toBeVisible()
    // While a dialog is open, the page's shortcuts do nothing.
    await page.keyboard.press('j')
    await page.keyboard.press('Escape')
    await expect(collect).toBeHidden()
    await expect(link(2)).toBeFocused()

    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect(keys.getByText('Move in the grid')).toBeVisible()
    await expectAccessible(page)
    await keys.getByRole('switch', { name: 'Single-key shortcuts' }).press('Space')
    await page.keyboard.press('Escape')
    await expect(keys).toBeHidden()
    await page.keyboard.press('j')
    await expect(link(2)).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await expect(link(3)).toBeFocused()
    await page.goto('/settings/appearance')
    const choice = page.getByRole('switch', { name: 'Single-key shortcuts' })
    await expect(choice).not.toBeChecked()
    await choice.click()
    await page.getByRole('button', { name: 'Show all shortcuts' }).click()
    await expect(keys.getByRole('switch')).toBeChecked()
    await page.keyboard.press('Escape')
    await expect(keys).toBeHidden()
    await page.getByRole('heading', { name: 'Appearance' }).click()
    await page.keyboard.press('/')
    await expect(page).toHaveURL('/settings/appearance')
    await expect(page.getByPlaceholder('Search or paste a link')).toBeFocused()
  })
})

test.describe('on a touch screen', () => {
  test.use({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true })

  test('a long press on a card, or its button, opens the actions', async ({ page, site }) => {
    const [mara, ana] = [await createAccount(site, 'mara'), await createAccount(site, 'ana')]
    const path = await createBookmarks(site, mara, ['The long tide', 'The short night'])
    await openSignedIn(page, site, ana, path)
    const card = findCard(page, 'The long tide')
    await expect(card).toBeVisible()
    await longPress(card)
    const menu = page.getByRole('dialog', { name: 'The long tide' })
    await menu.getByRole('button', { name: 'Like', exact: true }).tap()
    await expect(menu.getByRole('button', { name: 'Liked', exact: true })).toBeVisible()
    await expectAccessible(page)
    await menu.getByRole('button', { name: 'Collect' }).tap()
    const collect = page.getByRole('dialog', { name: 'Add to Collection' })
    await expect(collect.getByRole('button', { name: 'My Vault', exact: true })).toBeVisible()
    await expect(menu).toBeHidden()
    await collect.getByRole('button', { name: 'Close' }).tap()
    await expect(page).toHaveURL(path)
    await page.getByRole('button', { name: 'Actions for The long tide' }).tap()
    await expect(menu.getByRole('button', { name: 'Liked', exact: true })).toBeVisible()
    await menu.getByRole('button', { name: 'Close' }).tap()
    await expectAccessible(page)
    await card.tap({ position: { x: 60, y: 40 } })
    await expect(page).toHaveURL(/\/bookmarks\/\d+/)
  })
})
