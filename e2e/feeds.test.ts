/** Feeds, exports in other formats and embedded pages, on a phone and on a desktop. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { createCollection } from '@reelmark/contract/collections.ts'
import { followUser } from '@reelmark/contract/follows.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken, openSignedIn } from './accounts.ts'
import { type Account, expect, expectAccessibleAtBothWidths, test, uniqueName } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import type { Site } from './site-process.ts'

async function createFilm(site: Site, owner: Account) {
  const token = await logInForToken(site, owner)
  const http = httpTransport(site)
  const name = uniqueName('Shelf')
  const collection = await call(http, createCollection, { body: { name, access: 'public' } }, token)
  const title = `Film of ${owner.username}`
  const body = {
    video: { source_url: `https://films.example.org/feeds/${owner.username}`, title, tags: ['sea'] },
    bookmark: { collection_id: collection.id },
  }
  const bookmark = await call(http, saveBookmark, { body }, token)
  return { title, token, name, collection: collection.id, user: bookmark.user.id, bookmark: bookmark.id }
}

for (const { width, height } of [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height } })

    test('a visitor finds the feeds of a profile, a collection and a search', async ({ page, site }) => {
      const film = await createFilm(site, await createAccount(site, 'mara'))
      const owner = film.title.replace('Film of ', '')
      for (const path of [`/users/${owner}`, `/collections/${film.collection}`, `/explore?q=${owner}`]) {
        await page.goto(path)
        const link = page.getByRole('main').getByRole('link', { name: 'Feed', exact: true })
        await expect(link).toBeVisible()
        const address = (await link.getAttribute('href')) ?? ''
        const alternates = page.locator(
          'head link[rel=alternate][type$="+xml"], head link[type="application/feed+json"]',
        )
        expect(
          await alternates.evaluateAll((links) => links.map((each) => each.getAttribute('href'))),
        ).toContain(address)
        const reply = await page.request.get(address)
        expect(reply.headers()['content-type']).toBe('application/atom+xml; charset=utf-8')
        expect(await reply.text()).toContain(`<title>${film.title}</title>`)
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        expect(overflow).toBeLessThanOrEqual(0)
      }
    })

    test('a user creates, replaces and revokes the address of their Following feed', async ({
      page,
      site,
    }) => {
      const film = await createFilm(site, await createAccount(site, 'mara'))
      const ana = await createAccount(site, 'ana')
      await call(
        httpTransport(site),
        followUser,
        { params: { id: film.user } },
        await logInForToken(site, ana),
      )
      await openSignedIn(page, site, ana, '/settings/tokens')
      const readAddress = async () => {
        const address = page.getByRole('dialog').getByText(/\/feeds\/rmk_[\w-]+\/following\.atom$/)
        const text = (await address.textContent()) ?? ''
        await page.getByRole('button', { name: 'Done' }).click()
        return text
      }
      const statusOf = async (address: string) => (await page.request.get(address)).status()
      await page.getByRole('button', { name: 'Create address' }).press('Enter')
      await expect(page.getByRole('button', { name: 'Copy address' })).toBeFocused()
      await expectAccessibleAtBothWidths(page)
      const first = await readAddress()
      expect(await (await page.request.get(first)).text()).toContain(film.title)
      await page.getByRole('button', { name: 'Replace address' }).click()
      const second = await readAddress()
      expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200])
      await page.getByRole('button', { name: 'Revoke Following feed' }).click()
      await page.getByRole('button', { name: 'Revoke token' }).click()
      await expect(page.getByRole('button', { name: 'Create address' })).toBeVisible()
      expect(await statusOf(second)).toBe(404)
    })

    test('a user exports a collection as HTML for other programs', async ({ page, site }) => {
      const mara = await createAccount(site, 'mara')
      const film = await createFilm(site, mara)
      await openSignedIn(page, site, mara, `/collections/${film.collection}`)
      await page.getByRole('button', { name: `More options for ${film.name}` }).click()
      await page.getByRole('menuitem', { name: 'Export' }).click()
      await expect(page.getByRole('radio', { name: /^HTML/ })).toBeChecked()
      await expectAccessibleAtBothWidths(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
      await page.getByRole('link', { name: 'View exports' }).click()
      await expect(page.getByText(`${film.name} (HTML)`)).toBeVisible()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: /^Download export/ }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(/^reelmark-.*-collection-\d+-.*\.html$/)
      const text = await readFile(await download.path(), 'utf8')
      expect(text).toContain('<!DOCTYPE NETSCAPE-Bookmark-file-1>')
      expect(text).toContain(`>${film.title}</A>`)
    })

    test('another site shows a collection in a frame', async ({ page, site }) => {
      const film = await createFilm(site, await createAccount(site, 'mara'))
      const html = `<!doctype html><html lang="en"><title>Other</title><link rel="icon" href="data:,"><iframe title="Films" width="320" height="400" src="${site.url}/embed/collections/${film.collection}"></iframe>`
      // Another origin: the address instead of the name of this machine.
      const other = createServer((_request, response) =>
        response.setHeader('content-type', 'text/html').end(html),
      )
      other.listen(0, '127.0.0.1')
      await once(other, 'listening')
      await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`)
      const frame = page.frameLocator('iframe')
      await expect(frame.getByRole('heading', { name: film.name })).toBeVisible()
      const link = frame.getByRole('link', { name: film.title })
      await expect(link).toHaveAttribute('href', `${site.url}/bookmarks/${film.bookmark}`)
      await expect(link).toHaveAttribute('target', '_blank')
      other.closeAllConnections()
      other.close()
    })
  })
}
