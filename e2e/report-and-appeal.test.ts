/** Reporting a video, appealing against the decision, and a moderator's actions on the video's page. */
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { listCollections } from '@reelmark/contract/collections.ts'
import { approveReport } from '@reelmark/contract/decisions.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createReport } from '@reelmark/contract/reports.ts'
import { createAccount, logInForToken, logInThroughForm, openSignedIn } from './accounts.ts'
import { type Account, chooseAction, expect, expectAccessible, test, uniqueName } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import { runAdmin, type Site } from './site-process.ts'

async function createBookmark(
  site: Site,
  owner: Account,
): Promise<{ path: string; title: string; video_id: number }> {
  const token = await logInForToken(site, owner)
  const { results } = await call(httpTransport(site), listCollections, { query: {} }, token)
  const name = uniqueName('film')
  const title = `Doubtful ${name}`
  const body = {
    video: { source_url: `https://films.example.org/watch/${name}`, title, tags: [name] },
    bookmark: { collection_id: results[0]?.id ?? 0, channel_id: null },
  }
  const { id, video } = await call(httpTransport(site), saveBookmark, { body }, token)
  return { path: `/bookmarks/${id}`, title, video_id: video.id }
}

/** Gives a user standing, so that a report of theirs hides a video at once: a moderator approves another report of theirs. */
async function grantStanding(site: Site, reporter: Account): Promise<void> {
  const [owner, moderator] = [await createAccount(site), await createAccount(site, 'mod')]
  await runAdmin(site, 'promote', moderator.username)
  const { video_id } = await createBookmark(site, owner)
  const report = { body: { video_id, report_type: 'broken_source' as const } }
  const { id } = await call(httpTransport(site), createReport, report, await logInForToken(site, reporter))
  const approval = { body: { report_id: id } }
  await call(httpTransport(site), approveReport, approval, await logInForToken(site, moderator))
}

test('a video is reported by keyboard, and its owner reads the reason and appeals', async ({
  page,
  otherPage,
  site,
  expectedNoise,
}) => {
  // The page of a hidden bookmark is first rendered for a visitor, for whom it responds 404.
  expectedNoise.push(/404/)
  await page.setViewportSize({ width: 390, height: 800 })
  const [ana, bo] = [await createAccount(site, 'ana'), await createAccount(site, 'bo')]
  await grantStanding(site, ana)
  const { path, title } = await createBookmark(site, bo)

  await test.step('a visitor is sent to log in and back, and reports the video', async () => {
    await page.goto(path)
    await chooseAction(page, 'Report')
    await expect(page).toHaveURL(`/login?redirect=${encodeURIComponent(path)}`)
    await logInThroughForm(page, ana)
    await expect(page).toHaveURL(path)
    await chooseAction(page, 'Report')
    const dialog = page.getByRole('dialog', { name: 'Report Video/Bookmark' })
    await expect(dialog.getByRole('radio').first()).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('alert')).toHaveText('Please select a reason.')
    await expect(dialog.getByRole('radio').first()).toBeFocused()
    for (let presses = 0; presses < 7; presses++) await page.keyboard.press('ArrowDown')
    await expect(dialog.getByRole('radio', { name: 'Spam or a scam' })).toBeChecked()
    await page.keyboard.press('Tab')
    await page.keyboard.type('Sells something')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(dialog.getByRole('button', { name: 'Submit Report' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('status')).toContainText('now hidden pending admin review')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    const actions = page.getByRole('group', { name: 'Actions' })
    await actions.getByRole('button', { name: 'More actions' }).press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Collectors' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Report' })).toHaveCount(0)
    await page.keyboard.press('Escape')
  })

  await test.step('the owner reads the reason and appeals', async () => {
    await openSignedIn(otherPage, site, bo, path)
    await expect(otherPage.getByText('Hidden pending review')).toBeVisible()
    await expect(otherPage.getByText(/It was reported as spam/)).toBeVisible()
    await expectAccessible(otherPage)
    await otherPage.getByRole('link', { name: 'View decision or appeal' }).press('Enter')
    await expect(otherPage).toHaveURL(/\/settings\/reports#decision-\d+$/)
    await expect(
      otherPage.getByText(`“${title}” was hidden pending review: it was reported as spam.`),
    ).toBeVisible()
    await otherPage.getByRole('button', { name: 'Appeal' }).press('Enter')
    await expect(otherPage.getByLabel('Your appeal')).toBeFocused()
    await otherPage.keyboard.type('It sells nothing at all.')
    await expectAccessible(otherPage)
    await otherPage.keyboard.press('Tab')
    await otherPage.keyboard.press('Enter')
    await expect(otherPage.getByText('Appeal in review')).toBeVisible()
    await otherPage.reload()
    await expect(otherPage.getByText('It sells nothing at all.')).toBeVisible()
    await expect(otherPage.getByRole('button', { name: 'Appeal' })).toHaveCount(0)
  })

  await test.step('the reporter sees the state of the report', async () => {
    await page.goto('/settings/reports')
    const reports = page.getByRole('list', { name: 'Your reports' })
    await expect(reports.getByRole('listitem')).toContainText([title])
    await expect(reports).toContainText('In review')
  })
})

test('a moderator corrects a video on its page and deletes it', async ({ page, site }) => {
  const [mo, bo] = [await createAccount(site, 'mo'), await createAccount(site, 'bo')]
  await runAdmin(site, 'promote', mo.username)
  const { path, title } = await createBookmark(site, bo)
  await openSignedIn(page, site, mo, path)

  await page.getByRole('button', { name: 'Edit Video' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Video & Bookmark' })
  await expect(dialog.getByLabel(/^Video title/)).toBeFocused()
  await dialog.getByLabel(/^Bookmark title/).fill(`${title}, put right`)
  await dialog.getByLabel('Bookmark tags').fill('one, , two ,')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Video and bookmark updated.')).toBeVisible()
  await expect(page.getByRole('heading', { name: `${title}, put right` })).toBeVisible()

  await page.getByRole('button', { name: 'Delete Video' }).click()
  const question = page.getByRole('dialog', { name: 'Delete Video' })
  await expect(question).toContainText(
    'Are you sure you want to delete this video? This will also delete all bookmarks that reference this video. This action cannot be undone.',
  )
  await question.getByRole('button', { name: 'Delete Video' }).click()
  await expect(page.getByText('Video and all related bookmarks deleted successfully.')).toBeVisible()
  await expect(page).toHaveURL('/')
  // Moderators still see the video, because they may have to review it again.
  expect((await page.request.get(path)).status()).toBe(404)

  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByRole('link', { name: 'Moderation', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'How we moderate' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Reports made' })).toBeVisible()
})
