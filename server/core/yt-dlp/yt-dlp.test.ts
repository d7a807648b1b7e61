/** yt-dlp itself, and programs in its place that misbehave. */
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ytDlpProgram } from '../../testing/yt-dlp-program.ts'
import { openLog } from '../log.ts'
import { readFacts } from './read-facts.ts'
import { runProgram } from './run-program.ts'
import { openYtDlp } from './yt-dlp.ts'

let logged: { level: number; msg: string; reason?: string }[] = []
const log = openLog(
  { logLevel: 'info', mode: 'test' } as Parameters<typeof openLog>[0],
  { write: (line: string) => logged.push(JSON.parse(line)) } as never,
)
let folder = ''

/** Pages by their path. */
const pages: Record<string, (reply: ServerResponse) => void> = {}
let requested: string[] = []
const site = createServer((request, reply) => {
  requested.push(request.url ?? '')
  pages[request.url ?? '']?.(reply)
  if (!reply.headersSent) reply.writeHead(404).end()
})
/** A server of the internal network. */
let secretConnections = 0
const secret = createTcpServer((socket) => {
  secretConnections += 1
  socket.destroy()
})
const address = (server: Server) => `127.0.0.1:${(server.address() as AddressInfo).port}`

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'reelmark-programs-'))
  for (const server of [site, secret]) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  site.closeAllConnections()
  for (const server of [site, secret]) server.close()
})
beforeEach(() => {
  logged = []
  requested = []
  secretConnections = 0
})

const sendHtml = (body: string) => (reply: ServerResponse) => {
  reply.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><body>${body}</body>`)
}
/** A player whose facts are in a script, which our own sources do not read. */
const jwPlayer = (setup: object) =>
  sendHtml(`<div id="p"></div><script>jwplayer("p").setup(${JSON.stringify(setup)});</script>`)

/** Writes a shell script that is called like yt-dlp, and says that it works. */
async function createProgram(script: string): Promise<string> {
  const file = path.join(folder, `program-${Math.random().toString(36).slice(2)}`)
  await writeFile(file, `#!/bin/sh\ncase "$*" in *--version*) echo 1; exit;; esac\n${script}\n`)
  await chmod(file, 0o755)
  return file
}

const never = () => new AbortController().signal

/** Limits for a busy machine. */
const runMs = 120_000

async function readWith(program: string | null, url: string, signal = never(), allow = [address(site)]) {
  const ytDlp = await openYtDlp(program, { allow }, log, { runMs })
  if (ytDlp === null) throw new Error('the program was not accepted')
  return ytDlp.read(url, signal)
}

describe.skipIf(ytDlpProgram === null)('yt-dlp', () => {
  test('tells the facts of a video that only it finds, and no address of the video', async () => {
    pages['/film'] = jwPlayer({
      playlist: [{ title: 'A film', file: '/film.mp4', image: '/film.jpg', duration: 61 }],
    })
    const facts = await readWith(ytDlpProgram, `http://${address(site)}/film`)
    expect(facts).toMatchObject({
      title: 'A film',
      thumbnail: `http://${address(site)}/film.jpg`,
      duration: 61,
    })
    expect(JSON.stringify(facts)).not.toContain('.mp4')
    expect(requested).not.toContain('/film.mp4')
    expect(logged.map(({ msg }) => msg)).toEqual(['yt-dlp is used where pages tell nothing'])
  })

  test.each([
    [
      'a redirect',
      (reply: ServerResponse) => reply.writeHead(302, { location: `http://${address(secret)}/` }).end(),
    ],
    [
      'a list of streams',
      (reply: ServerResponse) =>
        jwPlayer({ playlist: [{ title: 'x', file: `http://${address(secret)}/film.m3u8` }] })(reply),
    ],
  ])('reaches no server of the internal network through %s', async (_name, page) => {
    pages['/lure'] = page
    const link = `http://${address(site)}/lure`
    await readWith(ytDlpProgram, link)
    expect([requested.includes('/lure'), secretConnections]).toEqual([true, 0])
    // It would connect if the rules allowed that.
    await readWith(ytDlpProgram, link, never(), [address(site), address(secret)])
    expect(secretConnections).toBeGreaterThan(0)
  })

  test('opens no file and speaks no other protocol', { tags: 'heavy' }, async () => {
    const ytDlp = await openYtDlp(ytDlpProgram, { allow: [address(site)] }, log, { runMs })
    expect(await ytDlp?.read('file:///etc/hostname', never())).toBeNull()
    for (const scheme of ['ftp', 'rtmp']) await ytDlp?.read(`${scheme}://${address(secret)}/film`, never())
    expect(secretConnections).toBe(0)
  })

  test('tells nothing about a list of videos', { tags: 'heavy' }, async () => {
    pages['/list'] = jwPlayer({
      playlist: [1, 2].map((n) => ({ title: `Film ${n}`, file: `/film${n}.mp4` })),
    })
    expect(await readWith(ytDlpProgram, `http://${address(site)}/list`)).toBeNull()
    expect(requested).toContain('/list')
  })
})

