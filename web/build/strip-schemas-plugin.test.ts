// @vitest-environment node
// biome-ignore-all lint/style/noRestrictedImports: about the build, which runs in Node.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseSync } from 'vite'
import { afterAll, describe, expect, it } from 'vitest'
import { stripSchemas } from './strip-schemas-plugin.ts'

function strip(code: string): string {
  return stripSchemas(code, parseSync('contract.js', code).program).replace(/\s+/g, ' ')
}

it('leaves of an endpoint what a call needs', () => {
  const code = `const a = endpoint({
    method: 'GET', path: '/a/:id/', summary: 'Says, a', group: 'a', auth: 'viewer',
    params: t.Object({ id: Id }), status: 200, reply: t.Null(), errors: ['not-found'], idempotent: true,
  })`
  expect(strip(code)).toBe(
    "const a = /* @__PURE__ */ endpoint({ method: 'GET', path: '/a/:id/', auth: 'viewer', status: 200, idempotent: true, })",
  )
})

it('leaves what is spread into it, shortened too', () => {
  const code =
    "const all = { group: 'a', auth: 'user', errors: ['invalid'] }; const some = { ...all, method: 'GET', reply: Row }; endpoint({ ...some, reply: Row, path: '/b/' })"
  expect(strip(code)).toBe(
    "const all = { auth: 'user', }; const some = /* @__PURE__ */ (() => ({ ...all, method: 'GET', }))(); /* @__PURE__ */ endpoint({ ...some, path: '/b/' })",
  )
})

it('touches nothing else', () => {
  const code =
    "export const limits = { tag: 3, path: 'x' }; export function f(e, url) { return send({ method: e.method, url }) }"
  expect(stripSchemas(code, parseSync('contract.js', code).program)).toBe(code)
})

it('marks what makes schemas as needed only where it is used', () => {
  expect(strip('const a = t.Object({ ...b.properties, c: nullable(Id) })')).toBe(
    'const a = /* @__PURE__ */ (() => t.Object({ ...b.properties, c: nullable(Id) }))()',
  )
})

/** What a call is made of, in the browser. */
interface StrippedEndpoint {
  method?: unknown
  path?: unknown
  auth?: unknown
  status?: unknown
  idempotent?: unknown
}

describe('the whole contract', () => {
  const contract = path.join(import.meta.dirname, '../../contract')
  // Beside it, where it finds its libraries.
  const copy = mkdtempSync(path.join(contract, '.stripped-'))
  afterAll(() => rmSync(copy, { recursive: true }))
  const files = readdirSync(contract, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(?:protocol\/)?[a-z-]+\.ts$/.test(name),
  )
  cpSync(path.join(contract, 'package.json'), path.join(copy, 'package.json'))
  for (const name of files) {
    const code = stripTypeScriptTypes(readFileSync(path.join(contract, name), 'utf8'))
    mkdirSync(path.dirname(path.join(copy, name)), { recursive: true })
    writeFileSync(path.join(copy, name), stripSchemas(code, parseSync('contract.js', code).program))
  }

  it.each(files)('%s says of every call what it said', async (name) => {
    const load = async (folder: string): Promise<Record<string, StrippedEndpoint>> =>
      import(pathToFileURL(path.join(folder, name)).href)
    const [whole, short] = [await load(contract), await load(copy)]
    expect(Object.keys(short).sort()).toEqual(Object.keys(whole).sort())
    for (const [word, { method, path: to, auth, status, idempotent }] of Object.entries(whole)) {
      if (method === undefined || to === undefined) continue
      const { method: m, path: p, auth: a, status: s, idempotent: i } = short[word] as StrippedEndpoint
      expect([word, m, p, a, s, i]).toEqual([word, method, to, auth, status, idempotent])
    }
  })
})
