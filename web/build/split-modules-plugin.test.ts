// @vitest-environment node
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { type Statement, splitImports } from './split-modules-plugin.ts'

const split = (code: string, isContract = false) =>
  splitImports(code, parseSync('module.js', code).program.body as unknown as Statement[], isContract)

test('each name of a contract file is imported from a module of its own', () => {
  const code = `import { logIn, logOut as endSession } from '@reelmark/contract/accounts.ts'\nlogIn(endSession)`
  expect(split(code)).toBe(
    [
      `import { logIn as logIn } from '@reelmark/contract/accounts.ts?only=logIn'`,
      `import { logOut as endSession } from '@reelmark/contract/accounts.ts?only=logOut'`,
      'logIn(endSession)',
    ].join('\n'),
  )
})

test('lazy components are imported and exported again in the same way', () => {
  expect(split(`export { loadMenu, loadNotice as loadBanner } from './lazy-components.ts'`)).toBe(
    [
      `export { loadMenu as loadMenu } from './lazy-components.ts?only=loadMenu'`,
      `export { loadNotice as loadBanner } from './lazy-components.ts?only=loadNotice'`,
    ].join('\n'),
  )
  expect(split(`import { loadMenu } from '../users/lazy-components.ts'`)).toBe(
    `import { loadMenu as loadMenu } from '../users/lazy-components.ts?only=loadMenu'`,
  )
})

test('other imports stay as they are', () => {
  const code = [
    `import { call } from '@reelmark/contract/protocol/call.ts'`,
    `import * as tags from '@reelmark/contract/tags.ts'`,
    `import { Button } from './button.tsx'`,
    `import { link } from './link.ts'`,
    `export { link }`,
  ].join('\n')
  expect(split(code)).toBe(code)
})

test('a contract file imports names of another one in the same way', () => {
  const code = `import { sorts } from './listing.ts'`
  expect(split(code, true)).toBe(`import { sorts as sorts } from './listing.ts?only=sorts'`)
})
