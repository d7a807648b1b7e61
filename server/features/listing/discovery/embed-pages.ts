/**
 * `/embed/collections/{id}` and `/embed/bookmarks/{id}`: pages that other sites show in a frame. They contain no script,
 * no form and no cookie, and only what is public. A site that frames them learns nothing about the viewer, and cannot make
 * them do anything by a mistaken click.
 */
import { createHash } from 'node:crypto'
import { IdParams, isAdult } from '@reelmark/contract/protocol/fields.ts'
import type { FastifyInstance } from 'fastify'
import * as t from 'typebox'
import { mountDocument } from '../../../core/http/documents.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { type Markup, markup } from '../../../core/http/markup.ts'
import { readBookmark } from '../../bookmarks/public-api.ts'
import { siteTitle } from '../feeds/feed.ts'
import { readContainerHead, readFeedRows } from '../feeds/queries.ts'

const maxAgeSeconds = 300

/** The colours are those of web/ui/tokens.css. */
const style = `
:root{color-scheme:light dark;font:15px/1.4 system-ui,sans-serif}
body{margin:0;padding:12px;background:light-dark(#fbf9f7,#100e0c);color:light-dark(#1e1a17,#f2efec)}
h1{margin:0 0 12px;font-size:17px;overflow-wrap:anywhere}
a{color:inherit;text-decoration:none}
a:hover,a:focus-visible{text-decoration:underline}
ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(160px,100%),1fr));gap:12px;margin:0;padding:0;list-style:none}
.picture{display:block;aspect-ratio:16/9;background:light-dark(#f0ede9,#1d1916);border-radius:8px;overflow:hidden}
img{width:100%;height:100%;object-fit:cover;display:block}
.title{display:block;margin-top:4px;overflow-wrap:anywhere}
p{margin:12px 0 0;font-size:13px;color:light-dark(#67605a,#b3aca5)}
p a{text-decoration:underline}
`

const headers = {
  'content-security-policy': [
    "default-src 'none'",
    "img-src 'self'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
  ].join('; '),
  'cross-origin-resource-policy': 'cross-origin',
  'x-robots-tag': 'noindex',
}

interface Card {
  id: number
  title: string
  thumbnail: string | null
}

export function registerEmbedPages(app: FastifyInstance): void {
  const { publicUrl } = app.deps.settings
  const page = { params: IdParams, query: t.Object({}), maxAgeSeconds, headers }

  mountDocument(app, {
    ...page,
    url: '/embed/collections/:id',
    create: async (db, { id }) => {
      const head = await readContainerHead(db, 'collection', id)
      if (head === null) throw new ApiError('not-found')
      const rows = await readFeedRows(db, { collection: id }, null, { adult: false })
      const cards = rows.map(({ id, title, thumbnail_url }) =>
        writeCard({ id, title, thumbnail: thumbnail_url }, publicUrl),
      )
      const content = markup`<h1>${linkTo(publicUrl + head.page, markup`${head.title}`)}</h1>
${cards.length === 0 ? markup`<p>No bookmarks yet.</p>` : markup`<ul>${cards}\n</ul>`}
<p>${linkTo(publicUrl + head.page, markup`See the collection on Reelmark`)}</p>`
      return writePage(siteTitle(head.title), content)
    },
  })

  mountDocument(app, {
    ...page,
    url: '/embed/bookmarks/:id',
    create: async (db, { id }) => {
      const bookmark = await readBookmark(db, id, null)
      if (bookmark === null) throw new ApiError('not-found')
      const { video, user } = bookmark
      const adult = isAdult(video.orientation)
      const title = adult ? `${bookmark.title} (18+)` : bookmark.title
      const thumbnail = adult ? null : (video.thumbnail_large_url ?? video.thumbnail_url)
      const content = markup`<ul>${writeCard({ id, title, thumbnail }, publicUrl)}\n</ul>
<p>Video on ${video.host}, saved by ${linkTo(`${publicUrl}/users/${encodeURIComponent(user.username)}`, markup`${user.username}`)} on Reelmark</p>`
      return writePage(title, content)
    },
  })
}

/** Opens in a new tab, because the page of this site cannot be shown in a frame. */
function linkTo(url: string, content: Markup): Markup {
  return markup`<a href="${url}" target="_blank" rel="noopener">${content}</a>`
}

function writeCard({ id, title, thumbnail }: Card, publicUrl: string): Markup {
  const picture = thumbnail === null ? null : markup`<img src="${thumbnail}" alt="" loading="lazy">`
  const content = markup`<span class="picture">${picture}</span><span class="title">${title}</span>`
  return markup`\n<li>${linkTo(`${publicUrl}/bookmarks/${id}`, content)}</li>`
}

function writePage(title: string, content: Markup) {
  const { markup: text } = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<style>${{ markup: style }}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`
  return { type: 'text/html; charset=utf-8', text, modifiedAt: null }
}
