import type { FastifyInstance } from 'fastify'
import { registerEmbedPages } from './embed-pages.ts'
import { registerOembed } from './oembed.ts'
import { registerOpenSearch } from './opensearch.ts'
import { registerSitemap } from './sitemap-routes.ts'

/** Registers what search engines, browsers and other sites read. */
export function registerDiscovery(app: FastifyInstance): void {
  registerSitemap(app)
  registerOpenSearch(app)
  registerOembed(app)
  registerEmbedPages(app)
}
