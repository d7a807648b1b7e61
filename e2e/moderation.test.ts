/** A report from creation to decision and appeal, for reporter, owner, moderators and visitors. */
import { readFile } from 'node:fs/promises'
import type { APIResponse, Page } from '@playwright/test'
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { listCollections } from '@reelmark/contract/collections.ts'
import { listNotifications } from '@reelmark/contract/notifications.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAppeal, createReport, listOwnDecisions, type ReportType } from '@reelmark/contract/reports.ts'
import { createAccount, logInForToken, openSignedIn } from './accounts.ts'
import { type Account, expect, expectAccessible, test, uniqueName } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import { runAdmin, type Site } from './site-process.ts'

async function createModerator(site: Site, prefix: string): Promise<Account> {
  const account = await createAccount(site, prefix)
  await runAdmin(site, 'promote', account.username)
  return account
}

async function createFilm(site: Site, owner: Account) {
  const token = await logInForToken(site, owner)
  const { results } = await call(httpTransport(site), listCollections, { query: {} }, token)
  const name = uniqueName('film')
  const video = {
    source_url: `https://films.example.org/watch/${name}`,
    title: name,
    orientation: 'sfw' as const,
  }
  const bookmark = { channel_id: results[0]?.channels[0]?.id ?? 0 }
  return call(httpTransport(site), saveBookmark, { body: { video, bookmark } }, token)
}

type Film = Awaited<ReturnType<typeof createFilm>>

async function report(site: Site, reporter: Account, { id, video }: Film, report_type: ReportType) {
  const body = { video_id: video.id, bookmark_id: id, report_type, notes: 'Look at this' }
  return call(httpTransport(site), createReport, { body }, await logInForToken(site, reporter))
}

const statusFor = async (page: Page, { id }: Film) =>
  (await page.request.get(`/api/bookmarks/${id}/`)).status()

