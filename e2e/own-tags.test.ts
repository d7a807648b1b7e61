/** The tags of a user's own bookmarks: listing, renaming, merging and deleting them, and undoing that. */
import type { Page } from '@playwright/test'
import { bulkUpdateBookmarks } from '@reelmark/contract/bookmark-changes.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken, openSignedIn, saveFilms } from './accounts.ts'
import { expect, expectAccessibleAtBothWidths, test } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'

const row = (page: Page, tag: string) =>
  page
    .getByRole('region', { name: 'Tags', exact: true })
    .getByRole('listitem')
    .filter({ has: page.getByRole('checkbox', { name: `Select ${tag}`, exact: true }) })

test.use({ hasTouch: true })

test('tags are filtered, renamed, merged and deleted across the vault, and every change can be undone', async ({
  page,
  site,
}) => {
  const ana = await createAccount(site, 'ana')
  await saveFilms(site, ana, 4)
  const token = await logInForToken(site, ana)
  const { results } = await call(
    httpTransport(site),
    listVideos,
    { query: { user: ana.username, sort: 'oldest' } },
    token,
  )
  const tag = (films: number[], ...tags: string[]) => {
    const ids = films.map((n) => results[n]?.id ?? 0)
    return call(httpTransport(site), bulkUpdateBookmarks, { body: { ids, action: 'tag', tags } }, token)
  }
  await tag([0, 1, 2], 'sea')
  await tag([1, 3], 'ocean', 'waves')
  await openSignedIn(page, site, ana, '/tags')

  await test.step('the list is filtered by typing', async () => {
    await expect(page.getByRole('checkbox')).toHaveCount(3)
    await expect(row(page, 'sea')).toContainText('3 bookmarks')
    await page.getByLabel('Filter tags').fill('ea')
    await expect(row(page, 'waves')).toHaveCount(0)
    await expect(page.getByRole('checkbox')).toHaveCount(2)
    await page.getByLabel('Filter tags').fill('')
    await page.getByLabel('Order').selectOption('Most used')
    await expect(page.getByRole('checkbox').first()).toHaveAccessibleName('Select sea')
  })

  await test.step('a tag is renamed by keyboard', async () => {
    await page.getByRole('button', { name: 'More about waves' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Rename tag' })
    await expect(dialog.getByLabel('New name')).toBeFocused()
    await expectAccessibleAtBothWidths(page)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('Big  Waves')
    await page.keyboard.press('Enter')
    await expect(page.getByText('“waves” is now “big waves”. 2 bookmarks changed.')).toBeVisible()
    await expect(row(page, 'big waves')).toContainText('2 bookmarks')
    await expect(row(page, 'waves')).toHaveCount(0)
  })

  await page.setViewportSize({ width: 390, height: 844 })
  await test.step('two tags are merged by touch on a phone, and restored by Undo', async () => {
    await page.getByRole('checkbox', { name: 'Select sea', exact: true }).tap()
    await page.getByRole('checkbox', { name: 'Select ocean', exact: true }).tap()
    await page.getByRole('button', { name: 'Merge' }).tap()
    const dialog = page.getByRole('dialog', { name: 'Merge 2 tags' })
    await expect(dialog.getByLabel('Merge into')).toHaveValue('sea')
    await dialog.getByRole('button', { name: 'Merge' }).tap()
    await expect(row(page, 'sea')).toContainText('4')
    await expect(row(page, 'ocean')).toHaveCount(0)
    await expectAccessibleAtBothWidths(page)
    await page.getByRole('button', { name: /^Undo: “(sea|ocean)”/ }).tap()
    await expect(row(page, 'ocean')).toContainText('2')
    await expect(row(page, 'sea')).toContainText('3')
  })

  await page.setViewportSize({ width: 1280, height: 900 })
  await test.step('a tag is deleted by mouse, and restored from the list of changes after a reload', async () => {
    await page.getByRole('button', { name: 'More about big waves' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expect(row(page, 'big waves')).toHaveCount(0)
    await page.reload()
    await page.getByRole('button', { name: 'Undo: “big waves” deleted.' }).click()
    await expect(row(page, 'big waves')).toContainText('2')
  })
})
