/** The examples of docs/api.md work as they are written. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createAccessToken } from '@reelmark/contract/access-tokens.ts'
import { listCollections } from '@reelmark/contract/collections.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { signUp } from '../../testing/test-users.ts'

const root = join(import.meta.dirname, '../../..')
const guide = readFileSync(join(root, 'docs/api.md'), 'utf8')
const examples = (language: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(
    ([, code]) => code as string,
  )

let site: TestApp
let token: string
let collectionId: number
beforeAll(async () => {
  site = await bootApp()
  const alice = await signUp(site, 'alice')
  await saveFilm(site, alice, 'film')
  const body = { name: 'Examples', scopes: ['read' as const, 'write' as const], expires_in_days: null }
  token = (await site.call(createAccessToken, { body }, alice)).token
  collectionId = (await site.call(listCollections, { query: {} }, alice)).results[0]?.id ?? 0
  await site.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => site.close())

test.each(examples('sh'))('the command succeeds: %s', async (command) => {
  const headers = Object.fromEntries(
    [...command.matchAll(/-H "([\w-]+): ([^"]+)"/g)].map(([, name, value]) => [
      name,
      value?.replace('$TOKEN', token),
    ]),
  )
  const body = /-d '([^']+)'/
    .exec(command)?.[1]
    ?.replace('"collection_id": 1', `"collection_id": ${collectionId}`)
  const url = /https:\/\/reelmark\.example([^\s"]+)/.exec(command)?.[1] ?? ''
  const reply = await site.app.inject({
    method: body === undefined ? 'GET' : 'POST',
    url,
    headers: headers as Record<string, string>,
    ...(body !== undefined && { payload: body }),
  })
  expect(reply.statusCode, reply.body).toBe(body === undefined ? 200 : 201)
  if (url.includes('q=film')) expect(reply.json().count).toBe(1)
})

test('the TypeScript program lists and saves', async () => {
  // Inside the checkout, where the imports of the program resolve.
  mkdirSync(join(root, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, '.cache/api-example-'))
  try {
    const [program = ''] = examples('ts')
    const { port } = site.app.server.address() as AddressInfo
    const file = join(folder, 'example.mts')
    writeFileSync(file, program.replaceAll('https://reelmark.example', `http://127.0.0.1:${port}`))
    const run = () => promisify(execFile)(process.execPath, [file], { env: { ...process.env, TOKEN: token } })
    expect((await run()).stdout).toBe('Saved Big Buck Bunny\n')
    expect((await run()).stdout).toBe('Already saved\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the description of the API contains the guide with the address of the site', async () => {
  const { info } = (await site.app.inject({ url: '/api/openapi.json' })).json()
  expect(info.description).toContain(`${site.settings.publicUrl}/api/videos/`)
  expect(info.description).not.toContain('reelmark.example')
})
