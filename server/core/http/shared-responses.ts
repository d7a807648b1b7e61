/**
 * Serves the cached responses of an endpoint: to visitors as they are, to signed-in users completed with their own marks.
 * A response is serialized once. Completing it for a viewer replaces the marks in its text instead of serializing everything
 * again (docs/decisions/0039-serving-signed-in-users.md).
 */
import type { Endpoint, Input, Reply } from '@reelmark/contract/protocol/endpoint.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Viewer } from '../auth/session.ts'
import { type MarkedVideos, writeIds } from '../auth/video-marks.ts'
import { ApiError } from './errors.ts'
import { getSerializer } from './serialization.ts'
import type { CachedResponse } from './visitor-cache.ts'

/** How the cached response of an endpoint is completed for a viewer. */
export interface Personalization<E extends Endpoint> {
  /**
   * Returns whether a viewer requests something of their own. Then the handler runs without creating the response of
   * visitors. By default no request does.
   */
  isOfViewer?: (call: { input: Input<E>; viewer: Viewer }) => boolean
  /**
   * Returns whether a viewer sees what visitors see, apart from marks. Otherwise the handler runs. Not called for
   * moderators, for whom the handler always runs. By default every viewer does.
   */
  isShared?: (cached: Reply<E>, call: { input: Input<E>; viewer: Viewer }) => boolean
  /** Present if the response shows the viewer's marks of videos. */
  marks?: ShownMarks<E>
  /** Adds what else only the viewer sees to a small response, which is then serialized. It must not change `cached`. */
  addOwn?: (cached: Reply<E>, call: { input: Input<E>; viewer: Viewer }) => Promise<Reply<E>>
}

interface ShownMarks<E extends Endpoint> {
  /** Returns the videos whose marks the response shows, in the order of its text. */
  videoIds: (cached: Reply<E>) => readonly number[]
  /** Returns the response with the marks of each of these videos. It is shared and must not be changed. */
  // biome-ignore lint/suspicious/noExplicitAny: the marks are defined in shared/viewer-marks.ts, which core does not import.
  add: (cached: Reply<E>, marks: any[]) => Reply<E>
}

export interface CacheOptions<E extends Endpoint> {
  /** Whether visitors without a token may get a cached response up to a second old (visitor-cache.ts). */
  cacheForVisitors?: boolean | ((query: Record<string, unknown>) => boolean)
  /**
   * Returns the query to answer instead of one that leaves a choice to the server, so that its response can be cached.
   * Otherwise returns the same object.
   */
  chooseQuery?: (query: Record<string, unknown>) => Record<string, unknown>
  /** Completes the cached response for signed-in users. By default the handler runs for them. */
  personalize?: Personalization<E>
  /**
   * Whether the cached response that `personalize` completes is the viewer's own and not that of visitors: for lists that
   * are different for each viewer.
   */
  cachePerViewer?: (query: Record<string, unknown>) => boolean
  /**
   * Lifetime of cached responses in milliseconds, instead of a second: for expensive ones that depend on everything, so that any change
   * drops them, and that are read from the primary database.
   */
  lifetimeMs?: number
}

/** A cached response of an endpoint. */
interface SharedResponse<E extends Endpoint> extends CachedResponse {
  body: string
  value?: Reply<E>
  /** Where the marks stand; undefined until the first signed-in user gets the response. */
  markedText?: MarkedText
  /** The text for every viewer, if it shows no marks. */
  completed?: JsonBytes
}

/**
 * A JSON text with one character for each byte. Node sends such a text together with the headers and without converting it, and
 * joining it from parts takes a fraction of the time that it takes with other texts and with buffers.
 */
export interface JsonBytes {
  readonly bytes: string
  /** Whether the object is the same for many requests. */
  readonly isShared: boolean
}

/** A text in which the marks of videos stand. */
export interface MarkedText {
  /** The names of the marks. */
  names: readonly string[]
  videoIds: readonly number[]
  /** The same as the text of a bigint[]. */
  idList: string
  /** The text for a viewer who marked none of the videos. */
  unmarked: JsonBytes
  /** Where the marks of each video begin in it. */
  positions: readonly number[]
}

