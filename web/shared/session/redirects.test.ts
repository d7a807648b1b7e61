// biome-ignore lint/style/noRestrictedImports: a test that reads a list lying beside this repository
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { loginPath, safeRedirect } from './redirects.ts'

// biome-ignore format: one line, one path
const acceptedPath = ['/', '/users/alice', '/explore?q=a%20b&page=2', '/bookmarks/create?url=https%3A%2F%2Fa.example%2Fv', '/settings#sessions', '/a/./b']

test.for(acceptedPath)('%s leads back', (path) => {
  const url = new URL(path, 'https://ours.example')
  expect(safeRedirect(path)).toBe(url.pathname + url.search + url.hash)
})

test.for([
  undefined,
  null,
  5,
  '',
  'users/alice',
  '//evil.invalid',
  '/\\evil.invalid',
  '/\t/evil.invalid',
  'https://evil.invalid/',
  'javascript:alert(1)',
])('%s leads nowhere', (value) => {
  expect(safeRedirect(value)).toBeNull()
})

test('the login path names where one was', () => {
  expect(loginPath({ pathname: '/users/a', search: '?page=2' })).toBe(
    '/login?redirect=%2Fusers%2Fa%3Fpage%3D2',
  )
})

/** Hostile values that others collected; they lie beside this repository, or are not there. */
const list = `${import.meta.dirname}/../../shared/corpora/security/redirect/open_redirect.jsonl`
const lines = existsSync(list) ? readFileSync(list, 'utf8').trimEnd().split('\n') : []

describe.skipIf(lines.length === 0)('redirects that others tried (skipped where the list is absent)', () => {
  test.for(lines.map((line) => JSON.parse(line) as string))('%j ends on our origin', (value) => {
    for (const ours of ['https://reelmark.example', 'http://localhost:3000']) {
      const path = safeRedirect(value.replaceAll('OURHOST', new URL(ours).host))
      if (path === null) continue
      expect(new URL(path, ours).origin).toBe(ours)
      expect(path).toMatch(/^\/(?![/\\])/)
    }
  })
})
