/** Loads every endpoint that the contract declares. */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Endpoint } from '@reelmark/contract/protocol/endpoint.ts'

const folder = path.join(import.meta.dirname, '../../contract')

/** Returns `[name, endpoint]` pairs, ordered by file and declaration. */
export async function loadEndpoints(): Promise<[string, Endpoint][]> {
  const files = readdirSync(folder).filter((name) => /^[a-z-]+\.ts$/.test(name))
  const modules = await Promise.all(
    files.sort().map((name): Promise<object> => import(pathToFileURL(path.join(folder, name)).href)),
  )
  return modules.flatMap((module) =>
    Object.entries(module).filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1])),
  )
}

function isEndpoint(value: unknown): value is Endpoint {
  return (
    typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'reply' in value
  )
}
