import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../shared/corpora/', import.meta.url))

/**
 * Opens a folder of test cases from other projects, next to the checkout. They cannot be published with this project,
 * so most clones have none. Tests use `describe.skipIf(!corpus.exists)`; the notice is printed here.
 */
export function openCorpus(name: string) {
  const exists = existsSync(`${root}${name}`)
  if (!exists) process.stderr.write(`Skipped: no cases in ../shared/corpora/${name}\n`)
  return {
    exists,
    path: (file: string) => `${root}${name}/${file}`,
    bytes: (file: string) => readFileSync(`${root}${name}/${file}`),
    json: <T>(file: string) => JSON.parse(readFileSync(`${root}${name}/${file}`, 'utf8')) as T,
    /** Returns [] if the folder does not exist, so that `test.each` can be declared. */
    rows: <T>(file: string): T[] =>
      exists
        ? readFileSync(`${root}${name}/${file}`, 'utf8')
            .split('\n')
            .filter((line) => line.trim() !== '')
            .map((line) => JSON.parse(line) as T)
        : [],
  }
}
