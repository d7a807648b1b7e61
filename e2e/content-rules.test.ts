/** Content rules: a moderator previews a rule, adds it, and it holds matching content. */
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { listCollections } from '@reelmark/contract/collections.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken, openSignedIn } from './accounts.ts'
import { expect, expectAccessible, test, uniqueName } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import { runAdmin } from './site-process.ts'

test('a moderator previews and adds a rule by keyboard, and it holds a matching bookmark', async ({
  page,
  otherPage,
  site,
  expectedNoise,
}) => {
  // The invalid word responds 400. The held bookmark is first rendered for a visitor, for whom it responds 404.
  expectedNoise.push(/400/, /404/)
  await page.setViewportSize({ width: 320, height: 720 })
  const [mo, bo] = [await createAccount(site, 'mo'), await createAccount(site, 'bo')]
  await runAdmin(site, 'promote', mo.username)
  const word = uniqueName('casino')
  const token = await logInForToken(site, bo)
  const { results } = await call(httpTransport(site), listCollections, { query: {} }, token)
  const save = (name: string, title: string) => {
    const video = { source_url: `https://films.example.org/watch/${name}`, title }
    const bookmark = { collection_id: results[0]?.id ?? 0, channel_id: null }
    return call(httpTransport(site), saveBookmark, { body: { video, bookmark } }, token)
  }
  const title = `A night at ${word}`
  await save(uniqueName('film'), title)

  await openSignedIn(page, site, mo, '/moderator/rules')
  await page.getByLabel('Kind').first().selectOption('Word')
  await page.getByRole('textbox', { name: /^Word/ }).fill('…')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Enter a word or phrase.')
  await page.getByRole('textbox', { name: /^Word/ }).fill(word.toUpperCase())
  await page.keyboard.press('Enter')
  const found = page.getByRole('region', { name: 'Test results' })
  await expect(found).toContainText('1 of the latest')
  await expect(found.getByRole('link', { name: title })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  const rule = page
    .getByRole('list', { name: 'Rules' })
    .getByRole('listitem')
    .filter({ hasText: 'Word' })
    .first()
  await expect(rule).toContainText(`Added by ${mo.username}`)

  const held = await save(uniqueName('film'), `Another night at ${word}`)
  expect(held.is_held).toBe(true)
  await openSignedIn(otherPage, site, bo, `/bookmarks/${held.id}`)
  await expect(otherPage.getByText('Pending review')).toBeVisible()

  await rule.getByRole('button', { name: /^Remove/ }).click()
  await expect(page.getByText('Rule removed.')).toBeVisible()
  await expect(page.getByRole('main').locator(':focus')).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(`Rule for ${word} restored.`)).toBeVisible()
  await expectAccessible(page)
})
