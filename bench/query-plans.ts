/** The plans of the statements that a request sends. */
import type { Sql } from '../server/core/database/database.ts'
import { quantile } from './statistics.ts'

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: PlanNode[]
}

/** A sequential scan of more rows than this is a scan of a large table. */
const maxScannedRows = 1000

/** Milliseconds that the median of no request may exceed. */
export const maxMedianMs = 25

/**
 * Runs a request and returns the nodes of the plans of its statements. Each statement is explained before it is sent, with
 * the parameters and the planning that it has in the request.
 */
export async function readPlans(db: Sql, request: (db: Sql) => Promise<unknown>): Promise<PlanNode[]> {
  const nodes: PlanNode[] = []
  const explaining = Object.assign(
    (strings: TemplateStringsArray, ...parameters: never[]) => {
      const statement = db(strings, ...parameters)
      // Quoted names are not statements.
      if (!('then' in statement)) return statement
      // Only whole statements are awaited, so fragments are not explained.
      const send = statement.then.bind(statement)
      const explain = async () => {
        const plan = await db`explain (analyze, format json) ${db(strings, ...parameters)}`.unprepared()
        nodes.push(...flattenPlan(plan[0]?.['QUERY PLAN'][0].Plan))
      }
      Object.assign(statement, {
        // biome-ignore lint/suspicious/noThenProperty: replaces the `then` of the statement.
        then: (done: never, failed: never) => explain().then(() => send(done, failed), failed),
      })
      return statement
    },
    { unsafe: db.unsafe },
  ) as unknown as Sql
  await request(explaining)
  return nodes
}

function flattenPlan(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flattenPlan)]
}

/** Returns the large tables that a plan scans sequentially. */
export function findSequentialScans(nodes: readonly PlanNode[]): string[] {
  const large = nodes.filter(
    (node) => node['Node Type'] === 'Seq Scan' && node['Actual Rows'] * node['Actual Loops'] > maxScannedRows,
  )
  return [...new Set(large.map((node) => node['Relation Name'] ?? ''))]
}

/** Returns the indexes of a table that a plan uses, without the name of the table. */
export function usedIndexes(nodes: readonly PlanNode[], table: string): string {
  const names = nodes.flatMap((node) => node['Index Name'] ?? [])
  return [...new Set(names)]
    .flatMap((name) => (name.startsWith(`${table}_`) ? name.slice(table.length + 1) : []))
    .join(' ')
}

interface Timing {
  /** Of each run, sorted. */
  durations: number[]
  /** The fastest run: other processes on the machine only ever make it slower. */
  best: number
  median: number
  p99: number
}

/**
 * Measures a request in milliseconds: a hundred times or for a second, but at least seven times.
 * @param now the clock, for example the CPU time of the database
 */
export async function timeRequest(
  request: () => Promise<unknown>,
  now: () => number = () => performance.now(),
): Promise<Timing> {
  const durations: number[] = []
  const end = performance.now() + 1000
  while (durations.length < 7 || (durations.length < 100 && performance.now() < end)) {
    const start = now()
    await request()
    durations.push(now() - start)
  }
  durations.sort((a, b) => a - b)
  const at = (share: number) => Number(quantile(durations, share).toFixed(1))
  return { durations, best: at(0), median: at(0.5), p99: at(0.99) }
}
