import { describe, expect, it } from 'vitest'
import { logIn } from '../accounts.ts'
import { getBookmark, splitTags } from '../bookmarks.ts'
import { listVideos } from '../listing.ts'
import { type CallRequest, call, endpointUrl, isCallError, type Transport } from './call.ts'
import { errorTexts } from './error-texts.ts'
import { nullable, Orientation } from './fields.ts'
import { pageCount } from './paging.ts'
import { isHttpUrl } from './parse-url.ts'

function createTransport(status: number, body: unknown, headers: Record<string, string> = {}) {
  const requests: CallRequest[] = []
  const transport: Transport = async (request) => {
    requests.push(request)
    return { status, body, headers: { get: (name) => headers[name] ?? null } }
  }
  return { requests, transport }
}

describe('a call', () => {
  it('fills in path and query parameters and leaves out undefined ones', () => {
    expect(endpointUrl(getBookmark, { id: 7 })).toBe('/api/bookmarks/7/')
    expect(endpointUrl({ path: '/profile/:username/' }, { username: 'a/b?c' })).toBe(
      '/api/profile/a%2Fb%3Fc/',
    )
    expect(endpointUrl(listVideos, {}, { page: 2, q: 'a b&c', tag: undefined })).toBe(
      '/api/videos/?page=2&q=a+b%26c',
    )
  })

  it('sends the body as JSON and returns the reply', async () => {
    const { requests, transport } = createTransport(200, { access: 'a', refresh: 'r' })
    const body = { username: 'ana', password: 'secret' }
    expect(await call(transport, logIn, { body })).toEqual({ access: 'a', refresh: 'r' })
    expect(requests).toEqual([
      {
        method: 'POST',
        url: '/api/token/',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      },
    ])
  })

  it('throws an error with status, body and retry delay for any other status', async () => {
    const { transport } = createTransport(429, { detail: 'Too many' }, { 'retry-after': '30' })
    const error = await call(transport, getBookmark, { params: { id: 1 } }).catch((thrown: unknown) => thrown)
    expect(isCallError(error)).toBe(true)
    expect(error).toMatchObject({ status: 429, body: { detail: 'Too many' }, retryAfter: 30 })
  })
})

describe('shared helpers', () => {
  it('flattens all texts of an error reply in order', () => {
    expect(errorTexts({ a: ['x', 'y'], b: { c: ['z'] }, detail: 'w', n: 5 })).toEqual(['x', 'y', 'z', 'w'])
    expect(errorTexts(null)).toEqual([])
  })

  it('accepts only absolute http and https URLs without credentials', () => {
    expect(['https://a.example/x?y#z', 'http://127.0.0.1:8080/'].map(isHttpUrl)).toEqual([true, true])
    const invalid = [
      '',
      'a.example',
      '//a.example',
      'javascript:alert(1)',
      'data:,x',
      'https://u:p@a.example/',
      'http:',
      'ftp://a',
    ]
    expect(invalid.map(isHttpUrl)).toEqual(invalid.map(() => false))
  })

  it('counts one page for an empty list', () => {
    expect([pageCount(0, 25), pageCount(25, 25), pageCount(26, 25)]).toEqual([1, 1, 2])
  })

  it('splits tags at commas, trims them and drops empty ones', () => {
    expect(splitTags(' a, b ,,c d, ')).toEqual(['a', 'b', 'c d'])
  })

  it('writes a nullable schema as a list of types', () => {
    expect(nullable(Orientation)).toMatchObject({ enum: expect.arrayContaining(['sfw', null]) })
  })
})
