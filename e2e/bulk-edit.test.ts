/** Bulk editing of own bookmarks by keyboard, mouse and touch, and the trash. */
import type { Page } from '@playwright/test'
import { createAccount, openSignedIn, saveFilms } from './accounts.ts'
import {
  activate,
  expect,
  expectAccessible,
  expectAccessibleAtBothWidths,
  screens,
  test,
} from './fixtures.ts'

const findCard = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })
const selectionCount = (page: Page) => page.getByRole('region', { name: 'Selection' }).getByRole('status')

test('selected bookmarks are moved, tagged, made private, deleted and restored by keyboard', async ({
  page,
  site,
}) => {
  const ana = await createAccount(site, 'ana')
  await saveFilms(site, ana, 27)
  await openSignedIn(page, site, ana, `/users/${ana.username}`)
  const press = (key: string) => page.keyboard.press(key)

  await test.step('cards on two pages are selected with Space, arrow keys and Shift', async () => {
    await page.getByRole('button', { name: 'Select' }).focus()
    await press('Enter')
    await expect(findCard(page, 'Film 27')).toBeFocused()
    await press('Space')
    await press('ArrowRight')
    await press('ArrowRight')
    await press('Shift+ArrowRight')
    await expect(selectionCount(page)).toHaveText('3 bookmarks selected')
    await press('Shift+ArrowLeft')
    await expect(selectionCount(page)).toHaveText('2 bookmarks selected')
    await press('ControlOrMeta+a')
    await expect(selectionCount(page)).toHaveText('25 bookmarks selected')
    await page.getByRole('button', { name: 'Deselect all' }).focus()
    await press('Enter')
    await expect(findCard(page, 'Film 25')).toBeFocused()
    await expect(selectionCount(page)).toHaveText('0 bookmarks selected')
    await press('Home')
    await press('Space')
    await press('ArrowRight')
    await press('Shift+Space')
    await page.getByRole('link', { name: 'Next' }).focus()
    await press('Enter')
    await findCard(page, 'Film 1').focus()
    await press('Space')
    await expect(selectionCount(page)).toHaveText('3 bookmarks selected')
  })

  await test.step('the selection is moved to a new collection', async () => {
    // The actions come directly after the cards in tab order.
    for (let stop = 0; stop < 4; stop++) {
      await press('Tab')
      const move = page.getByRole('button', { name: 'Move…' })
      if (await move.evaluate((element) => element === document.activeElement)) break
    }
    await press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Move 3 bookmarks' })
    await expect(dialog.getByRole('combobox', { name: 'Collection' })).toBeFocused()
    await page.keyboard.type('Films')
    await expectAccessible(page)
    await press('Enter')
    await expect(dialog).toBeHidden()
    await expect(page.getByText('Moved 3 bookmarks to Films.')).toBeVisible()
    await expect(selectionCount(page)).toHaveText('0 bookmarks selected')
  })

  await test.step('a selection is tagged and made private', async () => {
    await findCard(page, 'Film 1').focus()
    await press('Space')
    await page.getByRole('link', { name: 'Previous' }).focus()
    await press('Enter')
    await findCard(page, 'Film 27').focus()
    await press('Space')
    await findCard(page, 'Film 26').focus()
    await press('Space')
    await expect(selectionCount(page)).toHaveText('3 bookmarks selected')
    await page.getByRole('button', { name: 'Add tags…' }).focus()
    await press('Enter')
    await expect(page.getByRole('dialog').getByLabel('Tags')).toBeFocused()
    await page.keyboard.type('short, kept')
    await press('Enter')
    await expect(page.getByText('2 tags added to 3 bookmarks.')).toBeVisible()
    await page.getByRole('button', { name: 'Access…' }).focus()
    await press('Enter')
    await page.getByRole('button', { name: 'Make private' }).focus()
    await press('Enter')
    await expect(page.getByText('3 bookmarks made private.')).toBeVisible()
    await expect(findCard(page, 'Film 27')).toHaveAccessibleDescription(/Private/)
  })

  await test.step('the selection is deleted, and restored with Undo and Ctrl+Z', async () => {
    await page.getByRole('button', { name: 'Delete' }).focus()
    await press('Enter')
    await expect(findCard(page, 'Film 27')).toHaveCount(0)
    await expect(selectionCount(page)).toHaveText('0 bookmarks selected')
    await expect(page.getByText('3 bookmarks deleted.')).toBeVisible()
    await press('ControlOrMeta+z')
    await expect(page.getByText('Undone.')).toBeVisible()
    await page.getByRole('button', { name: 'Dismiss' }).last().focus()
    await press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
    await page.getByRole('button', { name: 'Done' }).focus()
    await press('Escape')
    await expect(page.getByRole('button', { name: 'Select' })).toBeFocused()
    await page.goto(`/users/${ana.username}`)
    await expect(page.getByRole('article').first()).toContainText('Film 27')
    await page.getByRole('link', { name: 'Film 27' }).click()
    await expect(page.getByRole('main').getByRole('link', { name: 'kept' })).toBeVisible()
    await expect(page.getByRole('main').getByText('Private', { exact: true })).toBeVisible()
  })
})

