/** A video that is gone from its host: the mark on its card, its page, the search for it, and the progress of the checks. */
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { listCollections } from '@reelmark/contract/collections.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { connect } from '@reelmark/server/core/database/database.ts'
import { startEmbeddedPostgres } from '@reelmark/server/core/embedded-postgres/embedded-postgres.ts'
import { createAccount, logInForToken, openSignedIn } from './accounts.ts'
import { type Account, expect, expectAccessible, test } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import { runAdmin, type Site } from './site-process.ts'

/** Saves a film and returns its bookmark and video. */
async function saveFilm(site: Site, owner: Account, host: string, title: string, path = owner.username) {
  const http = httpTransport(site)
  const token = await logInForToken(site, owner)
  const { results } = await call(http, listCollections, { query: {} }, token)
  const channel_id = results[0]?.channels[0]?.id ?? 0
  const video = {
    source_url: `https://${host}/${path}`,
    title,
    duration: 754,
    orientation: 'sfw' as const,
  }
  const { id, video: saved } = await call(
    http,
    saveBookmark,
    { body: { video, bookmark: { channel_id } } },
    token,
  )
  return { id, videoId: saved.id }
}

/** Stores what the job stores after failed checks on three days. */
async function markAsMissing({ dataDir }: Site, videoId: number): Promise<void> {
  const embedded = await startEmbeddedPostgres({ dataDir, log: { info() {}, warn() {} } })
  const db = connect(embedded.ownerUrl, { max: 1 })
  await db`
    update videos set missing_since = '2026-03-02T12:00:00Z', missing_found_at = now(),
                      missing_since_bookmark_id = lead_bookmark_id, missing_confirmed_bookmark_id = lead_bookmark_id
     where id = ${videoId}`
  await db.end({ timeout: 5 })
  await embedded.stop()
}

for (const width of [320, 1280]) {
  test(`a gone video keeps its page and says where else it is, at ${width} px`, async ({ page, site }) => {
    await page.setViewportSize({ width, height: 900 })
    const ana = await createAccount(site, 'ana')
    const ben = await createAccount(site, 'ben')
    const title = `The last ferry ${width}`
    const missing = await saveFilm(site, ana, 'first.example.org', title)
    const other = await saveFilm(site, ben, 'second.example.org', title)
    await saveFilm(site, ana, 'third.example.org', 'Still there')
    await markAsMissing(site, missing.videoId)

    await openSignedIn(page, site, ana, '/explore?q=is%3Agone')
    const card = page.getByRole('article').filter({ hasText: title })
    await expect(card.getByText('Gone', { exact: true })).toBeVisible()
    await expect(page.getByRole('article')).toHaveCount(1)
    await expectAccessible(page)
    await card.getByRole('link', { name: title }).click()
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page.getByText('Gone from first.example.org')).toBeVisible()
    await expect(page.getByText(/^Gone since .*2026/)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Wayback Machine' })).toHaveAttribute(
      'href',
      `https://web.archive.org/web/https://first.example.org/${ana.username}`,
    )
    await expectAccessible(page)
    await page.getByRole('link', { name: 'second.example.org', exact: true }).click()
    await expect(page).toHaveURL(`/bookmarks/${other.id}`)
    await expect(page.getByRole('link', { name: 'View on second.example.org' })).toBeVisible()
    await expect(page.getByText(/^Gone from/)).toHaveCount(0)
  })
}

test.describe('of an own bookmark', () => {
  // The link that is refused.
  test.use({ expectedNoise: [/status of 400/] })

  test('the owner replaces the link of a gone video', async ({ page, site, websites: web }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    const ana = await createAccount(site, 'ana')
    const missing = await saveFilm(site, ana, 'first.example.org', 'The last ferry')
    await markAsMissing(site, missing.videoId)
    await openSignedIn(page, site, ana, `/bookmarks/${missing.id}`)
    await page.getByRole('button', { name: 'Replace the link' }).click()
    const dialog = page.getByRole('dialog', { name: 'Replace the link' })
    await expect(dialog.getByRole('textbox', { name: 'Link' })).toBeFocused()
    await expectAccessible(page)
    await dialog.getByRole('textbox', { name: 'Link' }).fill('https://127.0.0.1.invalid/')
    await dialog.getByRole('button', { name: 'Replace' }).click()
    await expect(dialog.getByRole('textbox', { name: 'Link' })).toHaveAttribute('aria-invalid', 'true')
    await dialog.getByRole('textbox', { name: 'Link' }).fill(web.film)
    await dialog.getByRole('button', { name: 'Replace' }).click()
    await expect(page.getByText('Link replaced.')).toBeVisible()
    await expect(page.getByText(/^Gone from/)).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1, name: 'The last ferry' })).toBeVisible()
    await expect(page.getByRole('link', { name: /^View on 127/ })).toBeVisible()
  })
})

test('a saver proposes a link for everyone, the first saver agrees, and another saver returns to the old link', async ({
  page,
  otherPage: phone,
  site,
  websites: web,
}) => {
  test.slow()
  const ana = await createAccount(site, 'ana')
  const ben = await createAccount(site, 'ben')
  const missing = await saveFilm(site, ana, 'first.example.org', 'The last ferry')
  const ofBen = await saveFilm(site, ben, 'first.example.org', 'Night boat', ana.username)
  await markAsMissing(site, missing.videoId)

  await openSignedIn(page, site, ben, `/bookmarks/${ofBen.id}`)
  await page.getByRole('button', { name: 'Replace the link' }).click()
  const dialog = page.getByRole('dialog', { name: 'Replace the link' })
  await dialog.getByRole('textbox', { name: 'Link' }).fill(web.film)
  await dialog.getByLabel(/^For everyone who saved it/).check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Propose' }).click()
  await expect(page.getByText("Link proposed. We'll notify you of the decision.")).toBeVisible()

  await phone.setViewportSize({ width: 390, height: 844 })
  await openSignedIn(phone, site, ana, '/notifications')
  const proposed = phone.getByRole('listitem').filter({ hasText: 'Someone proposes another link' })
  await proposed.getByRole('link', { name: 'The last ferry' }).click()
  const proposals = phone.getByRole('region', { name: 'Proposed links' })
  await expect(proposals.getByRole('link')).toHaveAttribute('href', web.film)
  await expectAccessible(phone)
  await proposals.getByRole('button', { name: 'Use it for everyone' }).click()
  await expect(phone.getByText(/^Link replaced for everyone/)).toBeVisible()
  await expect(proposals).toHaveCount(0)
  await expect(phone.getByRole('button', { name: 'Replace the link' })).toBeFocused()

  // A job moves the bookmarks.
  await expect(async () => {
    await page.goto('/notifications')
    await expect(page.getByText(/^The link of Night boat was replaced by/)).toBeVisible({ timeout: 5000 })
  }).toPass()
  await page.getByRole('link', { name: 'Night boat' }).click()
  await expect(page.getByText(/^The link of this video was replaced for everyone/)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Return to the old link' }).click()
  await expect(page.getByRole('link', { name: 'View on first.example.org' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Return to the old link' })).toHaveCount(0)
})

test('moderators see the progress of the checks', async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const mo = await createAccount(site, 'mo')
  await runAdmin(site, 'promote', mo.username)
  await openSignedIn(page, site, mo, '/moderator/links')
  await expect(page.getByText('In 30 days')).toBeVisible()
  const tab = page.getByRole('link', { name: 'Links' })
  await expect(tab).toHaveAttribute('aria-current', 'page')
  await page.goto('/moderator')
  await expect(tab).toBeInViewport({ ratio: 1 })
})
