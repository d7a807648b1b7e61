import type { Transport } from '@reelmark/contract/protocol/call.ts'
import type { Site } from './site-process.ts'

/** Returns a transport that calls the API over the network without a browser. */
export function httpTransport(site: Pick<Site, 'url'>): Transport {
  return async ({ method, url, headers, body }) => {
    const reply = await fetch(site.url + url, { method, headers, body })
    const text = await reply.text()
    return { status: reply.status, headers: reply.headers, body: text === '' ? null : JSON.parse(text) }
  }
}
