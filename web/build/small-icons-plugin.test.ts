// @vitest-environment node
// biome-ignore-all lint/style/noRestrictedImports: tests the build, which runs in Node.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as LockModule from 'lucide-react/icons/lock'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { createIcon } from '../ui/create-icon.ts'
import { reduceIcon } from './small-icons-plugin.ts'

const require = createRequire(import.meta.url)
const readIcon = (name: string) => readFileSync(require.resolve(`lucide-react/icons/${name}`), 'utf8')
const lock = readIcon('lock')

test('the shapes of an icon lose only their keys', () => {
  expect(lock).toContain('key: "')
  const reduced = reduceIcon(lock, '/create-icon.ts')
  expect(reduced).not.toContain('key')
  expect(reduced).toContain('["rect", { width: "18", height: "11", x: "3", y: "11", rx: "2", ry: "2" }]')
  expect(reduced).toContain('["path", { d: "M7 11V7a5 5 0 0 1 10 0v4" }]')
  // A long path has its key on a line of its own.
  expect(reduceIcon(readIcon('eye-off'), '/create-icon.ts')).not.toContain('key')
})

test('a statement without effect is removed', () => {
  expect(lock).toContain('__iconData.node;\n')
  expect(reduceIcon(lock, '/create-icon.ts')).not.toContain('__iconData.node;')
})

test('an icon is created by our function', () => {
  const reduced = reduceIcon(lock, '/create-icon.ts')
  expect(reduced).toContain('import { createIcon as createLucideIcon } from "/create-icon.ts"')
  expect(reduced).not.toContain('createLucideIcon.mjs')
  expect(reduced).toContain('const Lock = createLucideIcon(__iconData);')
})

test.each([{ className: 'size-4' }, { className: 'size-4', role: 'img', 'aria-label': 'Private' }])(
  'an icon with $className and the label $aria-label looks and is announced as the one of lucide-react',
  (attributes) => {
    const { default: Lock, __iconData } = LockModule as unknown as {
      default: typeof LockModule.default
      __iconData: Parameters<typeof createIcon>[0]
    }
    const original = renderToStaticMarkup(createElement(Lock, attributes))
    const ours = renderToStaticMarkup(createElement(createIcon(__iconData), attributes))
    // The stroke width is in base.css; the other differences have no effect in HTML.
    const withoutDifferences = original
      .replace(' xmlns="http://www.w3.org/2000/svg"', '')
      .replace(' stroke-width="2"', '')
      .replace('lucide lucide-lock ', 'lucide ')
    const parts = (markup: string) => markup.split(/(?<=") |[<>]+/).sort()
    expect(parts(ours)).toEqual(parts(withoutDifferences))
  },
)
