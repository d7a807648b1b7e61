/** Many bookmarks of one's own at once, by the keyboard alone; and the trash. */
import type { Page } from '@playwright/test'
import { anAccount, logInBy, saveFilms } from './people.ts'
import { expect, expectAccessible, test } from './test.ts'

const card = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })
const picked = (page: Page) => page.getByRole('region', { name: 'Selection' }).getByRole('status')

test('three are picked, moved, tagged, made private, deleted and brought back by the keyboard alone', async ({
  page,
  site,
}) => {
  const ana = await anAccount(site, 'ana')
  await saveFilms(site, ana, 27)
  await page.goto('/login')
  await logInBy(page, ana)
  await expect(page).toHaveURL(`/users/${ana.username}`)
  const key = (name: string) => page.keyboard.press(name)

  await test.step('cards are picked with Space, arrows and Shift, over two pages', async () => {
    await page.getByRole('button', { name: 'Select' }).focus()
    await key('Enter')
    await expect(card(page, 'Film 27')).toBeFocused()
    await key('Space')
    await key('ArrowRight')
    await key('ArrowRight')
    await key('Shift+ArrowRight')
    await expect(picked(page)).toHaveText('3 bookmarks selected')
    await key('Shift+ArrowLeft')
    await expect(picked(page)).toHaveText('2 bookmarks selected')
    await key('ControlOrMeta+a')
    await expect(picked(page)).toHaveText('25 bookmarks selected')
    await page.getByRole('button', { name: 'Clear' }).focus()
    await key('Enter')
    await expect(card(page, 'Film 25')).toBeFocused()
    await expect(picked(page)).toHaveText('0 bookmarks selected')
    await key('Home')
    await key('Space')
    await key('ArrowRight')
    await key('Shift+Space')
    await page.getByRole('link', { name: 'Next' }).focus()
    await key('Enter')
    await card(page, 'Film 1').focus()
    await key('Space')
    await expect(picked(page)).toHaveText('3 bookmarks selected')
    await expectAccessible(page)
  })

  await test.step('they are moved into a new collection', async () => {
    // The next stop after the cards.
    for (let stop = 0; stop < 4; stop++) {
      await key('Tab')
      if (await page.getByRole('button', { name: 'Move…' }).evaluate((one) => one === document.activeElement))
        break
    }
    await key('Enter')
    const dialog = page.getByRole('dialog', { name: 'Move 3 bookmarks' })
    await dialog.getByRole('button', { name: 'New collection' }).focus()
    await key('Enter')
    await page.keyboard.type('Films')
    await key('Enter')
    await expect(dialog.getByLabel('Collection', { exact: true })).toHaveValue(/\d/)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Move', exact: true }).focus()
    await key('Enter')
    await expect(dialog).toBeHidden()
    await expect(page.getByText('3 bookmarks moved to Films.')).toBeVisible()
    await expect(picked(page)).toHaveText('3 bookmarks selected')
  })

  await test.step('tagged, and made private', async () => {
    await page.getByRole('button', { name: 'Add tags…' }).focus()
    await key('Enter')
    await expect(page.getByRole('dialog').getByLabel('Tags')).toBeFocused()
    await page.keyboard.type('short, kept')
    await key('Enter')
    await expect(page.getByText('2 tags added to 3 bookmarks.')).toBeVisible()
    await page.getByRole('button', { name: 'Access…' }).focus()
    await key('Enter')
    await page.getByRole('button', { name: 'Make private' }).focus()
    await key('Enter')
    await expect(page.getByText('3 bookmarks made private.')).toBeVisible()
    await expect(card(page, 'Film 1')).toHaveAccessibleDescription(/Private/)
  })

  await test.step('deleted, and brought back by Undo and by Ctrl Z', async () => {
    await page.getByRole('button', { name: 'Delete' }).focus()
    await key('Enter')
    await expect(card(page, 'Film 1')).toHaveCount(0)
    await expect(picked(page)).toHaveText('0 bookmarks selected')
    await expect(page.getByText('3 bookmarks deleted.')).toBeVisible()
    await key('ControlOrMeta+z')
    await expect(page.getByText('Undone.')).toBeVisible()
    await page.getByRole('button', { name: 'Done' }).focus()
    await key('Escape')
    await expect(page.getByRole('button', { name: 'Select' })).toBeFocused()
    await page.goto(`/users/${ana.username}`)
    await expect(page.getByRole('article').first()).toContainText('Film 27')
    await page.getByRole('link', { name: 'Film 27' }).click()
    await expect(page.getByRole('main').getByRole('link', { name: 'kept' })).toBeVisible()
    await expect(page.getByRole('main').getByText('Private', { exact: true })).toBeVisible()
  })
})

for (const width of [390, 1280]) {
  test(`what was deleted is restored from the trash, or goes for good (${width} px)`, async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    const ana = await anAccount(site, 'ana')
    await saveFilms(site, ana, 5)
    await page.goto('/login')
    await logInBy(page, ana)
    await expect(page).toHaveURL(`/users/${ana.username}`)
    await page.getByRole('button', { name: 'Select' }).click()
    await card(page, 'Film 4').click()
    await card(page, 'Film 1').click({ modifiers: ['Shift'] })
    await expect(picked(page)).toHaveText('4 bookmarks selected')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('4 bookmarks deleted.')).toBeVisible()
    await expect(page.getByRole('article')).toHaveCount(1)

    await page.getByRole('link', { name: 'Trash' }).click()
    await expect(page).toHaveURL('/trash')
    await expect(page.getByText('30 days left')).toHaveCount(4)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Restore Film 3' }).click()
    await expect(page.getByText('1 bookmark restored to My Vault, General.')).toBeVisible()
    await expect(card(page, 'Film 3')).toHaveCount(0)
    await page.getByRole('button', { name: 'Delete now: Film 4' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click()
    await expect(card(page, 'Film 4')).toHaveCount(0)

    // Saved again meanwhile, it cannot come back; it says where it is.
    await saveFilms(site, ana, 1)
    await page.getByRole('button', { name: /^Select all/ }).click()
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    const problem = page.getByRole('dialog', { name: '1 bookmark could not be restored' })
    await expect(problem.getByText('You have this video in that place already.')).toBeVisible()
    await expectAccessible(page)
    await problem.getByRole('button', { name: 'OK' }).click()
    await page.getByRole('button', { name: 'Empty trash' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Empty trash' }).click()
    await expect(page.getByText('Bookmarks that you delete can be restored from here.')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Your bookmarks' }).click()
    await expect(page.getByRole('article')).toHaveCount(4)
  })
}
