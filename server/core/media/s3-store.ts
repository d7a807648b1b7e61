import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, type Dispatcher } from 'undici'
import type { ByteStore } from './store.ts'

/** A try on a server that is starting again, or busy. */
const tries = 3

/**
 * A bucket of any server that speaks S3, addressed by path (`host/bucket/key`), as all of them understand. The
 * operator's own server, so it is not behind the guard of what users ask for.
 *
 * @throws {Error} with one clear line for a URL that lacks something
 */
export function openS3(s3Url: string): ByteStore {
  const { endpoint, accessKeyId, secretAccessKey, region } = parseS3Url(s3Url)
  const agent = new Agent({ connect: { timeout: 3000 }, headersTimeout: 10_000, bodyTimeout: 30_000 })

  async function call(
    method: 'PUT' | 'GET' | 'DELETE',
    key: string,
    body: Uint8Array<ArrayBufferLike> = new Uint8Array(),
    type?: string,
  ): Promise<Dispatcher.ResponseData> {
    const sha256 = createHash('sha256').update(body).digest('hex')
    const url = `${endpoint}/${key}`
    for (let attempt = 1; ; attempt++) {
      // Signed anew each time: a signature holds the time.
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
        const answer = await agent.request({
          origin: signed.url.origin,
          path: signed.url.pathname + signed.url.search,
          method,
          headers: Object.fromEntries(signed.headers),
          ...(method === 'PUT' ? { body } : {}),
        })
        if (answer.statusCode < 500 || attempt === tries) return answer
        await answer.body.dump()
      } catch (error) {
        if (attempt === tries) throw error
      }
      await wait(attempt * 200)
    }
  }

  /** What the server says of it, for the log; never the URL, which holds the secret. */
  async function failure(method: string, answer: Dispatcher.ResponseData): Promise<Error> {
    const text = (await answer.body.text()).slice(0, 300)
    return new Error(`The S3 server answered ${answer.statusCode} to ${method}: ${text}`)
  }

  return {
    async put(key, bytes, type) {
      const answer = await call('PUT', key, bytes, type)
      if (answer.statusCode >= 300) throw await failure('PUT', answer)
      await answer.body.dump()
    },
    async get(key) {
      const answer = await call('GET', key)
      if (answer.statusCode === 404) {
        await answer.body.dump()
        return null
      }
      if (answer.statusCode !== 200) throw await failure('GET', answer)
      return { stream: answer.body, bytes: Number(answer.headers['content-length'] ?? 0) }
    },
    async delete(key) {
      const answer = await call('DELETE', key)
      if (answer.statusCode >= 300 && answer.statusCode !== 404) throw await failure('DELETE', answer)
      await answer.body.dump()
    },
  }
}

/** `s3:` is https, except to this machine. Key and secret are percent-encoded where they hold `/`, `+` or `@`. */
export function parseS3Url(s3Url: string) {
  const example = 's3://KEY:SECRET@host/bucket?region=eu-central-1'
  // Neither message holds the URL: it goes to logs, and holds a secret.
  if (!/^(?:s3|https?):\/\//.test(s3Url) || !URL.canParse(s3Url.replace(/^s3:/, 'https:'))) {
    throw new Error(`S3_URL is not of the form ${example}`)
  }
  const url = new URL(s3Url.replace(/^s3:/, 'https:'))
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  const scheme = s3Url.startsWith('http:') || (s3Url.startsWith('s3:') && isLocal) ? 'http' : 'https'
  const path = url.pathname.replace(/^\/+|\/+$/g, '')
  if (url.username === '' || url.password === '' || path === '') {
    throw new Error(`S3_URL lacks a key, a secret or a bucket: ${example}`)
  }
  return {
    endpoint: `${scheme}://${url.host}/${path}`,
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
    region: url.searchParams.get('region') ?? 'us-east-1',
  }
}