/** What a URL requests, as far as it was validated. */
export interface KnownRequest<E extends Endpoint> {
  /** With the query that is answered. */
  input: Input<E>
  params: unknown
  /** The query as it was requested, if the server chose another; it chooses again for each request. */
  requestedQuery: Record<string, unknown> | null
  /** The rest of the key of its cached response, after that of its owner. */
  key: string
  isOwn: boolean
}

/** Maximum number of remembered URLs per endpoint, and their maximum length: about 1 MB per endpoint. */
const maxKnown = 1000
const maxUrlLength = 300

export interface SharedResponses<E extends Endpoint> {
  /** Returns what a URL requests if an earlier request with it was valid. */
  recognise(url: string): KnownRequest<E> | null
  /** Remembers a valid request. Returns null if its response is not cached. */
  remember(request: FastifyRequest): KnownRequest<E> | null
  /** Returns the cached response, unless it must be created. `userId` is null for visitors. */
  find(known: KnownRequest<E>, userId: number | null): SharedResponse<E> | null
  /** Returns the cached response, or creates it. */
  getOrCreate(
    known: KnownRequest<E>,
    viewer: Viewer | null,
    create: (owner: Viewer | null) => Promise<SharedResponse<E>>,
  ): Promise<SharedResponse<E>>
  /** Whether signed-in users get cached responses. */
  isPersonalized: boolean
  /** Whether a viewer may get the cached response. `complete` returns whether they do. */
  mayComplete(call: { input: Input<E>; viewer: Viewer }): boolean
  /** Returns the marks of the videos that the response shows; null if it shows none. */
  readMarks(cached: SharedResponse<E>, userId: number): Promise<MarkedVideos> | null
  /**
   * Returns the text of the response for a viewer; null if the handler must run. It is the same object for all viewers who marked
   * nothing that the response shows.
   */
  complete(
    cached: SharedResponse<E>,
    call: { input: Input<E>; viewer: Viewer },
  ): Promise<JsonBytes> | JsonBytes | null
}

/** Creates what serves the cached responses of an endpoint. */
export function createSharedResponses<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  {
    cacheForVisitors,
    chooseQuery = (query) => query,
    personalize,
    cachePerViewer,
    lifetimeMs,
  }: CacheOptions<E>,
): SharedResponses<E> {
  const { visitorCache } = app.deps
  const knownByUrl = new Map<string, KnownRequest<E>>()
  const queryNames = Object.keys((endpoint.query as { properties?: object } | undefined)?.properties ?? {})
  const serialize = (value: object) => getSerializer(endpoint.reply as object)(value)
  const isCacheable =
    typeof cacheForVisitors === 'function' ? cacheForVisitors : () => cacheForVisitors === true

  /**
   * Returns the key of a cached response: path and query parameters as the endpoint reads them after validation. Other
   * parameters and other spellings of the URL lead to the same response, so they must not create another one.
   */
  function sharedKey(params: unknown, query: Record<string, unknown>): string {
    return JSON.stringify([endpoint.path, params, queryNames.map((name) => query[name] ?? null)])
  }

  function choose(params: unknown, query: Record<string, unknown>, isOwn: boolean): KnownRequest<E> {
    const chosen = chooseQuery(query)
    const input = { params, query: chosen, body: undefined } as Input<E>
    const requestedQuery = chosen === query ? null : query
    return { input, params, requestedQuery, key: sharedKey(params, chosen), isOwn }
  }

  function findKnown(url: string): KnownRequest<E> | null {
    const known = knownByUrl.get(url) ?? null
    if (known === null || known.requestedQuery === null) return known
    return choose(known.params, known.requestedQuery, known.isOwn)
  }

  const keyFor = ({ key, isOwn }: KnownRequest<E>, userId: number | null) =>
    isOwn && userId !== null ? `${userId} ${key}` : key

  function markedText(cached: SharedResponse<E>, shown: ShownMarks<E>): MarkedText {
    cached.markedText ??= findMarks(cached.value as Reply<E>, shown, Object.keys(app.markQueries), serialize)
    return cached.markedText
  }

  function readMarks(cached: SharedResponse<E>, userId: number): Promise<MarkedVideos> | null {
    const shown = personalize?.marks
    if (shown === undefined) return null
    return app.readMarkedVideos({ viewerId: userId, videoIds: markedText(cached, shown).idList })
  }

  return {
    isPersonalized: personalize !== undefined,
    recognise: findKnown,
    remember(request) {
      const remembered = findKnown(request.url)
      if (remembered !== null) return remembered
      const query = request.query as Record<string, unknown>
      const isOwn = cachePerViewer?.(query) === true
      if (!isOwn && !isCacheable(query)) return null
      const known = choose(request.params, query, isOwn)
      if (request.url.length <= maxUrlLength) {
        // The order of a Map is that of insertion: the first entry is the oldest.
        if (knownByUrl.size >= maxKnown) knownByUrl.delete(knownByUrl.keys().next().value as string)
        knownByUrl.set(request.url, known)
      }
      return known
    },
    find: (known, userId) =>
      known.isOwn && userId === null
        ? null
        : (visitorCache.find(keyFor(known, userId)) as SharedResponse<E> | null),
    getOrCreate: (known, viewer, create) =>
      visitorCache.getOrCreate(
        keyFor(known, viewer?.id ?? null),
        () => create(known.isOwn ? viewer : null),
        lifetimeMs,
      ),
    readMarks,
    mayComplete: (call) => personalize !== undefined && personalize.isOfViewer?.(call) !== true,
    complete(cached, { input, viewer }) {
      if (personalize?.isOfViewer?.({ input, viewer }) === true) return null
      if (personalize?.isShared?.(cached.value as Reply<E>, { input, viewer }) === false) return null
      const { marks: shown, addOwn } = personalize ?? {}
      if (addOwn !== undefined) {
        const completed = addOwn(cached.value as Reply<E>, { input, viewer })
        return completed.then((value) => jsonBytes(serialize(value as object), false))
      }
      const marked = readMarks(cached, viewer.id)
      if (shown === undefined || marked === null) {
        cached.completed ??= jsonBytes(cached.body, true)
        return cached.completed
      }
      return marked.then((found) => addMarks(markedText(cached, shown), found))
    },
  }
}

