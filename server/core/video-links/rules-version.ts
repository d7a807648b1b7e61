import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

let version: string | null = null

/**
 * Returns what identifies the rules that recognise links: a hash of the sources in this folder, so that no change is missed. They are
 * read once, because a process keeps the rules with which it started.
 */
export function readRulesVersion(): string {
  version ??= hashSources()
  return version
}

function hashSources(): string {
  const folder = import.meta.dirname
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => name.replaceAll(path.sep, '/'))
    .sort()
  const hash = createHash('sha256')
  for (const name of files)
    hash
      .update(name)
      .update('\0')
      .update(readFileSync(path.join(folder, name)))
  return hash.digest('hex')
}
