import type { Import } from '@reelmark/contract/imports.ts'
import { expect } from 'vitest'
import type { TestApp } from '../../testing/test-app.ts'
import type { TestUser } from '../../testing/test-users.ts'

/** Sends a file to import, of any format, and returns the response. */
export function sendFile(site: TestApp, user: TestUser, content: string | Buffer) {
  return site.app.inject({
    method: 'POST',
    url: '/api/transfer/imports/',
    headers: { authorization: `Bearer ${user.access}`, 'content-type': 'application/octet-stream' },
    payload: content,
  })
}

/** Sends a file to import, of any format, and returns its import in review. */
export async function uploadFile(site: TestApp, user: TestUser, content: string | Buffer): Promise<Import> {
  const reply = await sendFile(site, user, content)
  expect(reply.statusCode, reply.body).toBe(201)
  return reply.json()
}
