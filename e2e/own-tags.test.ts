/** The tags of a user's own bookmarks: listing, renaming, merging and deleting them, and undoing that. */
import type { Page } from '@playwright/test'
import { bulkUpdateBookmarks } from '@reelmark/contract/bookmark-changes.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken, openSignedIn, saveFilms } from './accounts.ts'
import { activate, expect, expectAccessible, screens, test } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'

const row = (page: Page, tag: string) =>
  page
    .getByRole('region', { name: 'Tags', exact: true })
    .getByRole('listitem')
    .filter({ has: page.getByRole('checkbox', { name: `Select ${tag}`, exact: true }) })

for (const { name, device } of screens) {
  test.describe(name, () => {
    test.use(device)

    test('tags are filtered, renamed, merged and deleted across the vault, and every change can be undone', async ({
      page,
      site,
    }) => {
      const ana = await createAccount(site, 'ana')
      const { bookmark } = await saveFilms(site, ana, 5)
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
      await tag([4], 'waves')
      // Bookmarks in the trash are changed too, but not counted.
      await call(
        httpTransport(site),
        bulkUpdateBookmarks,
        { body: { ids: [bookmark], action: 'trash' } },
        token,
      )
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

      await test.step('a tag is renamed', async () => {
        await activate(page.getByRole('button', { name: 'More about waves' }), 'Enter')
        await activate(page.getByRole('menuitem', { name: 'Rename' }), 'Enter')
        const dialog = page.getByRole('dialog', { name: 'Rename tag' })
        await expect(dialog.getByLabel('New name')).toBeFocused()
        await expectAccessible(page)
        await dialog.getByLabel('New name').fill('Big  Waves')
        await activate(dialog.getByRole('button', { name: 'Rename' }), 'Enter')
        await expect(page.getByText('“waves” replaced by “big waves”. 2 bookmarks changed.')).toBeVisible()
        await expect(page.getByRole('heading', { name: 'Tags', exact: true })).toBeFocused()
        await expect(row(page, 'big waves')).toContainText('2 bookmarks')
        await expect(row(page, 'waves')).toHaveCount(0)
      })

      await test.step('two tags are merged, and restored by Undo', async () => {
        await activate(page.getByRole('checkbox', { name: 'Select sea', exact: true }), 'Space')
        await activate(page.getByRole('checkbox', { name: 'Select ocean', exact: true }), 'Space')
        await activate(page.getByRole('button', { name: 'Merge' }), 'Enter')
        const dialog = page.getByRole('dialog', { name: 'Merge 2 tags' })
        await expect(dialog.getByLabel('Merge into')).toHaveValue('sea')
        await activate(dialog.getByRole('button', { name: 'Merge' }), 'Enter')
        await expect(row(page, 'sea')).toContainText('4')
        await expect(row(page, 'ocean')).toHaveCount(0)
        await expectAccessible(page)
        await activate(page.getByRole('button', { name: /^Undo: “(sea|ocean)”/ }), 'Space')
        await expect(row(page, 'ocean')).toContainText('2')
        await expect(row(page, 'sea')).toContainText('3')
      })

      await test.step('a tag is deleted, and restored from the list of changes after a reload', async () => {
        await activate(page.getByRole('button', { name: 'More about big waves' }), 'mouse')
        await activate(page.getByRole('menuitem', { name: 'Delete' }), 'mouse')
        await expect(row(page, 'big waves')).toHaveCount(0)
        await page.reload()
        await activate(page.getByRole('button', { name: 'Undo: “big waves” deleted.' }), 'mouse')
        await expect(row(page, 'big waves')).toContainText('2')
      })
    })
  })
}
