/** Checks docs/asvs.md: that it is complete, that the files it names exist, and how many lines are open. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keyNames } from '../server/core/auth/server-keys.ts'
import { root } from './processes.mjs'

/** Number of requirements of each level in ASVS 5.0.0. */
const requirementCounts = { 1: 70, 2: 183 }
const maxOpen = { 1: 0, 2: 10 }
const statuses = ['met', 'not applicable', 'operator', 'not met']

const read = (path) => readFileSync(join(root, path), 'utf8')
const requirements = [
  ...read('docs/asvs.md').matchAll(/^\| (\d+\.\d+\.\d+) \| (\d) \|(.*)\|(.*)\|(.*)\|$/gm),
].map(([, number, level, , status, evidence]) => ({
  number,
  level,
  status: status.trim(),
  evidence: evidence.trim(),
}))
const namedFiles = (text) =>
  [...text.matchAll(/`([^`\s]+)`/g)]
    .map(([, name]) => name)
    .filter((name) => /\/.*\.\w+$|^[\w.-]+\.(?:md|json)$/.test(name))

test('every requirement of levels 1 and 2 has one line with a known status', () => {
  expect(new Set(requirements.map(({ number }) => number)).size).toBe(requirements.length)
  for (const [level, count] of Object.entries(requirementCounts)) {
    expect(
      requirements.filter((line) => line.level === level),
      `level ${level}`,
    ).toHaveLength(count)
  }
  expect(requirements.filter(({ status }) => !statuses.includes(status))).toEqual([])
})

test('no requirement of level 1 and at most ten of level 2 are open', () => {
  for (const [level, max] of Object.entries(maxOpen)) {
    const open = requirements.filter((line) => line.level === level && line.status === 'not met')
    expect(open.length, open.map(({ number }) => number).join(', ')).toBeLessThanOrEqual(max)
  }
})

test('a requirement that is met names a test or file, and every line says why', () => {
  expect(requirements.filter(({ evidence }) => evidence === '')).toEqual([])
  expect(
    requirements
      .filter(({ status, evidence }) => status === 'met' && namedFiles(evidence).length === 0)
      .map(({ number }) => number),
  ).toEqual([])
})

test.each(['docs/asvs.md', 'docs/security.md'])('every file named in %s exists', (document) => {
  const names = [...new Set(namedFiles(read(document)))]
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter((name) => !existsSync(join(root, name)))).toEqual([])
})

test('the inventory of cryptography names every key, and the code uses no other algorithm', () => {
  const inventory = read('docs/security.md')
  expect(keyNames.filter((name) => !inventory.includes(`\`${name}\``))).toEqual([])
  const sources = globSync('server/{core,features,shared}/**/*.ts', { cwd: root }).filter(
    (path) => !/\.(?:test|fixture)\.ts$/.test(path),
  )
  const used = sources.flatMap((path) =>
    [...read(path).matchAll(/\bcreate(?:Hash|Hmac|Cipheriv)\(\s*'?([\w-]+)/g)].map(([, name]) => name),
  )
  expect(used.length).toBeGreaterThan(10)
  // `cipher` is the constant of core/auth/encryption.ts.
  expect([...new Set(used)].sort()).toEqual(['cipher', 'sha256'])
  expect(read('server/core/auth/encryption.ts')).toContain("const cipher = 'aes-256-gcm'")
})
