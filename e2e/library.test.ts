/** The library: the viewer's own bookmarks by collection, moved by selecting, by menu and by dragging. */
import type { Page } from '@playwright/test'
import { createCollection } from '@reelmark/contract/collections.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken, openSignedIn, saveFilms } from './accounts.ts'
import { expect, expectAccessible, expectAccessibleAtBothWidths, test } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'

const cardOf = (page: Page, title: string) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

test('ten bookmarks are moved to a new collection with at most five clicks', async ({
  page,
  site,
  expectedNoise,
}) => {
  // The focus returns to the moved card until it is removed, and the site preloads its page in the list that it left.
  expectedNoise.push(/status of 404/)
  const ana = await createAccount(site, 'ana')
  await saveFilms(site, ana, 12)
  await openSignedIn(page, site, ana, '/')
  let clicks = 0
  const click = async (target: ReturnType<Page['getByRole']>, options = {}) => {
    clicks += 1
    await target.click(options)
  }

  await click(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Library' }))
  await cardOf(page, 'Film 12').hover()
  await click(page.getByRole('checkbox', { name: 'Select Film 12' }))
  await expect(page.getByRole('checkbox', { name: 'Film 12', exact: true })).toBeFocused()
  await click(page.getByRole('checkbox', { name: 'Film 3', exact: true }), { modifiers: ['Shift'] })
  await expect(page.getByRole('status').filter({ hasText: 'selected' })).toHaveText('10 bookmarks selected')
  await click(page.getByRole('button', { name: 'Move…' }))
  const dialog = page.getByRole('dialog', { name: 'Move 10 bookmarks' })
  await expect(dialog.getByRole('combobox', { name: 'Collection' })).toBeFocused()
  await page.keyboard.type('Noir titles')
  await expect(dialog.getByRole('option', { selected: true })).toHaveText(
    'Create public collection “Noir titles” and move 10 bookmarks',
  )
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Moved 10 bookmarks to Noir titles.')).toBeVisible()
  expect(clicks).toBeLessThanOrEqual(5)

  await test.step('the selection is over, and the cards name the collection', async () => {
    await expect(page.getByRole('region', { name: 'Selection' })).toBeHidden()
    await expect(cardOf(page, 'Film 12')).toContainText('Noir titles')
    await expect(cardOf(page, 'Film 2')).toContainText('My Vault')
    await expect(page.getByText('Today', { exact: true })).toBeVisible()
  })

  await test.step('View leads to the collection in the library', async () => {
    const toasts = page.getByRole('region', { name: 'Notifications' })
    await toasts.getByRole('link', { name: 'View' }).click()
    await expect(page.getByRole('heading', { name: 'Noir titles', level: 1 })).toBeVisible()
    await expect(page.getByRole('article')).toHaveCount(10)
  })

  await test.step('one bookmark is moved with the keyboard, and back with Undo', async () => {
    await page.getByRole('link', { name: 'Film 12', exact: true }).focus()
    await expect(cardOf(page, 'Film 12').getByRole('button', { name: 'Move' })).toBeVisible()
    await page.keyboard.press('m')
    const one = page.getByRole('dialog', { name: 'Move 1 bookmark' })
    await expect(one.getByRole('combobox', { name: 'Collection' })).toBeFocused()
    await page.keyboard.type('my v')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Moved 1 bookmark to My Vault.')).toBeVisible()
    await expect(page.getByRole('article')).toHaveCount(9)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByRole('article')).toHaveCount(10)
  })
})

test('bookmarks are dragged onto a collection, and the sidebar is a sheet on phones', async ({
  page,
  site,
}) => {
  const ana = await createAccount(site, 'ana')
  await saveFilms(site, ana, 3)
  const token = await logInForToken(site, ana)
  await call(httpTransport(site), createCollection, { body: { name: 'Noir' } }, token)
  await openSignedIn(page, site, ana, '/library')
  const sidebar = page.getByRole('complementary').getByRole('navigation', { name: 'Library' })
  const noir = sidebar.getByRole('link', { name: /^Noir/ })
  await expectAccessibleAtBothWidths(page)

  await test.step('one card is dragged', async () => {
    await cardOf(page, 'Film 3').dragTo(noir)
    await expect(page.getByText('Moved 1 bookmark to Noir.')).toBeVisible()
    await expect(cardOf(page, 'Film 3')).toContainText('Noir')
    await expect(noir).toHaveAccessibleName('Noir 1')
  })

  await test.step('a selected card is dragged with the others that are selected', async () => {
    await page.getByRole('button', { name: 'Select' }).click()
    await page.getByRole('checkbox', { name: 'Film 2' }).click()
    await page.getByRole('checkbox', { name: 'Film 1' }).click()
    await page.getByRole('checkbox', { name: 'Film 1' }).dragTo(noir)
    await expect(page.getByText('Moved 2 bookmarks to Noir.')).toBeVisible()
    await expect(noir).toHaveAccessibleName('Noir 3')
    await expect(page.getByRole('region', { name: 'Selection' })).toBeHidden()
  })

  await test.step('cards dropped on New collection ask for its name', async () => {
    await cardOf(page, 'Film 1').dragTo(sidebar.getByRole('button', { name: 'New collection' }))
    await page.getByRole('dialog', { name: 'Move 1 bookmark' }).getByRole('combobox').fill('Westerns')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Moved 1 bookmark to Westerns.')).toBeVisible()
    await expect(sidebar.getByRole('link', { name: 'Westerns 1' })).toBeVisible()
  })

  await test.step('a phone shows the collections in a sheet', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Collections' }).click()
    const sheet = page.getByRole('dialog', { name: 'Library' })
    await expectAccessible(page)
    await sheet.getByRole('link', { name: 'Westerns' }).click()
    await expect(page.getByRole('heading', { name: 'Westerns', level: 1 })).toBeVisible()
    await expect(sheet).toBeHidden()
    await expect(page.getByRole('article')).toHaveCount(1)
  })
})
