/** The uploader of a video: suggested destination, the page of the video, and the search for it. */
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { createCollection } from '@reelmark/contract/collections.ts'
import { extractMetadata } from '@reelmark/contract/extraction.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken, openSignedIn } from './accounts.ts'
import { type Account, expect, expectAccessible, test } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import type { Site } from './site-process.ts'

/** Extracts and saves a video into a new collection, as the form does. */
async function saveExtracted(site: Site, owner: Account, url: string, collection: string): Promise<void> {
  const http = httpTransport(site)
  const token = await logInForToken(site, owner)
  const { id } = await call(http, createCollection, { body: { name: collection } }, token)
  const { video } = await call(http, extractMetadata, { body: { url } }, token)
  const { source_url, title } = video
  const body = { video: { source_url, title, tags: ['sea'] }, bookmark: { collection_id: id } }
  await call(http, saveBookmark, { body }, token)
}

test('videos of an uploader are filed together, listed together, and found by name', async ({
  page,
  otherPage,
  site,
  websites: web,
}) => {
  const ana = await createAccount(site, 'ana')
  await saveExtracted(site, ana, web.uploaded[0], 'Harbours')

  await openSignedIn(page, site, ana, '/bookmarks/create?tab=url')
  await page.getByLabel('Video URL').fill(web.uploaded[1])
  await page.getByRole('button', { name: 'Extract Info' }).click()
  await expect(page.getByText('You filed videos of Coast Films in Harbours.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Use Harbours' }).click()
  await expect(page.getByText('You filed videos of')).toHaveCount(0)
  await page.getByLabel('Tags').fill('sea')
  await page.getByRole('button', { name: 'Save Bookmark' }).click()
  await page.getByRole('link', { name: 'View Bookmark' }).click()
  await expect(page.getByRole('heading', { name: 'The second harbour' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Channel on 127.0.0.1' })).toHaveAttribute(
    'href',
    'https://127.0.0.1/@coast',
  )
  const more = page.getByRole('region', { name: 'More from this channel' })
  // Similar videos may be shown below before the list is loaded, which then is no longer next to the footer.
  await expect(async () => {
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
    await page.getByRole('heading', { name: /Comments/ }).scrollIntoViewIfNeeded()
    await expect(more.getByRole('link', { name: 'The first harbour' })).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(more.getByRole('article')).toHaveCount(1)
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 900 })
  await expectAccessible(page)

  await otherPage.goto('/')
  const field = otherPage.getByRole('main').getByPlaceholder('Search')
  await field.fill('channel:"coast ')
  await field.press('f')
  await otherPage.getByRole('option', { name: 'Coast Films' }).click()
  await expect(field).toHaveValue('channel:"Coast Films" ')
  await field.press('Enter')
  await expect(otherPage).toHaveURL(/channel%3A%22Coast/)
  await expect(otherPage.getByRole('article')).toHaveCount(2)
})
