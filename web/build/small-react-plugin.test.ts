// @vitest-environment node
// biome-ignore-all lint/style/noRestrictedImports: tests the build, which runs in Node.
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { emptyFunctions, removeExports } from './small-react-plugin.ts'

const require = createRequire(import.meta.url)
const readPackage = (name: string, file: string) =>
  readFileSync(join(dirname(require.resolve(`${name}/package.json`)), `cjs/${file}.production.js`), 'utf8')
const reactDom = readPackage('react-dom', 'react-dom-client')
const statementsOf = (code: string) =>
  parseSync('react-dom.js', code).program.body as unknown as Parameters<typeof emptyFunctions>[1]

test('the functions are emptied, and react-dom stays valid', () => {
  const small = emptyFunctions(reactDom, statementsOf(reactDom))
  expect(small.length).toBeLessThan(reactDom.length * 0.9)
  expect(small).toContain('function startViewTransition')
  expect(small).not.toContain('ownerDocument.startViewTransition(')
  expect(small).not.toContain('FragmentInstance.prototype')
  expect(statementsOf(small).length).toBeGreaterThan(500)
})

test('a version of react-dom without one of the functions fails the build', () => {
  const other = reactDom.replaceAll('updateActivityComponent', 'renamed')
  expect(() => emptyFunctions(other, statementsOf(other))).toThrow('react-dom has no updateActivityComponent')
})

test('a case is removed unless another one falls through to it', () => {
  const functions = reactDom.slice(reactDom.indexOf('function isValidContainer'))
  const code = `${functions}
switch (fiber.tag) { case 5: one(); break; case 19: two(); break; case 7: three(); case 31: four(); break; case 30: default: five() }
switch (other.kind) { case 19: six() }`
  const small = emptyFunctions(code, statementsOf(code))
  expect(small.slice(small.lastIndexOf('switch (fiber'))).toBe(
    `switch (fiber.tag) { case 5: one(); break;  case 7: three(); case 31: four(); break; case 30: default: five() }
switch (other.kind) { case 19: six() }`,
  )
})

test.each([
  { name: 'react', file: 'react', used: 'useState', removed: 'Children' },
  { name: 'react-dom', file: 'react-dom', used: 'flushSync', removed: 'preload' },
] as const)('$name loses the exports that are not used', ({ name, file, used, removed }) => {
  const code = readPackage(name, file)
  const small = removeExports(code, statementsOf(code), name)
  expect(small).toContain(`exports.${used} =`)
  expect(small).not.toContain(`exports.${removed} =`)
  expect(() => removeExports(small, statementsOf(small), name)).toThrow(removed)
})

/** Uses of the features whose code is removed. */
const uses = [
  /\bimport\b[^;'"]*\b(?:Activity|Children|Profiler|PureComponent|SuspenseList|ViewTransition|addTransitionType|cache|cacheSignal|captureOwnerStack|preconnect|prefetchDNS|preinit|preinitModule|preload|preloadModule|requestFormReset|useActionState|useFormState|useFormStatus|useOptimistic)\b[^;'"]*\bfrom\s*['"]react(?:-dom)?['"]/,
  /\bReact(?:\$\d)?\.(?:ViewTransition|Activity|SuspenseList|Profiler|Children|PureComponent|addTransitionType|cache|useActionState|useOptimistic)\b/,
  /<form\b[^>]*\baction=\{(?!action\})/,
  /<Fragment\b[^>]*\bref=/,
]

test('neither the site nor its libraries use a feature whose code is removed', () => {
  const web = join(import.meta.dirname, '..')
  const sources = globSync('{features,routes,shared,ssr,ui}/**/*.{ts,tsx}', { cwd: web })
    .filter((file) => !file.includes('.test.'))
    .map((file) => join(web, file))
  const libraries = [
    '@tanstack/react-router',
    '@tanstack/react-query',
    '@dnd-kit/core',
    '@dnd-kit/sortable',
    '@dnd-kit/utilities',
  ].flatMap((name) => {
    const folder = dirname(require.resolve(`${name}/package.json`))
    return globSync('{dist/esm/*.js,build/modern/*.js,dist/*.esm.js}', { cwd: folder }).map((file) =>
      join(folder, file),
    )
  })
  expect(sources.length).toBeGreaterThan(300)
  expect(libraries.length).toBeGreaterThan(50)
  const users = [...sources, ...libraries].filter((file) => {
    const code = readFileSync(file, 'utf8')
    return uses.some((use) => use.test(code))
  })
  expect(users).toEqual([])
})
