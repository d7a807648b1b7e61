/** Imports of files of other tools: upload, review, progress, report and undo. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { createAccount, openSignedIn } from './accounts.ts'
import { expect, expectAccessibleInBothThemes, test } from './fixtures.ts'

const browserBookmarks = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
  <DL><p><DT><H3>Short films</H3><DL><p>
    <DT><A HREF="https://vimeo.com/391?x=browser">A film from a browser</A>
    <DT><A HREF="https://example.org/notes">Notes on films</A>
    <DT><A HREF="javascript:alert(1)">A script</A>
  </DL><p></DL>`

/** Drops a file on the page's drop zone, as dragging it from another window does. */
async function dropFile(page: Page, name: string, content: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([fileName, text]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([text ?? ''], fileName ?? ''))
      return transfer
    },
    [name, content],
  )
  const zone = page.getByText('or drop it here')
  await zone.dispatchEvent('dragover', { dataTransfer })
  await zone.dispatchEvent('drop', { dataTransfer })
}

for (const width of [390, 1280]) {
  test(`browser bookmarks are reviewed, imported, reported and undone, at ${width} px`, async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    const ana = await createAccount(site)
    await openSignedIn(page, site, ana, '/settings/data')
    await expect(page.getByText('or drop it here')).toBeVisible()
    await dropFile(page, 'bookmarks.html', browserBookmarks)
    await expect(page).toHaveURL(/\/settings\/data\/imports\/\d+$/)
    await expect(page.getByRole('list').getByText('A film from a browser')).toBeVisible()
    await expect(page.getByText('1 link will be imported', { exact: false })).toBeVisible()
    await page.getByText("1 item can't be imported").click()
    await expectAccessibleInBothThemes(page)
    await page.getByLabel('Also import 1 other link').check()
    await page.reload()
    await expect(page.getByLabel('Also import 1 other link')).toBeChecked()
    await expect(page.getByText('2 links will be imported', { exact: false })).toBeVisible()

    await page.getByRole('button', { name: 'Start import' }).click()
    await expect(page.getByRole('button', { name: 'Start import' })).toBeHidden()
    // The import continues without the page that started it.
    const address = page.url()
    await page.goto('/settings/data')
    // Both links, and the collection for the folder.
    await expect(page.getByText('2 videos and 1 other item imported', { exact: false })).toBeVisible({
      timeout: 60_000,
    })
    await expectAccessibleInBothThemes(page)
    await page.getByRole('list', { name: 'Imports' }).getByRole('link').click()
    await expect(page).toHaveURL(address)
    const items = page.getByRole('list', { name: 'Items' })
    await expect(items.getByRole('link', { name: 'A film from a browser' })).toBeVisible()
    await expectAccessibleInBothThemes(page)

    await page.getByLabel('Show').selectOption({ label: "Couldn't be imported (1)" })
    await expect(items.getByText("Its link isn't the address of a web page.")).toBeVisible()
    await expect(items.getByRole('link')).toHaveCount(0)
    await page.reload()
    await expect(page.getByLabel('Show')).toHaveValue('rejected')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ])
    expect(await readFile(await download.path(), 'utf8')).toContain('A script')

    await page.getByRole('button', { name: 'Undo this import' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
    await expect(page.getByText('Import undone')).toBeVisible({ timeout: 60_000 })
    await page.goto('/trash')
    await expect(page.getByText('A film from a browser')).toBeVisible()
  })

  test(`the columns of a table are corrected by keyboard before it is imported, at ${width} px`, async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    await openSignedIn(page, site, await createAccount(site), '/settings/data')
    const table = 'link,caption,words\nhttps://vimeo.com/392,A film from a table,"sea, tide"\n'
    await page
      .getByLabel(/Choose a file/)
      .setInputFiles({ name: 'films.csv', mimeType: 'text/csv', buffer: Buffer.from(table) })
    await expect(page.getByLabel('Link')).toHaveValue('0')
    await expect(page.getByLabel('Title')).toHaveValue('')
    await page.getByLabel('Title').focus()
    await page.keyboard.type('2')
    await page.getByLabel('Tags').focus()
    await page.keyboard.type('3')
    await expect(page.getByRole('button', { name: 'Start import' })).toBeDisabled()
    await expectAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Apply columns' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('The file was read again: 1 video found.')).toBeVisible()
    await expect(page.getByRole('list').getByText('A film from a table')).toBeVisible()
    await page.getByRole('button', { name: 'Start import' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'A film from a table' }).click({ timeout: 60_000 })
    await expect(page.getByRole('link', { name: 'tide' })).toBeVisible()
  })
}

test('watched videos of another tool are added to the history if the user chooses them', async ({
  page,
  site,
}) => {
  await openSignedIn(page, site, await createAccount(site), '/settings/data')
  const watched = { _id: 'a', videoId: 'e2eHistory1', title: 'A watched film', timeWatched: 1700000000000 }
  await page.getByLabel(/Choose a file/).setInputFiles({
    name: 'freetube-history.db',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(JSON.stringify({ ...watched, watchProgress: 61 })),
  })
  await expect(page.getByRole('button', { name: 'Start import' })).toBeDisabled()
  await page.getByLabel('Add 1 watched video to your History').focus()
  await page.keyboard.press('Space')
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Start import' }).click()
  const items = page.getByRole('list', { name: 'Items' })
  await expect(items.getByText('Position in a video')).toBeVisible({ timeout: 60_000 })
  await page.goto('/history')
  await expect(page.getByRole('article').filter({ hasText: 'A watched film' })).toBeVisible()
})

test('a file that cannot be read is refused, and the next one is chosen; a review is discarded', async ({
  page,
  site,
  expectedNoise,
}) => {
  expectedNoise.push(/400/)
  await openSignedIn(page, site, await createAccount(site), '/settings/data')
  const choose = (name: string, text: string) =>
    page
      .getByLabel(/Choose a file/)
      .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) })
  await choose('odd.bin', '\0\0\0')
  await expect(page.getByRole('alert')).toBeFocused()
  await choose('links.txt', 'https://vimeo.com/393\nhttps://vimeo.com/394\n')
  await expect(page.getByText('2 links will be imported', { exact: false })).toBeVisible()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText('or drop it here')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Imports' })).toHaveCount(0)
})

test('the videos of a web address are found in the background, reviewed and imported', async ({
  page,
  site,
  websites,
}) => {
  await page.setViewportSize({ width: 390, height: 900 })
  await openSignedIn(page, site, await createAccount(site), '/settings/data')
  const address = page.getByRole('textbox', { name: 'Web address' })
  await page.getByRole('button', { name: 'Find videos' }).click()
  await expect(page.getByText('Enter the address of a list of videos.')).toBeVisible()
  await expect(address).toBeFocused()
  await address.fill(websites.nothing)
  await page.keyboard.press('Enter')
  await expect(page.getByText("We couldn't find videos at this address.")).toBeVisible({ timeout: 60_000 })
  await expectAccessibleInBothThemes(page)

  await page.getByRole('link', { name: 'Data', exact: true }).first().click()
  await address.fill(websites.list)
  await page.getByRole('button', { name: 'Find videos' }).click()
  await expect(page.getByText('2 links will be imported', { exact: false })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('list').getByText('The second film')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Start import' }).click()
  await expect(page.getByText('2 videos and 1 other item imported', { exact: false })).toBeVisible({
    timeout: 60_000,
  })
  await expect(page.getByText(/bookmarks to complete/)).toBeVisible()
  await expectAccessibleInBothThemes(page)
})
