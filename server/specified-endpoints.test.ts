/** The endpoints that existing clients use, with their paths and fields (docs/behaviour.md, API). */
import type { TSchema } from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadEndpoints } from './testing/contract-endpoints.ts'
import { bootApp, type TestApp } from './testing/test-app.ts'

const specified = `
  POST /token/, /auth/register/, /token/refresh/, /token/blacklist/, /auth/password-reset/, /auth/password-reset-confirm/
  GET /videos/, /bookmarks/{id}/
  POST /bookmarks/, /bookmarks/manual-create/, /bookmarks/extract-metadata/, /bookmarks/collect/
  PATCH /bookmarks/{id}/
  DELETE /bookmarks/{id}/
  GET /profile/{username}/
  PATCH /profile/{username}/
  POST /users/{id}/toggle-follow/, /users/{id}/follow/, /users/{id}/unfollow/
  GET /users/{id}/follow-status/, /users/{id}/followers/, /users/{id}/following/
  GET /videos/{id}/like-status/, /videos/{id}/users-bookmarked/
  POST /videos/{id}/like/
  GET /videos/{id}/comments/, /comments/{id}/replies/
  POST /videos/{id}/comments/, /comments/{id}/replies/
  PATCH /comments/{id}/, /replies/{id}/
  DELETE /comments/{id}/, /replies/{id}/
  GET /collections/, /collections/{id}/channels/
  POST /collections/, /collections/{id}/channels/
  PATCH /collections/{id}/, /channels/{id}/
  DELETE /collections/{id}/, /channels/{id}/
  GET /tags/, /notifications/, /auth/sessions/
  POST /notifications/read/
  DELETE /auth/sessions/{id}/
  POST /report/, /moderation/approve/, /moderation/reject/
  GET /moderation/reports/
  PATCH /moderation/edit-video/{id}/, /moderation/edit-bookmark/{id}/`
const calls = specified
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [method = '', ...paths] = line.trim().split(/,? /)
    return paths.map((path) => [method, path] as const)
  })

let site: TestApp
beforeAll(async () => {
  site = await bootApp()
})
afterAll(() => site.close())

test('every specified path exists, with and without its trailing slash', async () => {
  const { paths } = site.app.swagger() as { paths: Record<string, Record<string, unknown>> }
  expect(calls).toHaveLength(52)
  for (const [method, path] of calls) {
    expect(paths[`/api${path}`]?.[method.toLowerCase()], `${method} ${path}`).toBeDefined()
    const url = `/api${path.replace('{id}', '999999').replace('{username}', 'nobody')}`
    const request = (at: string) => site.app.inject({ method: method as 'GET', url: at })
    const [withSlash, withoutSlash] = [await request(url), await request(url.slice(0, -1))]
    expect([withoutSlash.statusCode, withoutSlash.body], `${method} ${path}`).toEqual([
      withSlash.statusCode,
      withSlash.body,
    ])
  }
})

test('every list returns count, next, previous and results', async () => {
  const properties = (schema: unknown) =>
    Object.keys((schema as TSchema & { properties?: object }).properties ?? {})
  const lists = (await loadEndpoints()).filter(
    // A play queue is not a list: it has no pages.
    ([name, { reply }]) => properties(reply).includes('results') && name !== 'getPlayQueue',
  )
  expect(lists.length).toBeGreaterThan(20)
  for (const [name, { reply }] of lists) {
    expect(properties(reply), name).toEqual(expect.arrayContaining(['count', 'next', 'previous', 'results']))
  }
})
