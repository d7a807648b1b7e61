/**
 * `/oembed`: what other sites show for a link to a bookmark or collection (oEmbed 1.0). A bookmark with a player that other
 * sites may embed is its player, anything else that is not adult content a page of ours (embed-pages.ts).
 */
import { isAdult } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { parseUrl } from '@reelmark/contract/protocol/parse-url.ts'
import type { FastifyInstance } from 'fastify'
import * as t from 'typebox'
import type { Db } from '../../../core/database/database.ts'
import { mountDocument, type WrittenDocument } from '../../../core/http/documents.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { markup, withoutForbiddenCharacters, xmlDocument } from '../../../core/http/markup.ts'
import { choosePlayer, readBookmark } from '../../bookmarks/public-api.ts'
import { siteTitle } from '../feeds/feed.ts'
import { readContainerHead } from '../feeds/queries.ts'

const maxAgeSeconds = 3600
const Size = t.Optional(t.Integer({ minimum: 1, maximum: 10_000 }))
const OembedQuery = t.Object({
  url: t.String({ minLength: 1, maxLength: limits.urlMax }),
  format: t.Optional(t.String({ maxLength: 20, default: 'json' })),
  maxwidth: Size,
  maxheight: Size,
})
type OembedQuery = t.Static<typeof OembedQuery>

interface Oembed {
  type: 'video' | 'rich' | 'link'
  title: string
  author_name?: string
  author_url?: string
  html?: string
  width?: number
  height?: number
}

export function registerOembed(app: FastifyInstance): void {
  const { publicUrl } = app.deps.settings
  mountDocument(app, {
    url: '/oembed',
    maxAgeSeconds,
    params: t.Object({}),
    query: OembedQuery,
    create: async (db, _params, query) => {
      const { format = 'json' } = query
      if (format !== 'json' && format !== 'xml') return unsupportedFormat
      const found = await describeLink(db, publicUrl, query)
      if (found === null) throw new ApiError('not-found')
      const fields = {
        version: '1.0',
        provider_name: 'Reelmark',
        provider_url: publicUrl,
        cache_age: maxAgeSeconds,
        ...found,
      }
      return format === 'json'
        ? { type: 'application/json; charset=utf-8', text: JSON.stringify(fields), modifiedAt: null }
        : { type: 'text/xml; charset=utf-8', text: writeXml(fields), modifiedAt: null }
    },
  })
}

/** The status is that of the specification. */
const unsupportedFormat: WrittenDocument = {
  status: 501,
  type: 'text/plain; charset=utf-8',
  text: 'The formats are json and xml.\n',
  modifiedAt: null,
}

function writeXml(fields: Record<string, string | number>): string {
  const elements = Object.entries(fields).map(
    ([name, value]) => markup`\n${{ markup: `<${name}>` }}${value}${{ markup: `</${name}>` }}`,
  )
  return xmlDocument(markup`<oembed>${elements}\n</oembed>`)
}

/** Returns what a link to this site is shown as; null if it leads to nothing that visitors may see. */
async function describeLink(db: Db, publicUrl: string, query: OembedQuery): Promise<Oembed | null> {
  const url = parseUrl(query.url)
  if (url === null || url.origin !== publicUrl) return null
  const [, kind, digits] = /^\/(bookmarks|collections)\/(\d{1,15})\/?$/.exec(url.pathname) ?? []
  if (kind === undefined) return null
  return (kind === 'bookmarks' ? describeBookmark : describeCollection)(db, publicUrl, Number(digits), query)
}

async function describeBookmark(
  db: Db,
  publicUrl: string,
  id: number,
  query: OembedQuery,
): Promise<Oembed | null> {
  const bookmark = await readBookmark(db, id, null)
  if (bookmark === null) return null
  const { user, video } = bookmark
  const title = withoutForbiddenCharacters(bookmark.title)
  const described = {
    author_name: user.username,
    author_url: `${publicUrl}/users/${encodeURIComponent(user.username)}`,
  }
  if (isAdult(video.orientation)) return { type: 'link', title: `${title} (18+)`, ...described }
  const embedUrl = findEmbeddablePlayer(video, publicUrl)
  if (embedUrl === null) {
    const frame = frameElement(`${publicUrl}/embed/bookmarks/${id}`, title, query, {
      width: 480,
      height: 360,
    })
    return { type: 'rich', title, ...described, ...frame }
  }
  const ratio = (video.height ?? 9) / (video.width ?? 16)
  const width = 640
  // As high as wide at most, like the player of a portrait video on its page.
  const frame = frameElement(embedUrl, title, query, {
    width,
    height: Math.round(width * Math.min(ratio, 1)),
  })
  return { type: 'video', title, ...described, ...frame }
}

/** Returns the player of a known host, unless it works on this site only. */
function findEmbeddablePlayer(
  video: { source_url: string; embed_url: string | null },
  publicUrl: string,
): string | null {
  const { player, embed_url } = choosePlayer(video, new URL(publicUrl).hostname)
  return player !== 'known' || embed_url === null || new URL(embed_url).searchParams.has('parent')
    ? null
    : embed_url
}

async function describeCollection(
  db: Db,
  publicUrl: string,
  id: number,
  query: OembedQuery,
): Promise<Oembed | null> {
  const head = await readContainerHead(db, 'collection', id)
  if (head === null) return null
  const title = withoutForbiddenCharacters(siteTitle(head.title))
  const frame = frameElement(`${publicUrl}/embed/collections/${id}`, title, query, {
    width: 640,
    height: 480,
  })
  return { type: 'rich', title, ...frame }
}

function frameElement(
  src: string,
  title: string,
  { maxwidth, maxheight }: OembedQuery,
  preferred: { width: number; height: number },
): Required<Pick<Oembed, 'html' | 'width' | 'height'>> {
  const scale = Math.min(
    1,
    (maxwidth ?? Infinity) / preferred.width,
    (maxheight ?? Infinity) / preferred.height,
  )
  const width = Math.max(1, Math.floor(preferred.width * scale))
  const height = Math.max(1, Math.floor(preferred.height * scale))
  const { markup: html } =
    markup`<iframe src="${src}" width="${width}" height="${height}" title="${title}" style="border:0" loading="lazy" allow="fullscreen" allowfullscreen referrerpolicy="strict-origin-when-cross-origin"></iframe>`
  return { html, width, height }
}
