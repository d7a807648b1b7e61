import { expect, it } from 'vitest'
import { builtAssets, routeIdFromSource } from './page-assets.ts'

it.each([
  ['routes/index.tsx?tsr-split=component', '/'],
  ['routes/explore.tsx?tsr-split=component---pendingComponent', '/explore'],
  ['routes/bookmarks.$id.tsx?tsr-split=component', '/bookmarks/$id'],
  ['routes/bookmarks.$id.tsx?tsr-split=errorComponent', null],
  ['routes/__root.tsx?tsr-split=component', null],
  ['ui/button.tsx', null],
])('finds the route of %s', (source, id) => {
  expect(routeIdFromSource(source)).toBe(id)
})

it('lists for each page the assets it needs in addition to the shared ones', () => {
  const manifest = {
    'ssr/entry-client.tsx': { file: 'e.js', isEntry: true, imports: ['_shared.js'], css: ['e.css'] },
    '_shared.js': { file: 's.js' },
    '_grid.js': { file: 'g.js', imports: ['_shared.js'] },
    'routes/explore.tsx?tsr-split=component': {
      file: 'x.js',
      src: 'routes/explore.tsx?tsr-split=component',
      imports: ['_grid.js', 'ssr/entry-client.tsx'],
    },
  }
  expect(builtAssets(JSON.stringify(manifest)).routes).toEqual({
    __root__: {
      preloads: ['/e.js', '/s.js'],
      css: ['/e.css'],
      scripts: [{ attrs: { type: 'module', async: true, src: '/e.js' } }],
    },
    '/explore': { preloads: ['/x.js', '/g.js'], css: [] },
  })
})
