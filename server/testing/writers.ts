/**
 * People who comment without pause, as scripts of theirs would: each comment has an Idempotency-Key, and what was not
 * answered is sent again with the same key. For tests and measurements of what a crash loses.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { logIn, register } from '@reelmark/contract/accounts.ts'
import { call, type Transport } from '@reelmark/contract/protocol/call.ts'
import type { Sql } from '../core/database/database.ts'
import { testPassword } from './test-users.ts'

export interface Writers {
  /** Every comment that was answered with 201, in order, and when (milliseconds of performance.now()) it was first sent. */
  acknowledged: { content: string; sentAt: number }[]
  /** Replies that no crash explains. */
  unexpected: string[]
  /** How often a request was not answered, or with 503 or 409, and sent again. */
  retries: Map<string, number>
  /** Lets everyone finish the comment they are at, and resolves when all have. */
  stop(): Promise<void>
}

/** Registers `count` users, who comment on the video `videoId` until they are stopped: for less than 15 minutes. */
export async function startWriters(url: string, videoId: number, count: number): Promise<Writers> {
  const users: { username: string; access: string }[] = []
  for (let n = 0; n < count; n++) users.push(await signUpOver(url, `writer${n}_${randomUUID().slice(0, 8)}`))
  const writers: Omit<Writers, 'stop'> = { acknowledged: [], unexpected: [], retries: new Map() }
  let isStopping = false

  /** The status of the reply; 0 where none came, or not all of it. */
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

/** Compares what was acknowledged with what is in the database. */
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
