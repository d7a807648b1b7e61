// @vitest-environment node
// biome-ignore-all lint/style/noRestrictedImports: tests the build, which runs in Node.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { builtAssets } from './page-assets.ts'
import type { ChunkModules } from './record-chunk-modules.ts'

const root = join(import.meta.dirname, '../..')
const dist = join(root, 'web/dist')

let chunkModules: ChunkModules
let assets: ReturnType<typeof builtAssets>

beforeAll(() => {
  // `npm test` has just built it. If this file runs alone, the build may be missing or outdated.
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-stale'], { stdio: 'pipe' })
  chunkModules = JSON.parse(readFileSync(join(dist, 'chunk-modules.json'), 'utf8'))
  assets = builtAssets(readFileSync(join(dist, 'client/.vite/manifest.json'), 'utf8'))
})

/** Returns the URLs of the scripts that a page loads initially, without user input. */
function firstLoad(page: string): string[] {
  const urls = [...(assets.routes.__root__?.preloads ?? []), ...(assets.routes[page]?.preloads ?? [])]
  return urls.filter((url) => url in chunkModules)
}

/** Modules needed only by signed-in users, owners, moderators or an opened dialog, or loaded after the page is shown. */
const deferredModules =
  /^web\/(?:features\/(?:comments\/comment|bookmark-page\/(?:bookmark-sidebar|more-)|videos\/watching\/play-queue-panel|shell\/(?:footer|recruiting-banner)|settings\/(?!settings-head)|transfer\/|bookmarks\/(?:save-from-anywhere\/|add-bookmark\/(?!add-bookmark-search)|destination\/|bulk-edit\/(?!selection-mode)|trash\/(?!use-trash-bookmark)|tags\/)|moderation\/(?!lazy-components|require-|reports\/|appeals\/appeal-form|decisions\/(?:decision-anchor|decision-item|hidden-notice|transparency)|sanctions\/suspension-banner)|notifications\/(?!lazy-components|bell-link|unread)|users\/(?:blocks|mutes)\/|auth\/(?!accounts\/redirect-search|passwords\/reset-page-head)|videos\/watching\/settings-panel|listing\/preload-page)|shared\/(?:errors\/(?!api-error)|forms\/(?!use-draft|draft-store)|session\/(?:reauth|webauthn|security-path|sign-in)|pages\/(?:account-page|settings-panel)|counts\/fetch-count|api\/(?:background-request|save-file))|ui\/(?:format-date|format-bytes|choice-cards|file-drop|qr-code|reorder-list|password-input|page-field))/

it('no page loads the schema library, which only the server uses', () => {
  const modules = Object.values(chunkModules).flat()
  expect(modules.filter((id) => id.startsWith('node_modules/typebox/'))).toEqual([])
})

describe.each([
  { page: '/', maxKilobytes: 126.3 },
  { page: '/explore', maxKilobytes: 130 },
  { page: '/bookmarks/$id', maxKilobytes: 130 },
  { page: '/users/$username', maxKilobytes: 137.5 },
  { page: '/collections/$id', maxKilobytes: 133.4 },
])('the first load of $page', ({ page, maxKilobytes }) => {
  it('contains no module that is needed only later', () => {
    const modules = firstLoad(page).flatMap((url) => chunkModules[url] ?? [])
    expect(modules).toContain('web/features/shell/header.tsx')
    expect(modules.filter((id) => deferredModules.test(id))).toEqual([])
  })

  it(`weighs at most ${maxKilobytes} KB`, () => {
    const bytes = firstLoad(page).map(
      (url) => gzipSync(readFileSync(join(dist, 'client', url)), { level: 9 }).length,
    )
    expect(bytes.reduce((sum, size) => sum + size, 0) / 1000).toBeLessThan(maxKilobytes)
  })
})
