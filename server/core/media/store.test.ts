import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseS3Url } from './s3-store.ts'
import { createMediaKey, type MediaStore, openMediaStore, type StoredPicture } from './store.ts'

const picture = Buffer.from('RIFF....WEBP a picture')
const key = createMediaKey()
const secret = 'a/secret+with@signs'

/**
 * Returns whether a request is signed correctly. Computes the signature independently, following Amazon's description
 * of version 4 (docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html).
 */
function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const header =
    /^AWS4-HMAC-SHA256 Credential=KEY\/(\d{8})\/(.+?)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w{64})$/.exec(
      request.headers.authorization ?? '',
    )
  if (header === null) return false
  const [, day = '', region = '', names = '', signature] = header
  const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  if (request.headers['x-amz-content-sha256'] !== sha256(body)) return false
  const [path, query = ''] = (request.url ?? '').split('?')
  const parameters = [...new URLSearchParams(query)].map((pair) => pair.map(encodeURIComponent).join('='))
  const canonical = [
    request.method,
    path,
    parameters.sort().join('&'),
    ...names.split(';').map((name) => `${name}:${request.headers[name]}`),
    '',
    names,
    sha256(body),
  ].join('\n')
  const time = String(request.headers['x-amz-date'])
  const toSign = ['AWS4-HMAC-SHA256', time, `${day}/${region}/s3/aws4_request`, sha256(canonical)].join('\n')
  const signing = hmac(hmac(hmac(hmac(`AWS4${secret}`, day), region), 's3'), 'aws4_request')
  return createHmac('sha256', signing).update(toSign).digest('hex') === signature && time.startsWith(day)
}

const objects = new Map<string, { body: Buffer; type: string | undefined }>()
/** How many objects the bucket lists in one response. */
const pageSize = 2

/** Responds to ListObjectsV2 as described by Amazon (docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html). */
function listObjects(url: URL): string {
  const prefix = url.searchParams.get('prefix') ?? ''
  const after = url.searchParams.get('start-after') ?? ''
  const keys = [...objects.keys()].map((path) => path.slice(`${url.pathname}/`.length)).sort()
  const found = keys.filter((key) => key.startsWith(prefix) && key > after)
  const contents = found.slice(0, pageSize).map(
    (key) =>
      `<Contents><Key>${key}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified>
      <ETag>&quot;0&quot;</ETag><Size>7</Size></Contents>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
    <ListBucketResult><Name>media</Name><IsTruncated>${found.length > pageSize}</IsTruncated>${contents.join('')}
    </ListBucketResult>`
}

let remainingFailures = 0
const bucket = createServer(async (request, reply) => {
  const body = await buffer(request)
  const name = request.url ?? ''
  if (remainingFailures-- > 0) reply.writeHead(503).end('SlowDown')
  else if (!isSigned(request, body)) reply.writeHead(403).end('<Code>SignatureDoesNotMatch</Code>')
  else if (request.method === 'PUT') {
    objects.set(name, { body, type: request.headers['content-type'] })
    reply.end()
  } else if (request.method === 'DELETE') {
    objects.delete(name)
    reply.writeHead(204).end()
  } else if (name.includes('list-type=2')) {
    reply.end(listObjects(new URL(name, 'http://bucket')))
  } else {
    const found = objects.get(name)
    if (found === undefined) reply.writeHead(404).end('<Code>NoSuchKey</Code>')
    else reply.end(found.body)
  }
})

let folder = ''
let host = ''
const stores: Record<string, () => MediaStore> = {
  'a folder': () => openMediaStore({ dataDir: folder }),
  'a bucket': () =>
    openMediaStore({
      dataDir: folder,
      s3Url: `s3://KEY:${encodeURIComponent(secret)}@${host}/media/made?region=eu-central-1`,
    }),
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'media-'))
  bucket.listen(0, '127.0.0.1')
  await once(bucket, 'listening')
  host = `127.0.0.1:${(bucket.address() as AddressInfo).port}`
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  bucket.closeAllConnections()
  bucket.close()
})

test('folders and pictures are readable by no other account', async () => {
  const dataDir = join(folder, 'private')
  await openMediaStore({ dataDir }).put(key, picture)
  const modes = [dataDir, join(dataDir, 'media'), join(dataDir, 'media', key.slice(0, 2), key)].map(
    async (path) => (await stat(path)).mode & 0o777,
  )
  expect(await Promise.all(modes)).toEqual([0o700, 0o700, 0o600])
})

