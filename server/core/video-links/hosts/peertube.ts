import { shortUuid } from '../id-encodings.ts'
import type { VideoHost } from '../video-host.ts'

/** Reserved top-level domains (RFC 6761), which no site can use. */
const reservedEnd = /\.(?:test|example|invalid|localhost)$/

/** Software that runs on any host. */
export const peertube: VideoHost = {
  name: 'peertube',
  parts: {
    host: /[a-z0-9-]+(?:\.[a-z0-9-]+)+/,
    // The short form is the same number in base 58.
    id: /[1-9A-HJ-NP-Za-km-z]{21,22}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/,
  },
  id: '{host}/{id}',
  links: [
    '{host}/w/{id}',
    '{host}/videos/watch/{id}',
    '{host}/videos/embed/{id}',
    '{host}/api/v1/videos/{id}',
    '{host}/videos/update/{id}',
  ],
  canonical: 'https://{host}/w/{id}',
  embed: 'https://{host}/videos/embed/{id}',
  oembed: 'https://{host}/services/oembed',
  validate: ({ host, id }) =>
    host === undefined || id === undefined || reservedEnd.test(host) ? null : { host, id: shortUuid(id) },
}
