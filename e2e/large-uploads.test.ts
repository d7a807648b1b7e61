/** Large files are uploaded in chunks, which continue after a lost connection, on other pages and after a reload. */
import { writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { createAccount, openSignedIn } from './accounts.ts'
import { expect, expectAccessibleInBothThemes, test } from './fixtures.ts'

/** A bookmark file of three chunks: its descriptions are cut when it is read. */
const bookmarks = Array.from(
  { length: 5 },
  (_, n) => `<DT><A HREF="https://vimeo.com/${880 + n}">Film ${n}</A>\n<DD>${'words '.repeat(175_000)}\n`,
)
const content = `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${bookmarks.join('')}</DL><p>\n`
const chunks = '**/api/transfer/uploads/*/chunks/**'

/** Writes the file to a folder of the test. An upload continues only if the file was not changed since. */
async function writeBookmarks(): Promise<string> {
  const file = test.info().outputPath('bookmarks.html')
  await writeFile(file, content)
  return file
}
const choose = (page: Page, file: string) => page.getByLabel(/Choose a file/).setInputFiles(file)

/** Lets chunks arrive only until the connection is lost, and returns a function that restores it. */
async function loseConnectionAfter(page: Page, count: number): Promise<() => Promise<void>> {
  let sent = 0
  await page.route(chunks, async (route) => {
    sent += 1
    if (sent > count) await route.abort('connectionreset')
    else await route.continue()
  })
  return () => page.unroute(chunks)
}

test('an upload waits for a lost connection, and its progress is shown on other pages', async ({
  page,
  site,
  expectedNoise,
}) => {
  expectedNoise.push(/ERR_CONNECTION_RESET/)
  await page.setViewportSize({ width: 320, height: 700 })
  await openSignedIn(page, site, await createAccount(site), '/settings/data')
  const file = await writeBookmarks()
  const restore = await loseConnectionAfter(page, 1)
  await choose(page, file)
  const card = page.getByRole('region', { name: 'Upload of bookmarks.html' })
  await expect(card.getByText('The connection was lost.', { exact: false })).toBeVisible()
  await expectAccessibleInBothThemes(page)

  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Privacy' }).click()
  const notice = page.getByRole('complementary', { name: 'Upload' })
  await expect(notice.getByRole('link', { name: /^Waiting for a connection: bookmarks.html/ })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await restore()
  await page.getByRole('link', { name: 'Review' }).click({ timeout: 60_000 })
  await expect(page.getByText('5 links will be imported', { exact: false })).toBeVisible()
  await expect(notice).toBeHidden()
})

test('an interrupted upload continues after a reload where it stopped, or is discarded', async ({
  page,
  site,
  expectedNoise,
}) => {
  expectedNoise.push(/ERR_CONNECTION_RESET/)
  page.on('dialog', (dialog) => dialog.accept())
  await openSignedIn(page, site, await createAccount(site), '/settings/data')
  const file = await writeBookmarks()
  const restore = await loseConnectionAfter(page, 1)
  await choose(page, file)
  await expect(page.getByText('The connection was lost.', { exact: false })).toBeVisible()
  await page.reload()
  await expect(page.getByText('bookmarks.html: 2.1 MB of 5.3 MB uploaded.', { exact: false })).toBeVisible()
  await expectAccessibleInBothThemes(page)

  await restore()
  const offsets: (string | null)[] = []
  page.on('request', (request) => {
    if (request.url().includes('/chunks/')) offsets.push(new URL(request.url()).searchParams.get('offset'))
  })
  await choose(page, file)
  await expect(page.getByText('5 links will be imported', { exact: false })).toBeVisible({ timeout: 60_000 })
  expect(offsets).toEqual(['2097152', '4194304'])
  await page.getByRole('button', { name: 'Discard' }).click()

  const lose = await loseConnectionAfter(page, 1)
  await choose(page, file)
  await expect(page.getByText('The connection was lost.', { exact: false })).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText('Unfinished upload')).toBeHidden()
  await lose()
})
