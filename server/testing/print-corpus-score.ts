/** `npm run corpus`: prints how many values the extraction finds in the cases of other projects, and fails below the minimums. */
import {
  findAcceptedGates,
  findAcceptedNegatives,
  minimums,
  type Score,
  scoreLinks,
  scorePages,
  shareRight,
} from '../features/videos/extraction/corpus-score.fixture.ts'
import { openCorpus } from './corpora.ts'

const corpus = openCorpus('extraction')
if (!corpus.exists) process.exit(1)

let failed = false

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}

const minimumOf = new Map<string, number>(Object.entries(minimums))

function print(name: string, field: string, score: Score): void {
  const share = shareRight(score)
  const minimum = minimumOf.get(field)
  const isLow = minimum !== undefined && share < minimum
  failed ||= isLow
  const counts = [score.right, score.wrong, score.missing].map((count) => String(count).padStart(6))
  const limit =
    minimum === undefined ? '' : `  (at least ${(minimum * 100).toFixed(0)} %${isLow ? ': FAILED' : ''})`
  printLine(`${name.padEnd(26)}${counts.join('')}  ${(share * 100).toFixed(1).padStart(5)} %${limit}`)
  for (const failure of score.failures.slice(0, process.argv.includes('--all') ? undefined : 10)) {
    printLine(`    not ${field}: ${failure}`)
  }
}

function printList(title: string, cases: readonly string[]): void {
  failed ||= cases.length > 0
  printLine(`${title}: ${cases.length}${cases.length > 0 ? ' FAILED' : ''}`)
  for (const name of cases) printLine(`    ${name}`)
}

printLine(`${''.padEnd(26)}${['right', 'wrong', 'miss.'].map((word) => word.padStart(6)).join('')}`)
for (const [list, name] of [
  ['accept_html_only', 'pages'],
  ['accept', 'with oEmbed'],
] as const) {
  for (const [field, score] of Object.entries(await scorePages(corpus, list))) {
    print(`${field}, ${name}`, field, score)
  }
}
print('links', 'links', scoreLinks(corpus))
printList('consent, login and error pages taken for content', await findAcceptedGates(corpus))
printList('links of other pages taken for videos', findAcceptedNegatives(corpus))
process.exitCode = failed ? 1 : 0
