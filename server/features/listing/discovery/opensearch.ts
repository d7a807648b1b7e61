/** `/opensearch.xml`: lets browsers search the site from their address bar (OpenSearch 1.1). */
import type { FastifyInstance } from 'fastify'
import * as t from 'typebox'
import { mountDocument } from '../../../core/http/documents.ts'
import { markup, xmlDocument } from '../../../core/http/markup.ts'

export function registerOpenSearch(app: FastifyInstance): void {
  const { publicUrl } = app.deps.settings
  mountDocument(app, {
    url: '/opensearch.xml',
    maxAgeSeconds: 24 * 3600,
    params: t.Object({}),
    query: t.Object({}),
    create: async () => ({
      type: 'application/opensearchdescription+xml; charset=utf-8',
      text: xmlDocument(markup`
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>Reelmark</ShortName>
<Description>Search videos saved on Reelmark</Description>
<InputEncoding>UTF-8</InputEncoding>
<Image width="192" height="192" type="image/png">${publicUrl}/icon-192.png</Image>
<Url type="text/html" template="${publicUrl}/explore?q={searchTerms}"/>
<Url type="application/atom+xml" template="${publicUrl}/explore/feed.atom?q={searchTerms}"/>
<Url type="application/rss+xml" template="${publicUrl}/explore/feed.rss?q={searchTerms}"/>
<Url type="application/opensearchdescription+xml" rel="self" template="${publicUrl}/opensearch.xml"/>
</OpenSearchDescription>`),
      modifiedAt: null,
    }),
  })
}
