/** `/robots.txt`, and the sitemap that it names: an index of files with at most 50,000 addresses each (sitemaps.org). */
import type { FastifyInstance } from 'fastify'
import * as t from 'typebox'
import { mountDocument } from '../../../core/http/documents.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { type Markup, markup, xmlDocument } from '../../../core/http/markup.ts'
import { listSitemapFiles, readSitemapFile, type SitemapEntry, sitemapKinds } from './sitemap-queries.ts'

/** Pages that are not about one bookmark, collection or user. */
const fixedPages = ['/', '/explore']
/** Search engines read sitemaps about once a day. */
const maxAgeSeconds = 3600
const xmlType = 'application/xml; charset=utf-8'
const nothing = t.Object({})
/** 2,000,000 files cover 20,000 million ids. */
const FileParams = t.Object({ file: t.Integer({ minimum: 0, maximum: 2_000_000 }) })

export function registerSitemap(app: FastifyInstance): void {
  const { publicUrl } = app.deps.settings
  const shared = { maxAgeSeconds, query: nothing }

  mountDocument(app, {
    ...shared,
    url: '/robots.txt',
    params: nothing,
    create: async () => ({
      type: 'text/plain; charset=utf-8',
      text: `User-agent: *\nDisallow: /api/\nDisallow: /embed/\nDisallow: /feeds/\n\nSitemap: ${publicUrl}/sitemap.xml\n`,
      modifiedAt: null,
    }),
  })

  mountDocument(app, {
    ...shared,
    url: '/sitemap.xml',
    params: nothing,
    create: async (db) => {
      const files = [`${publicUrl}/sitemaps/pages.xml`]
      for (const kind of sitemapKinds) {
        const numbers = await listSitemapFiles(db, kind)
        files.push(...numbers.map((file) => `${publicUrl}/sitemaps/${kind}/${file}.xml`))
      }
      const entries = files.map((file) => markup`\n<sitemap><loc>${file}</loc></sitemap>`)
      const text = xmlDocument(
        markup`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}\n</sitemapindex>`,
      )
      return { type: xmlType, text, modifiedAt: null }
    },
  })

  mountDocument(app, {
    ...shared,
    url: '/sitemaps/pages.xml',
    params: nothing,
    create: async () => writeFile(fixedPages.map((path) => ({ path, updated_at: null }))),
  })

  for (const kind of sitemapKinds) {
    mountDocument(app, {
      ...shared,
      url: `/sitemaps/${kind}/:file.xml`,
      params: FileParams,
      create: async (db, { file }) => {
        const entries = await readSitemapFile(db, kind, file)
        if (entries.length === 0) throw new ApiError('not-found')
        return writeFile(entries)
      },
    })
  }

  function writeFile(entries: readonly SitemapEntry[]) {
    const urls = entries.map((entry) => writeUrl(entry, publicUrl))
    const times = entries.flatMap(({ updated_at }) =>
      updated_at === null ? [] : [new Date(updated_at).getTime()],
    )
    return {
      type: xmlType,
      text: xmlDocument(
        markup`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}\n</urlset>`,
      ),
      modifiedAt: times.length === 0 ? null : new Date(times.reduce((a, b) => Math.max(a, b))),
    }
  }
}

function writeUrl({ path, updated_at }: SitemapEntry, publicUrl: string): Markup {
  const modified =
    updated_at === null ? null : markup`<lastmod>${new Date(updated_at).toISOString()}</lastmod>`
  return markup`\n<url><loc>${publicUrl + path}</loc>${modified}</url>`
}
