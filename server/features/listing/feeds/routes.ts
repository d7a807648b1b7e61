/** Feeds: the address of a list's page and `/feed.atom`, `/feed.rss` or `/feed.json`. */
import { UsernameParams } from '@reelmark/contract/profiles.ts'
import { IdParams } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FastifyInstance } from 'fastify'
import * as t from 'typebox'
import { findViewerByToken } from '../../../core/auth/session.ts'
import { mountDocument, sendDocument, type WrittenDocument } from '../../../core/http/documents.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { etagOf } from '../../../core/http/etags.ts'
import { consumeRequestToken } from '../../../core/http/rate-limits.ts'
import { strictPolicy } from '../../../core/http/security-headers.ts'
import { composeFeed, type Feed, type FeedHead, type FeedRow } from './feed.ts'
import { type FeedFormat, feedFormats } from './formats.ts'
import { readContainerHead, readFeedRows, readProfileHead, readSmartHead } from './queries.ts'

/** How long readers and proxies may use a feed without asking again. */
const maxAgeSeconds = 300

/** `adult=1` also lists adult content. Other parameters are ignored, because readers add their own. */
const adultQuery = { adult: t.Optional(t.Enum(['0', '1'])) }
const FeedQuery = t.Object(adultQuery)
const SearchFeedQuery = t.Object({
  ...adultQuery,
  q: t.Optional(t.String({ maxLength: limits.searchMax })),
  tag: t.Optional(t.String({ maxLength: limits.tagMax })),
})
type SearchFeedQuery = t.Static<typeof SearchFeedQuery>
const TokenParams = t.Object({ token: t.String({ minLength: 1, maxLength: 100 }) })

export function registerFeeds(app: FastifyInstance): void {
  for (const format of Object.keys(feedFormats) as FeedFormat[]) {
    registerPublicFeeds(app, format)
    registerFollowingFeed(app, format)
  }
}

function registerPublicFeeds(app: FastifyInstance, format: FeedFormat): void {
  const write = (head: FeedHead, rows: FeedRow[], query: SearchFeedQuery) =>
    writeFeed(app, format, head, rows, feedPath(head.page, format, query))
  /** Feeds without adult content that the job announce-feeds announces. */
  const writeAnnounced = (head: FeedHead, rows: FeedRow[], query: SearchFeedQuery) => {
    const isAnnounced = query.adult !== '1'
    const path = feedPath(head.page, format, query)
    return writeFeed(app, format, head, rows, path, isAnnounced ? app.deps.settings.websubHub : null)
  }

  mountDocument(app, {
    maxAgeSeconds,
    url: `/users/:username/feed.${format}`,
    params: UsernameParams,
    query: FeedQuery,
    create: async (db, { username }, query) => {
      const head = requireHead(await readProfileHead(db, username))
      if (head.username.toLowerCase() !== username.toLowerCase())
        return movedTo(feedPath(head.page, format, query))
      return writeAnnounced(
        head,
        await readFeedRows(db, { user: head.username }, null, options(query)),
        query,
      )
    },
  })

  for (const kind of ['collection', 'channel'] as const) {
    mountDocument(app, {
      maxAgeSeconds,
      url: `/${kind}s/:id/feed.${format}`,
      params: IdParams,
      query: FeedQuery,
      create: async (db, { id }, query) => {
        const head = requireHead(await readContainerHead(db, kind, id))
        return writeAnnounced(head, await readFeedRows(db, { [kind]: id }, null, options(query)), query)
      },
    })
  }

  mountDocument(app, {
    maxAgeSeconds,
    url: `/smart-collections/:id/feed.${format}`,
    params: IdParams,
    query: FeedQuery,
    create: async (db, { id }, query) => {
      const head = requireHead(await readSmartHead(db, id))
      return write(head, await readFeedRows(db, { smart_collection: id }, null, options(query)), query)
    },
  })

  mountDocument(app, {
    maxAgeSeconds,
    url: `/explore/feed.${format}`,
    params: t.Object({}),
    query: SearchFeedQuery,
    create: async (db, _params, query) => {
      const { q = '', tag = '' } = query
      const list = { ...(q === '' ? {} : { q }), ...(tag === '' ? {} : { tag }) }
      return write(searchHead(list), await readFeedRows(db, list, null, options(query)), query)
    },
  })
}