for (const { name, device } of screens)
  test.describe(name, () => {
    test.use(device)

    test('bookmarks are selected on their cards and moved to a new collection', async ({ page, site }) => {
      const ana = await createAccount(site, 'ana')
      await saveFilms(site, ana, 3)
      await openSignedIn(page, site, ana, `/users/${ana.username}`)
      // On phones, the tools of a profile's list are behind a button.
      if (device.isMobile) await page.getByRole('button', { name: 'Search and filters' }).tap()
      await activate(page.getByRole('button', { name: 'Select' }), 'mouse')
      for (const film of ['Film 3', 'Film 1', 'Film 2', 'Film 1'])
        await activate(findCard(page, film), 'mouse')
      await expect(selectionCount(page)).toHaveText('2 bookmarks selected')
      await activate(page.getByRole('button', { name: /^Move(…|$)/ }), 'mouse')
      const dialog = page.getByRole('dialog', { name: 'Move 2 bookmarks' })
      await dialog.getByRole('combobox', { name: 'Collection' }).fill('Evenings')
      await activate(
        dialog.getByRole('option', { name: 'Create public collection “Evenings” and move 2 bookmarks' }),
        'mouse',
      )
      await expect(page.getByText('Moved 2 bookmarks to Evenings.')).toBeVisible()
      await expect(selectionCount(page)).toHaveText('0 bookmarks selected')
    })
  })

test('deleted bookmarks are restored from the trash or deleted permanently', async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 900 })
  const ana = await createAccount(site, 'ana')
  await saveFilms(site, ana, 5)
  await openSignedIn(page, site, ana, `/users/${ana.username}`)
  await page.getByRole('button', { name: 'Search and filters' }).click()
  await page.getByRole('button', { name: 'Select' }).click()
  await findCard(page, 'Film 4').click()
  await findCard(page, 'Film 1').click({ modifiers: ['Shift'] })
  await expect(selectionCount(page)).toHaveText('4 bookmarks selected')
  await expectAccessibleAtBothWidths(page)
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('4 bookmarks deleted.')).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(1)

  await page.getByRole('link', { name: 'Trash' }).click()
  await expect(page).toHaveURL('/trash')
  await expect(page.getByText('30 days left')).toHaveCount(4)
  await page.getByRole('button', { name: 'Restore Film 3' }).click()
  await expect(page.getByText('1 bookmark restored to My Vault, General.')).toBeVisible()
  await expect(findCard(page, 'Film 3')).toHaveCount(0)
  await page.getByRole('button', { name: 'Delete permanently: Film 4' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click()
  await expect(findCard(page, 'Film 4')).toHaveCount(0)

  // Saved again in the meantime, the bookmark cannot be restored; the dialog says why.
  await saveFilms(site, ana, 1)
  await page.getByRole('button', { name: /^Select all/ }).click()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  const problem = page.getByRole('dialog', { name: "Couldn't restore 1 bookmark" })
  await expect(problem.getByText('Already in that collection.')).toBeVisible()
  await expectAccessibleAtBothWidths(page)
  await problem.getByRole('button', { name: 'OK' }).click()
  await page.getByRole('button', { name: 'Empty trash' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Empty trash' }).click()
  await expect(page.getByText('Deleted bookmarks appear here for 30 days.')).toBeVisible()
  await page.getByRole('link', { name: 'Your bookmarks' }).click()
  await expect(page.getByRole('article')).toHaveCount(4)
})