/** Visitors may not see what a signed-in user may. */
export function nullIfRefused(error: unknown): null {
  if (error instanceof ApiError) return null
  throw error
}

/** Returns the text of marks as it stands in responses: their fields follow each other in every schema. */
function marksText(names: readonly string[], isMarked: (name: string) => boolean): string {
  return names.map((name) => `"${name}":${isMarked(name)}`).join(',')
}

/** Returns a text with one character for each of its bytes (JsonBytes). */
export function toBytes(text: string): string {
  return Buffer.from(text).toString('latin1')
}

function jsonBytes(text: string, isShared: boolean): JsonBytes {
  return { bytes: toBytes(text), isShared }
}

/**
 * Serializes a response without marks and finds where they stand in its text. No text of a user can be mistaken for them,
 * because quotes within texts are escaped.
 * @throws Error if the marks in the text are not those of the videos
 */
export function findMarks<E extends Endpoint>(
  value: Reply<E>,
  { videoIds: findVideoIds, add }: ShownMarks<E>,
  names: readonly string[],
  serialize: (value: object) => string,
): MarkedText {
  const videoIds = findVideoIds(value)
  const none = Object.fromEntries(names.map((name) => [name, false]))
  const marked = add(
    value,
    videoIds.map(() => none),
  )
  const unmarked = jsonBytes(serialize(marked as object), true)
  const positions: number[] = []
  const searched = marksText(names, () => false)
  for (let at = unmarked.bytes.indexOf(searched); at >= 0; at = unmarked.bytes.indexOf(searched, at + 1))
    positions.push(at)
  if (positions.length !== videoIds.length)
    throw new Error('A response does not show the marks of its videos.')
  return { names, videoIds, idList: writeIds(videoIds), unmarked, positions }
}

/** Returns a text with the marks of a viewer. */
export function addMarks(
  { names, videoIds, unmarked, positions }: MarkedText,
  marked: MarkedVideos,
): JsonBytes {
  if (names.every((name) => marked[name]?.length === 0)) return unmarked
  const { bytes } = unmarked
  const length = marksText(names, () => false).length
  const isMarked = new Set(names.flatMap((name) => marked[name] ?? []))
  let text = ''
  let end = 0
  for (const [n, videoId] of videoIds.entries()) {
    const position = positions[n] as number
    if (!isMarked.has(videoId)) continue
    text += bytes.slice(end, position) + marksText(names, (name) => marked[name]?.includes(videoId) === true)
    end = position + length
  }
  return { bytes: text + bytes.slice(end), isShared: false }
}
