import { parseSync } from 'vite'
import { expect, it } from 'vitest'
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
    "const all = { access: 'user', }; const some = { ...all, method: 'GET', }; /* @__PURE__ */ endpoint({ ...some, path: '/b/' })",
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
