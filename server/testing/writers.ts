/**
 * Users who comment continuously, like scripts. Each comment has an Idempotency-Key, and a request without a response
 * is repeated with the same key. For tests and measurements of what a crash loses.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { logIn, register } from '@reelmark/contract/accounts.ts'
import { call, type Transport } from '@reelmark/contract/protocol/call.ts'
import type { Sql } from '../core/database/database.ts'
import { testPassword } from './test-users.ts'

export interface Writers {
  /** Comments acknowledged with 201, in order, with the time of their first request in ms of performance.now(). */
  acknowledged: { content: string; sentAt: number }[]
  /** Responses that a crash does not explain. */
  unexpected: string[]
  /** Number of repeated requests by reason: no response, 503 or 409. */
  retries: Map<string, number>
  /** Lets every writer finish the current comment, and resolves when all have. */
  stop(): Promise<void>
}

/** Registers `count` users, who comment on the newest video until they are stopped, for at most 15 minutes. */
export async function startWriters(url: string, count: number): Promise<Writers> {
  const { results } = (await (await fetch(`${url}/api/videos/?page_size=1`)).json()) as {
    results: { video_id: number }[]
  }
  const videoId = results[0]?.video_id
  if (videoId === undefined) throw new Error('The site has no video to comment on.')
  const users: { username: string; access: string }[] = []
  for (let n = 0; n < count; n++) users.push(await signUpOver(url, `writer${n}_${randomUUID().slice(0, 8)}`))
  const writers: Omit<Writers, 'stop'> = { acknowledged: [], unexpected: [], retries: new Map() }
  let isStopping = false

  /** Returns the status of the response, or 0 if it was missing or incomplete. */
  const post = async (access: string, key: string, content: string) => {
    try {
      const reply = await fetch(`${url}/api/videos/${videoId}/comments/`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${access}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify({ content }),
      })
      await reply.text()
      return reply.status
    } catch {
      return 0
    }
  }
  const write = async (access: string, content: string) => {
    const sentAt = performance.now()
    const key = randomUUID()
    for (;;) {
      const status = await post(access, key, content)
      if (status === 201) {
        writers.acknowledged.push({ content, sentAt })
        return
      }
      if (![0, 409, 503].includes(status)) {
        writers.unexpected.push(`${content}: ${status}`)
        return
      }
      const name = status === 0 ? 'no answer' : String(status)
      writers.retries.set(name, (writers.retries.get(name) ?? 0) + 1)
      await sleep(50)
    }
  }
  const all = users.map(async ({ access, username }) => {
    for (let n = 0; !isStopping; n++) await write(access, `${username} says ${n}`)
  })
  return {
    ...writers,
    async stop() {
      isStopping = true
      await Promise.all(all)
    },
  }
}

async function signUpOver(url: string, username: string) {
  const transport: Transport = async (request) => {
    const reply = await fetch(url + request.url, request)
    return { status: reply.status, headers: reply.headers, body: await reply.json() }
  }
  const email = `${username}@example.org`
  await call(transport, register, {
    body: { username, email, password: testPassword, password2: testPassword },
  })
  const { access } = await call(transport, logIn, { body: { username, password: testPassword } })
  return { username, access }
}

/** Compares the acknowledged comments with those in the database. */
export async function auditWrites(db: Sql, { acknowledged }: Writers) {
  const rows = await db<{ content: string; count: number }[]>`
    select content, count(*)::int as count from comments where content like 'writer%says%' group by content`
  const found = new Map(rows.map(({ content, count }) => [content, count]))
  return {
    acknowledged: acknowledged.length,
    lost: acknowledged.filter(({ content }) => !found.has(content)).map(({ content }) => content),
    duplicated: rows.filter(({ count }) => count > 1).map(({ content }) => content),
  }
}
