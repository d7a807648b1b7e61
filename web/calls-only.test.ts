// @vitest-environment node
// biome-ignore-all lint/style/noRestrictedImports: about the build, which runs in Node.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseSync } from 'vite'
import { afterAll, describe, expect, it } from 'vitest'
import { shortened } from './calls-only.ts'

function short(code: string): string {
  return shortened(code, parseSync('contract.js', code).program).replace(/\s+/g, ' ')
}

it('leaves of an endpoint what a call needs', () => {
  const code = `const a = endpoint({
    method: 'GET', path: '/a/:id/', summary: 'Says, a', tag: 'a', access: 'viewer',
    params: t.Object({ id: Id }), status: 200, reply: t.Null(), errors: ['not-found'], idempotent: true,
  })`
  expect(short(code)).toBe(
    "const a = /* @__PURE__ */ endpoint({ method: 'GET', path: '/a/:id/', access: 'viewer', status: 200, idempotent: true, })",
  )
})

it('leaves what is spread into it, shortened too', () => {
  const code =
    "const all = { tag: 'a', access: 'user', errors: ['invalid'] }; const some = { ...all, method: 'GET', reply: Row }; endpoint({ ...some, reply: Row, path: '/b/' })"
  expect(short(code)).toBe(
    "const all = { access: 'user', }; const some = /* @__PURE__ */ (() => ({ ...all, method: 'GET', }))(); /* @__PURE__ */ endpoint({ ...some, path: '/b/' })",
  )
})

it('touches nothing else', () => {
  const code =
    "export const limits = { tag: 3, path: 'x' }; export function f(e, url) { return send({ method: e.method, url }) }"
  expect(shortened(code, parseSync('contract.js', code).program)).toBe(code)
})

it('marks what makes schemas as needed only where it is used', () => {
  expect(short('const a = t.Object({ ...b.properties, c: nullable(Id) })')).toBe(
    'const a = /* @__PURE__ */ (() => t.Object({ ...b.properties, c: nullable(Id) }))()',
  )
})

/** What a call is made of, in the browser. */
interface Called {
  method?: unknown
  path?: unknown
  access?: unknown
  status?: unknown
  idempotent?: unknown
}

describe('the whole contract', () => {
  const contract = path.join(import.meta.dirname, '../contract')
  // Beside it, where it finds its libraries.
  const copy = mkdtempSync(path.join(contract, '.calls-only-'))
  afterAll(() => rmSync(copy, { recursive: true }))
  const files = readdirSync(contract).filter((name) => /^[a-z-]+\.ts$/.test(name))
  cpSync(path.join(contract, 'package.json'), path.join(copy, 'package.json'))
  for (const name of files) {
    const code = stripTypeScriptTypes(readFileSync(path.join(contract, name), 'utf8'))
    writeFileSync(path.join(copy, name), shortened(code, parseSync('contract.js', code).program))
  }

  it.each(files)('%s says of every call what it said', async (name) => {
    const load = async (folder: string): Promise<Record<string, Called>> =>
      import(pathToFileURL(path.join(folder, name)).href)
    const [whole, short] = [await load(contract), await load(copy)]
    expect(Object.keys(short).sort()).toEqual(Object.keys(whole).sort())
    for (const [word, { method, path: to, access, status, idempotent }] of Object.entries(whole)) {
      if (method === undefined || to === undefined) continue
      const { method: m, path: p, access: a, status: s, idempotent: i } = short[word] as Called
      expect([word, m, p, a, s, i]).toEqual([word, method, to, access, status, idempotent])
    }
  })
})
