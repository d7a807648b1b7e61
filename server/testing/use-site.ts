/** A site for the tests of one file, with or without two signed-in users. */
import { afterAll } from 'vitest'
import type { ServiceOptions } from './services.ts'
import { bootApp, type TestApp } from './test-app.ts'
import { signUp, type TestUser } from './test-users.ts'

export interface TestSite {
  site: TestApp
  alice: TestUser
  bob: TestUser
}

/**
 * Boots a site on a database of its own and signs up alice and bob. Call it at the top of a test file:
 * `const { site, alice, bob } = await useSite()`. The site closes after the last test of the file, and fails the file
 * when the server logged an error that no test removed from `site.log`.
 *
 * Files that need more users call `signUp(site, 'carol')`; files whose tests count users, or must each begin with new
 * ones, use `useEmptySite` and `signUp`.
 */
export async function useSite(options: ServiceOptions = {}): Promise<TestSite> {
  const site = await useEmptySite(options)
  const alice = await signUp(site, 'alice')
  const bob = await signUp(site, 'bob')
  return { site, alice, bob }
}

/** Boots a site without users, which closes after the last test of the file. See `useSite`. */
export async function useEmptySite(options: ServiceOptions = {}): Promise<TestApp> {
  const site = await bootApp(options)
  afterAll(() => site.close())
  return site
}