test('moderators decide reports by keyboard, and a granted appeal restores the video', async ({
  page,
  otherPage,
  site,
  expectedNoise,
}) => {
  // Five steps, each of which builds on the ones before.
  test.slow()
  // The second decision responds 409, and removed videos respond 404.
  expectedNoise.push(/404/, /409/)
  const [ana, ben, mo, una] = [
    await createAccount(site, 'ana'),
    await createAccount(site, 'ben'),
    await createModerator(site, 'mo'),
    await createModerator(site, 'una'),
  ]
  const [harmless, bad] = [await createFilm(site, ana), await createFilm(site, ana)]
  // Equally severe, so that the cases keep this order, and more severe than reports of other tests.
  await report(site, ben, harmless, 'non_consensual')
  await report(site, ben, bad, 'non_consensual')
  expect([await statusFor(page, harmless), await statusFor(page, bad)]).toEqual([404, 404])
  const filters = '/moderator?type=non_consensual'
  await openSignedIn(page, site, mo, filters)
  // Mo's page polls the case. It keeps getting the first response until Mo has to decide second.
  const frozen = `**/api/moderation/cases/video/${bad.video.id}/`
  let first: APIResponse | undefined
  await page.route(frozen, async (route) => {
    first ??= await route.fetch()
    await route.fulfill({ response: first })
  })
  const title = (film: Film) => page.getByRole('heading', { level: 2, name: film.video.title })

  await test.step('j and k move through the cases, and r rejects a report', async () => {
    await expect(page.getByRole('list', { name: 'Cases' }).getByRole('listitem')).toHaveCount(2)
    await page.keyboard.press('j')
    await expect(title(harmless)).toBeFocused()
    await page.keyboard.press('j')
    await expect(title(bad)).toBeFocused()
    await page.keyboard.press('k')
    await expect(title(harmless)).toBeFocused()
    await expect(page.getByText('Look at this')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('v')
    await expect(page.getByText('Report rejected. The content is visible again.')).toBeVisible()
    await expect(title(bad)).toBeFocused()
    expect(await statusFor(page, harmless)).toBe(200)
  })

  await test.step('o opens the orientation dialog, and w the warning dialog', async () => {
    await page.keyboard.press('o')
    await expect(page.getByRole('dialog', { name: 'Set orientation' })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.keyboard.press('w')
    await expect(page.getByRole('dialog', { name: `Warn ${ana.username}` })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  })

  await test.step('a second moderator sees the claim, takes over and removes the video for everyone', async () => {
    await openSignedIn(otherPage, site, una, `${filters}&case=video-${bad.video.id}`)
    await expect(otherPage.getByText(`${mo.username} is reviewing this`).first()).toBeVisible()
    await expect(otherPage.getByRole('button', { name: 'Remove video' })).toBeDisabled()
    await expectAccessible(otherPage)
    await otherPage.getByRole('button', { name: 'Take over' }).press('Enter')
    await expect(otherPage.getByRole('button', { name: 'Remove video' })).toBeEnabled()
    await otherPage.keyboard.press('d')
    await expect(otherPage.getByText(`Removed “${bad.video.title}”.`)).toBeVisible()
    await expect(otherPage.getByText('No cases match these filters')).toBeVisible()
    const anas = await logInForToken(site, ana)
    const own = await page.request.get(`/api/bookmarks/${bad.id}/`, { headers: anas })
    expect([await statusFor(page, bad), own.status()]).toEqual([404, 404])
  })

  await test.step('the moderator who decides second sees that the case is already decided', async () => {
    await expect(title(bad)).toBeVisible()
    await page.unroute(frozen)
    await page.keyboard.press('d')
    await expect(page.getByRole('alert')).toContainText('Another moderator already resolved this case.')
    await expect(page.getByText('Removed', { exact: true }).first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Remove video' })).toBeDisabled()
    await expectAccessible(page)
  })

  await test.step('the owner is notified and appeals, and only the other moderator can decide the appeal', async () => {
    const anas = await logInForToken(site, ana)
    const notifications = await call(httpTransport(site), listNotifications, { query: {} }, anas)
    expect(notifications.results.map(({ decision }) => decision?.action)).toContain('remove')
    const { results } = await call(httpTransport(site), listOwnDecisions, { query: {} }, anas)
    const removal = results.find(({ action }) => action === 'remove')
    const body = { text: 'All of them agreed' }
    await call(httpTransport(site), createAppeal, { params: { id: removal?.id ?? 0 }, body }, anas)

    const findAppeal = (window: Page) => window.getByRole('article', { name: `Appeal by ${ana.username}` })
    await otherPage.getByRole('link', { name: 'Appeals' }).press('Enter')
    await expect(
      findAppeal(otherPage).getByText('You made this decision, so another moderator must review'),
    ).toBeVisible()
    await expectAccessible(otherPage)
    await page.getByRole('link', { name: 'Appeals' }).press('Enter')
    await expect(findAppeal(page).getByText('All of them agreed')).toBeVisible()
    await findAppeal(page).getByLabel('Answer').fill('You are right.')
    await findAppeal(page).getByRole('button', { name: 'Grant' }).press('Enter')
    await expect(findAppeal(page)).toHaveCount(0)
    expect(await statusFor(page, bad)).toBe(200)
  })

  await test.step('a user is suspended from their history page, and the audit log records it', async () => {
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(`/moderator/users?q=${ana.username}`)
    await page.getByRole('link', { name: ana.username }).press('Enter')
    await expect(page.getByRole('heading', { level: 2, name: ana.username })).toBeVisible()
    await expect(page.getByText('Reversed')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Suspend' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: `Suspend ${ana.username}` })
    await dialog.getByLabel('Message to the user').fill('A week to cool down')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Suspend' }).press('Enter')
    await expect(page.getByText(/^Suspended until/)).toBeVisible()
    await page.goto(`/moderator/log?actor=${mo.username}`)
    await expect(page.getByRole('list', { name: 'Log' })).toContainText('suspend')
    await expectAccessible(page)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export as CSV' }).press('Enter')
    const lines = await readFile(await (await download).path(), 'utf8')
    expect(lines).toContain('A week to cool down')
    await page.goto('/moderator/statistics')
    await expect(page.getByText('Median time')).toBeVisible()
  })
})