describe('a program in its place', () => {
  test('is not run if the setting is not set', async () => {
    expect(await openYtDlp(null, {}, log)).toBeNull()
    expect(logged).toEqual([])
  })

  test('that is missing or does not know the options is named in a warning and not used', async () => {
    const old = path.join(folder, 'old')
    await writeFile(old, '#!/bin/sh\necho "no such option: --no-js-runtimes" >&2; exit 2\n', { mode: 0o755 })
    expect(await openYtDlp('/nowhere/yt-dlp', {}, log)).toBeNull()
    expect(await openYtDlp(old, {}, log)).toBeNull()
    expect(logged.map(({ level, msg }) => [level, msg])).toEqual(
      Array(2).fill([40, 'YT_DLP is set, but yt-dlp cannot be run and is not used']),
    )
    expect(logged[0]?.reason).toMatch(/No such file|ENOENT/)
    expect(logged[1]?.reason).toBe('no such option: --no-js-runtimes')
  })

  test('gets the link after the options, no variable of this process, and a folder that is removed', async () => {
    process.env.TEST_SECRET = 'hidden'
    const file = path.join(folder, 'seen')
    const program = await createProgram(
      `{ env; echo "args $*"; pwd; } > ${file}; touch left-over; echo '{"title":"x"}'`,
    )
    expect(await readWith(program, 'https://site.example/--exec')).toEqual({ title: 'x' })
    const seen = await readFile(file, 'utf8')
    const names = seen
      .match(/^[A-Za-z_]+(?==)/gm)
      ?.filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name))
    expect(names?.sort()).toEqual(
      ['HOME', 'LANG', 'PATH', 'TMPDIR', 'all_proxy', 'http_proxy', 'https_proxy'].sort(),
    )
    expect(seen).not.toContain('hidden')
    expect(seen).toMatch(/^args .*--ignore-config.* -- https:\/\/site\.example\/--exec$/m)
    expect(seen).not.toMatch(/^args .*http:\/\/run:/m)
    const home = /^HOME=(.+)$/m.exec(seen)?.[1] ?? ''
    expect([home.startsWith(tmpdir()), existsSync(home)]).toEqual([true, false])
    delete process.env.TEST_SECRET
  })

  test.each([
    ['text', 'echo hello'],
    ['nothing', 'true'],
    ['other JSON', `echo '[1]'`],
    ['fields of other types', `echo '{"title":{"a":1}}'`],
    ['a failure', `echo '{"title":"x"}'; exit 1`],
    ['endless output', 'while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done'],
    ['endless errors', 'while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa >&2; done'],
  ])('that returns %s tells nothing', async (_name, script) => {
    expect(await readWith(await createProgram(script), 'https://site.example/')).toBeNull()
  })

  test('that hangs is ended with what it started when the time of the request is over', async () => {
    const file = path.join(folder, 'pids')
    const program = await createProgram(
      `sleep 1000 & echo $$ $! > ${file}.part; mv ${file}.part ${file}; wait`,
    )
    const request = new AbortController()
    const reading = readWith(program, 'https://site.example/', request.signal)
    while (!existsSync(file)) await sleep(20)
    request.abort()
    expect(await reading).toBeNull()
    const pids = (await readFile(file, 'utf8')).trim().split(' ').map(Number)
    expect(pids).toHaveLength(2)
    while (pids.some(isRunning)) await sleep(20)
  })

  test('that started a process outside its group is no longer waited for', async () => {
    if (!existsSync('/usr/bin/setsid')) return
    const file = path.join(folder, 'outside')
    const program = await createProgram(
      `setsid sh -c 'echo $$ > ${file}.part; mv ${file}.part ${file}; exec sleep 1000' & wait`,
    )
    const request = new AbortController()
    const limits = { environment: {}, timeoutMs: runMs, signal: request.signal }
    const running = runProgram(program, [], limits)
    while (!existsSync(file)) await sleep(20)
    request.abort()
    expect(await running).toMatchObject({ exitCode: null })
    process.kill(Number(await readFile(file, 'utf8')), 'SIGKILL')
  })

  test('that takes too long or too much memory is ended', async () => {
    const limits = { environment: {}, timeoutMs: 300 }
    expect(await runProgram('/bin/sleep', ['1000'], limits)).toMatchObject({ exitCode: null })
    if (ytDlpProgram === null || !existsSync('/usr/bin/prlimit')) return
    const large = await runProgram('/usr/bin/env', ['python3', '-c', 'print(len(bytes(2**31)))'], {
      environment: {},
      timeoutMs: 60_000,
    })
    expect([large.exitCode, large.stderr.includes('MemoryError')]).toEqual([1, true])
  })

  test('runs for one link at a time, and no request waits longer than it has time', async () => {
    const file = path.join(folder, 'runs')
    const program = await createProgram(`echo start >> ${file}; sleep 1000`)
    const ytDlp = await openYtDlp(program, {}, log)
    const requests = [new AbortController(), new AbortController()]
    const readings = requests.map(({ signal }) => ytDlp?.read('https://site.example/', signal))
    while (!existsSync(file)) await sleep(20)
    requests[1]?.abort()
    expect(await readings[1]).toBeNull()
    requests[0]?.abort()
    expect(await readings[0]).toBeNull()
    expect(await readFile(file, 'utf8')).toBe('start\n')
  })
})

test('only what is asked for is read', () => {
  expect(readFacts('{"title":"x","playlist_count":null}')).toEqual({ title: 'x' })
  expect(readFacts('{"title":"x","url":"https://cdn.example/film.mp4"}')).toBeNull()
  expect(readFacts('{"title":"x","playlist_count":3}')).toBeNull()
  expect(readFacts('{"duration":-1}')).toBeNull()
})

/** Returns whether a process exists and has not ended (a zombie has). */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    const state = `/proc/${pid}/stat`
    return !existsSync(state) || !/^\d+ \(.*\) Z/.test(readFileSync(state, 'utf8'))
  } catch {
    return false
  }
}
