import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { Parser } from 'htmlparser2'
import { Agent, type Dispatcher } from 'undici'
import { isLoopback } from '../loopback.ts'
import { explainCertificateError } from '../refused-certificate.ts'
import { isTlsOff } from '../service-urls.ts'
import type { ByteStore, StoredPicture } from './store.ts'

/** What an operator can do about the errors of an S3 server (docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html). */
const explanations: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: 'it does not know the key of S3_URL',
  SignatureDoesNotMatch:
    'the secret of S3_URL is not that of its key. Percent-encode /, + and @ in it. Some servers also say this if the region is wrong',
  RequestTimeTooSkewed: "the clock of this machine, or the server's, is wrong by more than 15 minutes",
  AccessDenied: 'the key of S3_URL may not use the bucket',
  NoSuchBucket: 'the bucket of S3_URL does not exist',
}

/** Attempts per request, for a server that is restarting or busy. */
const tries = 3

/**
 * Opens a bucket of an S3-compatible server, addressed by path (`host/bucket/key`), which all of them support. The
 * operator configured the server, so requests do not go through the outbound client.
 *
 * @throws {Error} with a one-line message if the URL is incomplete
 */
export function openS3(s3Url: string): ByteStore {
  const { endpoint, bucket, prefix, accessKeyId, secretAccessKey, region } = parseS3Url(s3Url)
  const agent = new Agent({ connect: { timeout: 3000 }, headersTimeout: 10_000, bodyTimeout: 30_000 })

  async function call(
    method: 'PUT' | 'GET' | 'HEAD' | 'DELETE',
    url: string,
    body: Uint8Array<ArrayBufferLike> = new Uint8Array(),
    type?: string,
  ): Promise<Dispatcher.ResponseData> {
    const sha256 = createHash('sha256').update(body).digest('hex')
    for (let attempt = 1; ; attempt++) {
      // Signed for each attempt, because the signature contains the time.
      const signed = await new AwsV4Signer({
        method,
        url,
        headers: { 'x-amz-content-sha256': sha256, ...(type === undefined ? {} : { 'content-type': type }) },
        accessKeyId,
        secretAccessKey,
        region,
        service: 's3',
      }).sign()
      try {
        const response = await agent.request({
          origin: signed.url.origin,
          path: signed.url.pathname + signed.url.search,
          method,
          headers: Object.fromEntries(signed.headers),
          ...(method === 'PUT' ? { body } : {}),
        })
        if (response.statusCode < 500 || attempt === tries) return response
        await response.body.dump()
      } catch (error) {
        if (attempt === tries) throw explainCertificateError(error, 'S3 server')
      }
      await wait(attempt * 200)
    }
  }

  /** Returns an error with the server's message, for the log. The URL is left out because it contains the secret. */
  async function failure(method: string, response: Dispatcher.ResponseData): Promise<Error> {
    const text = (await response.body.text()).slice(0, 1000)
    const code = /<Code>(\w{1,50})<\/Code>/.exec(text)?.[1] ?? ''
    const explanation = Object.hasOwn(explanations, code) ? explanations[code] : undefined
    const reason = explanation === undefined ? text.slice(0, 300) : `${explanation} (${code}).`
    return new Error(`The S3 server responded ${response.statusCode} to ${method}: ${reason}`)
  }

  const toUrl = (key: string) => `${endpoint}/${key}`

  return {
    async check() {
      const query = new URLSearchParams({ 'list-type': '2', 'max-keys': '1', prefix })
      const response = await call('GET', `${bucket}?${query}`)
      if (response.statusCode !== 200) throw await failure('GET', response)
      await response.body.dump()
    },
    async put(key, bytes, type) {
      const response = await call('PUT', toUrl(key), bytes, type)
      if (response.statusCode >= 300) throw await failure('PUT', response)
      await response.body.dump()
    },
    async get(key) {
      const response = await call('GET', toUrl(key))
      if (response.statusCode === 404) {
        await response.body.dump()
        return null
      }
      if (response.statusCode !== 200) throw await failure('GET', response)
      return { stream: response.body, bytes: Number(response.headers['content-length'] ?? 0) }
    },
    async has(key) {
      const response = await call('HEAD', toUrl(key))
      if (response.statusCode !== 200 && response.statusCode !== 404) throw await failure('HEAD', response)
      await response.body.dump()
      return response.statusCode === 200
    },
    async delete(key) {
      const response = await call('DELETE', toUrl(key))
      if (response.statusCode >= 300 && response.statusCode !== 404) throw await failure('DELETE', response)
      await response.body.dump()
    },
    // `start-after` instead of a continuation token, because every server supports it and it is just the last key.
    async *list() {
      for (let after = ''; ; ) {
        const query = new URLSearchParams({
          'list-type': '2',
          prefix,
          ...(after && { 'start-after': after }),
        })
        const response = await call('GET', `${bucket}?${query}`)
        if (response.statusCode !== 200) throw await failure('GET', response)
        const objects = parseObjectList(await response.body.text())
        const last = objects.at(-1)
        if (last === undefined) return
        if (last.key <= after)
          throw new Error('The S3 server does not support start-after in lists of objects.')
        after = last.key
        yield objects.map(({ key, storedAt }) => ({ key: key.slice(prefix.length), storedAt }))
      }
    },
  }
}

/** Parses the response to ListObjectsV2 and returns its objects with their whole keys. */
function parseObjectList(xml: string): StoredPicture[] {
  const objects: StoredPicture[] = []
  let fields: Record<string, string> = {}
  let text = ''
  const parser = new Parser(
    {
      onopentag(name) {
        if (name === 'Contents') fields = {}
        text = ''
      },
      ontext(part) {
        text += part
      },
      onclosetag(name) {
        if (name === 'Contents') {
          objects.push({ key: fields.Key ?? '', storedAt: new Date(fields.LastModified ?? Number.NaN) })
        }
        fields[name] = text
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return objects
}

/** Parses S3_URL. `s3:` means https, except on this machine and with `tls=off`. Key and secret percent-encode `/`, `+` and `@`. */
export function parseS3Url(s3Url: string) {
  const example = 's3://KEY:SECRET@host/bucket?region=eu-central-1'
  // The messages leave out the URL, because they are logged and it contains a secret.
  if (!/^(?:s3|https?):\/\//.test(s3Url) || !URL.canParse(s3Url.replace(/^s3:/, 'https:'))) {
    throw new Error(`S3_URL is not of the form ${example}`)
  }
  const url = new URL(s3Url.replace(/^s3:/, 'https:'))
  const isPlain = s3Url.startsWith('s3:') && (isLoopback(url.hostname) || isTlsOff(url))
  const scheme = s3Url.startsWith('http:') || isPlain ? 'http' : 'https'
  const path = url.pathname.replace(/^\/+|(?<!\/)\/+$/g, '')
  if (url.username === '' || url.password === '' || path === '') {
    throw new Error(`S3_URL lacks a key, a secret or a bucket: ${example}`)
  }
  const [bucket, ...folders] = path.split('/')
  return {
    endpoint: `${scheme}://${url.host}/${path}`,
    bucket: `${scheme}://${url.host}/${bucket}`,
    /** What the keys of our objects in the bucket begin with. */
    prefix: folders.map((folder) => `${decodeURIComponent(folder)}/`).join(''),
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
    region: url.searchParams.get('region') ?? 'us-east-1',
  }
}
