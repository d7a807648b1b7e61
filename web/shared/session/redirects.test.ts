// biome-ignore lint/style/noRestrictedImports: a test that reads a list outside this repository
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { loginPath, safeRedirect } from './redirects.ts'

// biome-ignore format: one line, one path
const acceptedPaths = ['/', '/users/alice', '/explore?q=a%20b&page=2', '/bookmarks/create?url=https%3A%2F%2Fa.example%2Fv', '/settings#sessions', '/a/./b']

test.for(acceptedPaths)('%s is accepted', (path) => {
  const url = new URL(path, 'https://origin.example')
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
])('%s is rejected', (value) => {
  expect(safeRedirect(value)).toBeNull()
})

test('the login path contains the current page', () => {
  expect(loginPath({ pathname: '/users/a', search: '?page=2' })).toBe(
    '/login?redirect=%2Fusers%2Fa%3Fpage%3D2',
  )
})

test.for([
  '/confirm-email/secret',
  '/reset-password/Nw/secret',
  '/reset-password-confirm',
  '/unsubscribe/secret',
])('the login path does not contain the token of %s', (pathname) => {
  expect(loginPath({ pathname, search: '?token=secret' })).toBe('/login')
})

/** A collection of open-redirect attempts, if it exists next to this repository. */
const listPath = `${import.meta.dirname}/../../shared/corpora/security/redirect/open_redirect.jsonl`
const hostileValues = existsSync(listPath) ? readFileSync(listPath, 'utf8').trimEnd().split('\n') : []

describe.skipIf(hostileValues.length === 0)(
  'known open-redirect attempts (skipped if the list is missing)',
  () => {
    test.for(hostileValues.map((line) => JSON.parse(line) as string))('%j stays on our origin', (value) => {
      for (const origin of ['https://reelmark.example', 'http://localhost:3000']) {
        const path = safeRedirect(value.replaceAll('OURHOST', new URL(origin).host))
        if (path === null) continue
        expect(new URL(path, origin).origin).toBe(origin)
        expect(path).toMatch(/^\/(?![/\\])/)
      }
    })
  },
)
