import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { allowedImports, areas, siteWideContractFiles, webFrames } from './areas.mjs'

const root = join(import.meta.dirname, '..')
const areaNames = Object.keys(areas).sort()

describe.each([
  { pkg: 'web', frames: webFrames },
  { pkg: 'server', frames: [] },
])('the areas of $pkg', ({ pkg, frames }) => {
  const imports = findImports(pkg)
  const edges = [...new Set(imports.map(({ from, to }) => `${from} → ${to}`))].sort()
  const allowed = Object.entries(allowedImports[pkg])
    .flatMap(([from, targets]) => targets.map((to) => `${from} → ${to}`))
    .sort()

  it('are the areas of the contract', () => {
    expect(featureFolders(pkg)).toEqual([...areaNames, ...frames].sort())
  })

  it('import other areas only where scripts/areas.mjs allows it', () => {
    const refused = imports.filter(({ from, to }) => !allowed.includes(`${from} → ${to}`))
    expect(refused).toEqual([])
  })

  it('use every import that scripts/areas.mjs allows; remove the others from the list', () => {
    expect(allowed.filter((edge) => !edges.includes(edge))).toEqual([])
  })

  it('do not import each other in a circle', () => {
    expect(findAreasInCycles(imports)).toEqual([])
  })
})

it('every file of the contract belongs to one area or to the whole site', () => {
  const files = globSync('*.ts', { cwd: join(root, 'contract') })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => file.replace(/\.ts$/, ''))
  expect(files.sort()).toEqual([...Object.values(areas).flat(), ...siteWideContractFiles].sort())
})

/** Returns the folders of `<pkg>/features` that contain sources. */
function featureFolders(pkg) {
  const files = globSync(`${pkg}/features/*/**/*.{ts,tsx}`, { cwd: root })
  return [...new Set(files.map((file) => file.replaceAll('\\', '/').split('/')[2]))].sort()
}

/** Returns the imports from one folder of `<pkg>/features` to another, `import('…')` and types included. */
function findImports(pkg) {
  const found = []
  for (const path of globSync(`${pkg}/features/**/*.{ts,tsx}`, { cwd: root })) {
    const file = path.replaceAll('\\', '/')
    if (/\.(?:test|fixture)\.tsx?$/.test(file)) continue
    const source = readFileSync(join(root, file), 'utf8')
    for (const [, specifier] of source.matchAll(/\b(?:from|import|import\()\s*'(\.[^']+)'/g)) {
      const target = posix.join(posix.dirname(file), specifier)
      const [from, to] = [file, target].map(findArea)
      if (to !== undefined && to !== from) found.push({ from, to, file })
    }
  }
  return found

  function findArea(file) {
    return file.startsWith(`${pkg}/features/`) ? file.split('/')[2] : undefined
  }
}

/** Returns the areas from which a chain of imports leads back to them. */
function findAreasInCycles(imports) {
  const targets = new Map()
  for (const { from, to } of imports) targets.set(from, (targets.get(from) ?? new Set()).add(to))
  const reachable = (area) => {
    const seen = new Set()
    const pending = [...(targets.get(area) ?? [])]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (seen.has(next)) continue
      seen.add(next)
      pending.push(...(targets.get(next) ?? []))
    }
    return seen
  }
  return [...targets.keys()].filter((area) => reachable(area).has(area)).sort()
}