/** The Following feed. Its address contains a token, because feed readers send no header with one. */
function registerFollowingFeed(app: FastifyInstance, format: FeedFormat): void {
  const { db, settings } = app.deps
  app.get<{ Params: t.Static<typeof TokenParams>; Querystring: t.Static<typeof FeedQuery> }>(
    `/feeds/:token/following.${format}`,
    {
      schema: { hide: true, params: TokenParams, querystring: FeedQuery },
      config: { addressLimit: 'document' },
    },
    async (request, reply) => {
      const { token } = request.params
      // From the primary, so that a revoked address stops working at once.
      const viewer = await findViewerByToken(app, token, 'feed')
      if (viewer === null) throw new ApiError('not-found')
      await consumeRequestToken(db, 'read', request, viewer, settings.rateLimitScale)
      const rows = await readFeedRows(db, { following: true }, viewer, options(request.query))
      const path = `/feeds/${token}/following.${format}${request.query.adult === '1' ? '?adult=1' : ''}`
      const written = writeFeed(app, format, followingHead, rows, path)
      reply.headers({
        'content-security-policy': strictPolicy,
        'cache-control': `private, max-age=${maxAgeSeconds}`,
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
      })
      return sendDocument(request, reply, { ...written, etag: etagOf(written.text) })
    },
  )
}

const followingHead: FeedHead = {
  title: 'Following',
  description: 'Bookmarks of the users you follow on Reelmark.',
  page: '/explore?sort=following',
  createdAt: new Date(0),
}

function searchHead(search: { q?: string; tag?: string }): FeedHead {
  const { q, tag } = search
  const subject = [q, tag === undefined ? undefined : `#${tag}`]
    .filter((part) => part !== undefined)
    .join(' ')
  return {
    title: subject === '' ? 'Explore Bookmarks' : `${subject}: Explore Bookmarks`,
    description: 'Public bookmarks on Reelmark.',
    page: `/explore${subject === '' ? '' : `?${new URLSearchParams(search)}`}`,
    createdAt: new Date(0),
  }
}

/** Returns the path of the feed with the same list as a page: `/explore/feed.atom?tag=music`. */
function feedPath(page: string, format: FeedFormat, { adult }: SearchFeedQuery): string {
  const { pathname, searchParams } = new URL(page, 'https://site.invalid')
  if (adult === '1') searchParams.set('adult', '1')
  return `${pathname}/feed.${format}${searchParams.size === 0 ? '' : `?${searchParams}`}`
}

function options({ adult }: SearchFeedQuery): { adult: boolean } {
  return { adult: adult === '1' }
}

function requireHead<Head extends FeedHead>(head: Head | null): Head {
  if (head === null) throw new ApiError('not-found')
  return head
}

function writeFeed(
  { deps: { settings } }: FastifyInstance,
  format: FeedFormat,
  head: FeedHead,
  rows: FeedRow[],
  selfPath: string,
  hubUrl: string | null = null,
): WrittenDocument {
  const feed = composeFeed(head, rows, { publicUrl: settings.publicUrl, selfPath, hubUrl })
  const { type, write } = feedFormats[format]
  return {
    type,
    text: write(feed),
    modifiedAt: feed.updatedAt,
    ...(hubUrl && { links: hubLinks(feed, hubUrl) }),
  }
}

/** Redirects the feed of a former username. */
function movedTo(location: string): WrittenDocument {
  return { status: 301, type: 'text/plain', text: '', modifiedAt: null, location }
}

/** Returns the `Link` header with which subscribers discover a feed's hub. */
function hubLinks({ selfUrl }: Feed, hubUrl: string): string {
  return `<${encodeURI(hubUrl)}>; rel="hub", <${selfUrl}>; rel="self"`
}
