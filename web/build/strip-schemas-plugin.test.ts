// @vitest-environment node
// biome-ignore-all lint/style/noRestrictedImports: tests the build, which runs in Node.
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

it('keeps only the fields of an endpoint that a call needs', () => {
  const code = `const a = endpoint({
    method: 'GET', path: '/a/:id/', summary: 'Says, a', group: 'a', auth: 'viewer',
    params: t.Object({ id: Id }), status: 200, reply: t.Null(), errors: ['not-found'], idempotent: true,
  })`
  expect(strip(code)).toBe(
    "const a = /* @__PURE__ */ endpoint({ method: 'GET', path: '/a/:id/', auth: 'viewer', status: 200, idempotent: true, })",
  )
})

it('also strips objects that are spread into endpoints', () => {
  const code =
    "const all = { group: 'a', auth: 'user', errors: ['invalid'] }; const some = { ...all, method: 'GET', reply: Row }; endpoint({ ...some, reply: Row, path: '/b/' })"
  expect(strip(code)).toBe(
    "const all = { auth: 'user', }; const some = /* @__PURE__ */ (() => ({ ...all, method: 'GET', }))(); /* @__PURE__ */ endpoint({ ...some, path: '/b/' })",
  )
})

it('leaves other code unchanged', () => {
  const code =
    "export const limits = { tag: 3, path: 'x' }; export function f(e, url) { return send({ method: e.method, url }) }"
  expect(stripSchemas(code, parseSync('contract.js', code).program)).toBe(code)
})

it('marks schema builders as pure, so that unused schemas are removed', () => {
  expect(strip('const a = t.Object({ ...b.properties, c: nullable(Id) })')).toBe(
    'const a = /* @__PURE__ */ (() => t.Object({ ...b.properties, c: nullable(Id) }))()',
  )
})

it('marks the list of names of schemas as pure', () => {
  expect(strip('const names = Object.keys(lists)')).toBe(
    'const names = /* @__PURE__ */ (() => Object.keys(lists))()',
  )
})

it('marks a list of names made from another list as pure', () => {
  expect(strip('const flags = kinds.flatMap((kind) => [kind])')).toBe(
    'const flags = /* @__PURE__ */ (() => kinds.flatMap((kind) => [kind]))()',
  )
})

it('marks an array made from another one as pure', () => {
  expect(strip("const orders = ['random', ...listingOrders]")).toBe(
    "const orders = /* @__PURE__ */ (() => (['random', ...listingOrders]))()",
  )
})

it('leaves the methods of a text unchanged, although a schema builder is called text', () => {
  const code = "const bare = text.replace('a', 'b')"
  expect(strip(code)).toBe(code)
})

/** The fields of an endpoint that remain in the browser. */
interface StrippedEndpoint {
  method?: unknown
  path?: unknown
  auth?: unknown
  status?: unknown
  idempotent?: unknown
}

describe('the whole contract', () => {
  const contract = path.join(import.meta.dirname, '../../contract')
  // The copy is inside the contract folder, so that its imports resolve.
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

  it.each(files)('%s has the same calls after stripping', async (name) => {
    const load = async (folder: string): Promise<Record<string, StrippedEndpoint>> =>
      import(pathToFileURL(path.join(folder, name)).href)
    const [original, stripped] = [await load(contract), await load(copy)]
    expect(Object.keys(stripped).sort()).toEqual(Object.keys(original).sort())
    for (const [exportName, { method, path: to, auth, status, idempotent }] of Object.entries(original)) {
      if (method === undefined || to === undefined) continue
      const {
        method: m,
        path: p,
        auth: a,
        status: s,
        idempotent: i,
      } = stripped[exportName] as StrippedEndpoint
      expect([exportName, m, p, a, s, i]).toEqual([exportName, method, to, auth, status, idempotent])
    }
  })
})
