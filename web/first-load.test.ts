// @vitest-environment node
// biome-ignore-all lint/style/noRestrictedImports: about the build, which runs in Node.
import { gzipSync } from 'node:zlib'
import { build, type Rollup } from 'vite'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { builtAssets } from './page-assets.ts'

/** Of the client build: file → what is in it. */
const chunks = new Map<string, Rollup.OutputChunk>()
let assets: ReturnType<typeof builtAssets>

beforeAll(async () => {
  vi.stubEnv('NODE_ENV', 'production')
  const built = await build({
    configFile: `${import.meta.dirname}/vite.config.ts`,
    mode: 'production',
    logLevel: 'error',
    build: { write: false },
  })
  for (const part of (Array.isArray(built) ? built : [built]).flatMap((each) =>
    'output' in each ? each.output : [],
  )) {
    if (part.type === 'chunk') chunks.set(`/${part.fileName}`, part)
    else if (part.fileName.endsWith('manifest.json')) assets = builtAssets(String(part.source))
  }
})

/** What somebody's first page loads before anything is done. */
function firstLoad(page: string): Rollup.OutputChunk[] {
  const files = [...(assets.routes.__root__?.preloads ?? []), ...(assets.routes[page]?.preloads ?? [])]
  return files.map((file) => chunks.get(file)).filter((chunk) => chunk !== undefined)
}

function modulesOf(parts: Iterable<Rollup.OutputChunk>): string[] {
  return [...parts]
    .flatMap(({ modules }) => Object.entries(modules))
    .filter(([, { renderedLength }]) => renderedLength > 0)
    .map(([id]) => id.replace(/^.*\/(?=(?:web|contract|node_modules)\/)/, ''))
}

/** What only signed-in people, owners, moderators, or an opened dialog need. */
const later =
  /^web\/(?:features\/(?:settings\/(?!section-head)|saving\/(?!add-search)|organising\/(?!selecting)|moderation\/(?!require-|queue-search|tab-searches)|notifications\/(?!bell-link|unread)|safety\/|accounts\/(?!require-session|redirect-search|reset-head)|tags\/)|ui\/(?:choice-cards|file-drop|qr-code|reorder-list|password-input))/

describe.each([
  { page: '/', most: 142 },
  { page: '/explore', most: 144.5 },
  { page: '/bookmarks/$id', most: 155 },
  { page: '/users/$username', most: 150 },
  { page: '/collections/$id', most: 145.5 },
])('the first load of $page', ({ page, most }) => {
  it('holds nothing that waits for somebody to ask for it', () => {
    const modules = modulesOf(firstLoad(page))
    expect(modules).toContain('web/features/shell/header.tsx')
    expect(modules.filter((id) => later.test(id))).toEqual([])
  })

  it(`weighs at most ${most} KB`, () => {
    const bytes = firstLoad(page).map(({ code }) => gzipSync(code, { level: 9 }).length)
    expect(bytes.reduce((sum, each) => sum + each, 0) / 1000).toBeLessThan(most)
  })
})