describe.each(Object.keys(stores))('%s', (name) => {
  const open = () => stores[name]?.() as MediaStore

  test('returns what was stored, and null after deletion', async () => {
    const store = open()
    expect(await store.get(key)).toBeNull()
    await store.put(key, picture)
    await store.put(key, picture)
    const found = await open().get(key)
    expect([found?.type, found?.bytes]).toEqual(['image/webp', picture.length])
    expect(found && (await buffer(found.stream)).equals(picture)).toBe(true)
    await store.delete(key)
    await store.delete(key)
    expect(await store.get(key)).toBeNull()
  })

  test('refuses names that are not media keys', async () => {
    await writeFile(join(folder, 'secret.webp'), 'x')
    for (const bad of [
      '../secret.webp',
      'secret.webp',
      '',
      '..',
      `${key}/..`,
      `${key}\n`,
      key.toUpperCase(),
      key.replace('webp', 'html'),
    ]) {
      expect(await open().get(bad), bad).toBeNull()
      await expect(open().put(bad, picture), bad).rejects.toThrow('is not a media key')
      await open().delete(bad)
    }
    expect((await stat(join(folder, 'secret.webp'))).size).toBe(1)
  })

  test('reports whether a picture exists', async () => {
    const store = open()
    const other = createMediaKey()
    expect(await store.has(other)).toBe(false)
    await store.put(other, picture)
    expect(await store.has(other)).toBe(true)
    await store.delete(other)
    expect(await store.has(other)).toBe(false)
    expect(await store.has('../secret.webp')).toBe(false)
  })

  test('lists every picture once, with the time at which it was stored', async () => {
    const store = open()
    const keys = Array.from({ length: 7 }, () => createMediaKey()).sort()
    for (const added of keys) await store.put(added, picture)
    const listed: StoredPicture[] = []
    for await (const batch of store.list()) listed.push(...batch)
    expect(listed.map((entry) => entry.key).sort()).toEqual(keys)
    for (const { storedAt } of listed) expect(storedAt.getTime()).toBeGreaterThan(Date.UTC(2026, 0, 1))
    for (const added of keys) await store.delete(added)
    const left: StoredPicture[] = []
    for await (const batch of store.list()) left.push(...batch)
    expect(left).toEqual([])
  })

  test('accepts the same picture from concurrent callers', async () => {
    await Promise.all(Array.from({ length: 20 }, () => open().put(key, picture)))
    const found = await open().get(key)
    expect(found && (await buffer(found.stream)).equals(picture)).toBe(true)
  })
})

test('a folder contains only complete files', async () => {
  await openMediaStore({ dataDir: folder }).put(key, picture)
  expect(await readdir(join(folder, 'media', key.slice(0, 2)))).toEqual([key])
})

test('a folder lists and deletes the unfinished file of a process that died, and nothing else that is not a picture', async () => {
  const store = openMediaStore({ dataDir: folder })
  const unfinished = `${key}.1b4e28ba-2fa1-41d2-883f-0016d3cca427.part`
  await writeFile(join(folder, 'media', key.slice(0, 2), unfinished), 'RIFF')
  await writeFile(join(folder, 'media', 'README'), 'x')
  const listed: string[] = []
  for await (const batch of store.list()) listed.push(...batch.map((entry) => entry.key))
  expect(listed.sort()).toEqual([key, unfinished])
  await store.delete(unfinished)
  expect(await readdir(join(folder, 'media', key.slice(0, 2)))).toEqual([key])
})

test('the list of a bucket contains only the pictures below its prefix', async () => {
  objects.set(`/media/other/${createMediaKey()}`, { body: picture, type: 'image/webp' })
  objects.set('/media/made/notes.txt', { body: picture, type: 'text/plain' })
  const store = stores['a bucket']?.() as MediaStore
  await store.put(key, picture)
  const listed: string[] = []
  for await (const batch of store.list()) listed.push(...batch.map((entry) => entry.key))
  expect(listed).toEqual([key])
})

test('a bucket stores the type, below the prefix', async () => {
  await stores['a bucket']?.().put(key, picture)
  expect(objects.get(`/media/made/${key}`)?.type).toBe('image/webp')
})

test('a busy bucket is retried, and one that stays unavailable is an error', async () => {
  remainingFailures = 2
  await stores['a bucket']?.().put(key, picture)
  remainingFailures = 3
  await expect(stores['a bucket']?.().put(key, picture)).rejects.toThrow(
    'The S3 server responded 503 to PUT: SlowDown',
  )
  remainingFailures = 0
})

test('a wrong secret is an error that does not reveal it', async () => {
  const store = openMediaStore({ dataDir: folder, s3Url: `http://KEY:wrong-secret@${host}/media` })
  await expect(store.get(key)).rejects.toThrow(
    'The S3 server responded 403 to GET: the secret of S3_URL is not that of its key.',
  )
})

test.each([
  ['s3://K:S@s3.example/b?region=eu-west-1', 'https://s3.example/b', 'eu-west-1'],
  ['https://K:S@s3.example:9000/b/p/', 'https://s3.example:9000/b/p', 'us-east-1'],
  ['http://K:S@minio:9000/b', 'http://minio:9000/b', 'us-east-1'],
  ['s3://K:S@localhost:9000/b', 'http://localhost:9000/b', 'us-east-1'],
  ['s3://K:S@s3.lan:9000/b?tls=off', 'http://s3.lan:9000/b', 'us-east-1'],
])('%s refers to the bucket %s', (url, endpoint, region) => {
  expect(parseS3Url(url)).toMatchObject({ endpoint, region, accessKeyId: 'K', secretAccessKey: 'S' })
})

test.each([
  '',
  's3://',
  's3://host/bucket',
  's3://KEY:SECRET@host',
  'ftp://KEY:SECRET@host/b',
  's3://KEY@host/b',
])('S3_URL %j stops the start with a one-line message without the secret', (url) => {
  expect(() => parseS3Url(url)).toThrow(/^S3_URL [^\n]*$/)
})
