/** Measures the JavaScript that a page loads initially: the files its HTML names and their static imports. */
import { gzipSync } from 'node:zlib'

/** Returns the size in kilobytes (1,000 bytes), with each file gzipped separately as servers send it. */
export async function pageWeight(site: string, path: string): Promise<number> {
  const html = await (await fetch(site + path)).text()
  const named = [...html.matchAll(/<(?:script|link)\b[^>]*?(?:src|href)="(\/[^"]+\.js)"/g)].map(
    ([, file]) => file ?? '',
  )
  const seen = new Set<string>()
  let bytes = 0
  const add = async (file: string): Promise<void> => {
    if (seen.has(file)) return
    seen.add(file)
    const code = await (await fetch(site + file)).text()
    bytes += gzipSync(code, { level: 9 }).length
    // Built code imports by literal paths. Dynamic imports are left out, because they run on user input.
    for (const [, imported = ''] of code.matchAll(/(?:\bimport|\bfrom)\s*"(\.{1,2}\/[^"]+\.js)"/g)) {
      await add(new URL(imported, site + file).pathname)
    }
  }
  for (const file of named) await add(file)
  return Math.round(bytes / 100) / 10
}
