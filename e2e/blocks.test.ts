/** Muting and blocking a user, and undoing both in Settings, by keyboard. */
import type { Page } from '@playwright/test'
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { listCollections } from '@reelmark/contract/collections.ts'
import { createComment } from '@reelmark/contract/comments.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken, openSignedIn } from './accounts.ts'
import { type Account, expect, expectAccessibleAtBothWidths, test, uniqueName } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import type { Site } from './site-process.ts'

async function createBookmark(site: Site, account: Account) {
  const token = await logInForToken(site, account)
  const { results } = await call(httpTransport(site), listCollections, { query: {} }, token)
  const name = uniqueName('film')
  const body = {
    video: { source_url: `https://films.example.org/watch/${name}`, title: `Loud ${name}`, tags: [name] },
    bookmark: { channel_id: results[0]?.channels[0]?.id ?? 0 },
  }
  return call(httpTransport(site), saveBookmark, { body }, token)
}

/** Opens a menu and chooses an item with the keyboard only. */
async function choose(page: Page, menu: string, item: string): Promise<void> {
  await page.getByRole('button', { name: menu }).first().focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  for (let presses = 0; presses < 3; presses++) {
    if (
      await page
        .getByRole('menuitem', { name: item })
        .evaluate((element) => element === document.activeElement)
    )
      break
    await page.keyboard.press('ArrowDown')
  }
  await expect(page.getByRole('menuitem', { name: item })).toBeFocused()
  await page.keyboard.press('Enter')
}

test('a user mutes and blocks another user, and undoes both, by keyboard', async ({
  page,
  otherPage,
  site,
  expectedNoise,
}) => {
  // Six steps, each of which builds on the ones before.
  test.slow()
  // A blocked user's pages respond 404.
  expectedNoise.push(/404/)
  const ana = await createAccount(site, 'ana')
  const bo = await createAccount(site, 'bo')
  const anas = await createBookmark(site, ana)
  const bos = await createBookmark(site, bo)
  await call(
    httpTransport(site),
    createComment,
    { params: { id: anas.video.id }, body: { content: 'Loud words' } },
    await logInForToken(site, bo),
  )
  for (const window of [page, otherPage]) await window.setViewportSize({ width: 390, height: 900 })
  const more = `More options for ${bo.username}`

  await test.step('comments of a muted user are collapsed', async () => {
    await openSignedIn(page, site, ana, `/bookmarks/${anas.id}`)
    await choose(page, more, `Mute ${bo.username}`)
    const folded = page.getByRole('article', { name: `Muted comment by ${bo.username}` })
    await expect(folded).toBeVisible()
    await expect(page.getByText('Loud words')).toHaveCount(0)
    // axe reports elements that the fixed header covers partly as too small.
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    await expectAccessibleAtBothWidths(page)
    await folded.getByRole('button', { name: /^Show/ }).click()
    await expect(page.getByText('Loud words')).toBeVisible()
    await expect(page.getByRole('article', { name: `Comment by ${bo.username}` })).toBeFocused()
  })

  await test.step('the user is blocked from their profile after a confirmation', async () => {
    await page.goto(`/users/${bo.username}`)
    await expect(page.getByRole('button', { name: `Follow ${bo.username}` })).toBeVisible()
    await page.getByRole('button', { name: more }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    await expect(page.getByRole('menuitem', { name: `Unmute ${bo.username}` })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toBeHidden()
    await expect(page.getByRole('button', { name: more })).toBeFocused()
    await choose(page, more, `Block ${bo.username}`)
    const question = page.getByRole('dialog', { name: `Block ${bo.username}?` })
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await expectAccessibleAtBothWidths(page)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(question).toBeHidden()
    await expect(page.getByText(`You blocked ${bo.username}`, { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: `Follow ${bo.username}` })).toHaveCount(0)
    await expectAccessibleAtBothWidths(page)
  })

  await test.step('the blocked user sees neither the bookmark nor the profile and cannot comment', async () => {
    await openSignedIn(otherPage, site, bo, `/bookmarks/${anas.id}`)
    await expect(otherPage.getByRole('heading', { name: 'Error Loading Bookmark' })).toBeVisible()
    await expect(otherPage.getByLabel('Your comment')).toHaveCount(0)
    await otherPage.goto(`/users/${ana.username}`)
    await expect(otherPage.getByRole('heading', { name: 'Error loading profile.' })).toBeVisible()
    const body = { content: 'One more thing' }
    const token = await logInForToken(site, bo)
    const posting = call(httpTransport(site), createComment, { params: { id: anas.video.id }, body }, token)
    await expect(posting).rejects.toMatchObject({ status: 404 })
  })

  await test.step('a tag is muted on its own page', async () => {
    const tag = bos.tags[0]?.name ?? ''
    await page.goto(`/explore?tag=${tag}`)
    await page.getByRole('button', { name: 'Mute this tag' }).click()
    await expect(page.getByRole('button', { name: 'Unmute this tag' })).toBeVisible()
    await expect(page.getByText(`${tag} muted.`)).toBeVisible()
    await expectAccessibleAtBothWidths(page)
  })

  await test.step('Settings lists blocks and mutes and removes them', async () => {
    await page.goto('/settings/blocked')
    const blocked = page.getByRole('list', { name: 'Blocked people' })
    const muted = page.getByRole('list', { name: 'Muted people and tags' })
    await expect(blocked.getByRole('listitem')).toHaveCount(1)
    await expect(muted.getByRole('listitem')).toHaveCount(2)
    await expectAccessibleAtBothWidths(page)
    await muted.getByRole('button', { name: `Unmute ${bo.username}` }).press('Enter')
    await expect(muted.getByRole('listitem')).toHaveCount(1)
    await blocked.getByRole('button', { name: `Unblock ${bo.username}` }).press('Enter')
    await expect(page.getByText("You haven't blocked anyone.")).toBeVisible()
    await page.reload()
    await expect(page.getByText("You haven't blocked anyone.")).toBeVisible()
    await expect(muted.getByRole('listitem')).toHaveCount(1)
    await otherPage.reload()
    await expect(otherPage.getByRole('button', { name: `Follow ${ana.username}` })).toBeVisible()
  })

  await test.step('the watch history is cleared', async () => {
    await page.goto('/settings/data')
    await page.getByRole('button', { name: 'Clear watch history' }).click()
    const question = page.getByRole('dialog', { name: 'Clear watch history?' })
    await question.getByRole('button', { name: 'Clear', exact: true }).click()
    await expect(page.getByText('Watch history cleared.')).toBeVisible()
  })
})
