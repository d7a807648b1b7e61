/** Starts a real server, sends it input wherever users and sites can, and measures its stalls. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { connect } from '../core/database/database.ts'
import { emptyFile, sampleBookmark } from '../features/transfer/full-account.fixture.ts'
import { openLocalInternet } from './local-internet.fixture.ts'
import { startRealServer } from './real-server.ts'
import { slowTimeouts } from './test-database.ts'

/** A turn of the event loop that takes so long is a stall. */
const stallMs = 50
/** How many times a batch must stall the server before the stall counts. */
const attempts = 3
/** The number of rows that are sent before the turns are evaluated. A batch that stalled the server is sent again. */
const batchRows = 200

export type StallSite = Awaited<ReturnType<typeof openStallSite>>

export async function openStallSite() {
  const internet = await openLocalInternet()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'reelmark-stalls-'))
  const measure = fileURLToPath(new URL('measure-stalls.fixture.ts', import.meta.url))
  const server = await startRealServer(dataDir, {
    ...internet.environment,
    NODE_OPTIONS: `${internet.environment.NODE_OPTIONS} --import=${measure}`,
    // The measured turns are those of one process, whose code was compiled while it was warmed up.
    WORKERS: '1',
    SAMPLE_CONTENT: 'off',
  })
  let token: string | undefined
  let channel = 0
  /** Work that continues after its row, and ends with its batch. */
  const continuing: Promise<unknown>[] = []

  /** Sends a request. The server may refuse it, but must respond without an internal error. */
  async function send(
    method: string,
    url: string,
    body?: string | Buffer | FormData,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const reply = await fetch(`${server.url}/api/${url}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: body instanceof Buffer ? Uint8Array.from(body) : body }),
    })
    if (reply.status >= 500)
      throw new Error(
        `${method} ${url}: ${reply.status} ${await reply.text()}\n${server.output().slice(-3000)}`,
      )
    return reply
  }
  const post = (url: string, body: object) => send('POST', url, JSON.stringify(body))

  async function createModerator(): Promise<void> {
    const account = {
      username: 'mallory',
      email: 'mallory@example.org',
      password: 'a long walk by the river',
    }
    await post('auth/register/', { ...account, password2: account.password })
    const db = connect(server.databaseUrl(), { ...slowTimeouts, max: 1 })
    await db`update users set is_moderator = true, email_confirmed_at = now()`
    await db`
      insert into content_rules (kind, pattern, effect) values
        ('host', 'spam.example', 'hold'), ('word', 'cheap pills', 'hold'), ('word', '赌场', 'hold'),
        ('tag', 'spam', 'hold')`
    const [row] = await db<[{ id: number }]>`select id from channels`
    channel = row.id
    await db.end({ timeout: 5 })
    const signedIn = (await (
      await post('token/', { username: account.username, password: account.password })
    ).json()) as { access?: string }
    if (signedIn.access === undefined) throw new Error(`no login: ${JSON.stringify(signedIn)}`)
    token = signedIn.access
  }

  let films = 0
  /** The video saved last, for comments. */
  let commentedVideo = 0
  /** How many bookmarks and comments were accepted. */
  let accepted = 0

  /** Sends a text in each place where users write texts. */
  async function sendText(text: string): Promise<void> {
    films += 1
    const video = { source_url: `https://films.example.org/${films}`, title: text.slice(0, 300) || 'x' }
    const bookmark = {
      channel_id: channel,
      description: text.slice(0, 5000),
      tags: [text.slice(0, 50) || 'x'],
    }
    const saved = await post('bookmarks/', { video, bookmark })
    if (saved.status === 201) commentedVideo = ((await saved.json()) as { video: { id: number } }).video.id
    const commented = await post(`videos/${commentedVideo}/comments/`, { content: text.slice(0, 500) })
    for (const { status } of [saved, commented]) if (status === 201) accepted += 1
    await send('PATCH', 'profile/mallory/', JSON.stringify({ bio: text.slice(0, 500) }))
    await send('GET', `videos/?q=${encodeURIComponent(text.slice(0, 200).toWellFormed())}`)
    await send('GET', `tags/?q=${encodeURIComponent(text.slice(0, 50).toWellFormed())}`)
  }

  const extract = (url: string) => post('bookmarks/extract-metadata/', { url })

  /** Sends a text in each place where users enter links. */
  async function sendLink(link: string): Promise<void> {
    // Takes two seconds if the site cannot be reached.
    continuing.push(extract(link))
    await post('bookmarks/', {
      video: { source_url: link, title: 'A film', thumbnail_url: link, embed_url: link },
      bookmark: { channel_id: channel },
    })
  }

  let imports = 0
  /** Imports a bookmark with each text as its description, or with each link, and waits until the import is finished. */
  async function importBookmarks(rows: readonly string[], kind: 'texts' | 'links'): Promise<void> {
    imports += 1
    const bookmarks = rows.map((row, n) =>
      kind === 'links'
        ? sampleBookmark(row)
        : { ...sampleBookmark(`https://imported.example.org/${imports}/${n}`), description: row },
    )
    const reply = await post('transfer/imports/', { ...emptyFile, bookmarks })
    if (reply.status !== 201) throw new Error(`the import was refused: ${await reply.text()}`)
    const { id } = (await reply.json()) as { id: number }
    await post(`transfer/imports/${id}/start/`, {})
    for (let state = ''; state !== 'done'; await sleep(100)) {
      const { state: now } = (await (await send('GET', `transfer/imports/${id}/`)).json()) as {
        state: string
      }
      if (now === 'failed') throw new Error('the import failed')
      state = now
    }
  }

  async function uploadAvatar(bytes: Buffer): Promise<void> {
    const form = new FormData()
    form.set('avatar', new Blob([Uint8Array.from(bytes)]), 'a.png')
    await send('PATCH', 'profile/mallory/', form)
  }

  /** Compiles what the server compiles on first use: schemas, statements and patterns. */
  async function warmUp(): Promise<void> {
    for (let round = 0; round < 5; round += 1) {
      await sendText('Grüße 字 https://films.example.org/x 𝗰 ﬁ "a phrase" -word tag:x'.repeat(1 + round * 10))
      await sendLink(`https://films.example.org/ä${round}`)
      await extract('http://films.example.org/')
      await importBookmarks(['Grüße 字 https://films.example.org/x'.repeat(50)], 'texts')
    }
    await Promise.all(continuing.splice(0))
  }

  /** Returns the long turns that the server has reported so far, in milliseconds. */
  const listTurnMs = () => [...server.output().matchAll(/\{"turnMs":(\d+)\}/g)].map(([, ms]) => Number(ms))

  /** Returns the longest turn during the work, in milliseconds; 0 if it was too short to be reported. */
  async function longestTurn(work: () => Promise<unknown>): Promise<number> {
    const before = listTurnMs().length
    await work()
    await Promise.all(continuing.splice(0))
    await sleep(100)
    return Math.max(0, ...listTurnMs().slice(before))
  }

  /**
   * Does work for each row, several at a time, and returns where the server stalled. A batch that stalls it is repeated,
   * and counts only if the server stalls three times: collecting garbage and compiling code lengthen single turns,
   * independently of the input, while input that causes a stall causes it again.
   */
  async function findStalls<T>(
    rows: readonly T[],
    work: (row: T) => Promise<unknown>,
    { concurrency = 4 } = {},
  ): Promise<{ rows: string; longestMs: number[] }[]> {
    const stalls: { rows: string; longestMs: number[] }[] = []
    let longest = 0
    for (let start = 0; start < rows.length; start += batchRows) {
      const batch = rows.slice(start, start + batchRows)
      const longestMs: number[] = []
      do {
        longestMs.push(await longestTurn(() => forEachRow(batch, concurrency, work)))
      } while (longestMs.length < attempts && Math.min(...longestMs) >= stallMs)
      longest = Math.max(longest, ...longestMs)
      if (Math.min(...longestMs) >= stallMs)
        stalls.push({ rows: `${start} to ${start + batch.length - 1}`, longestMs })
    }
    process.stderr.write(
      `${expect.getState().currentTestName}: ${rows.length} rows, longest turn ${longest} ms\n`,
    )
    return stalls
  }

  await createModerator()
  await warmUp()
  return {
    server,
    internet,
    send,
    post,
    sendText,
    sendLink,
    extract,
    importBookmarks,
    uploadAvatar,
    findStalls,
    listTurnMs,
    countAccepted: () => accepted,
    async close() {
      await server.stop()
      internet.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function forEachRow<T>(
  rows: readonly T[],
  concurrency: number,
  work: (row: T) => Promise<unknown>,
): Promise<void> {
  const next = rows.values()
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const row of next) await work(row)
    }),
  )
}
