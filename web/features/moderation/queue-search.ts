import type { Input } from '@reelmark/contract/endpoint.ts'
import type { Case, listCases } from '@reelmark/contract/moderation.ts'
import {
  type ReportType,
  reportStatuses,
  reportTypes,
  type TargetKind,
  targetKinds,
} from '@reelmark/contract/reports.ts'
import { readId, readPage } from '../listing/explore-search.ts'

export const ages = [24, 72, 168, 720] as const
export const standings = ['good', 'poor', 'new'] as const
export type Standing = (typeof standings)[number]
type Status = (typeof reportStatuses)[number] | 'all'

/** The queue's address; what is at its default is undefined. */
export interface QueueSearch {
  /** Undefined: open. */
  status?: Exclude<Status, 'open'> | undefined
  type?: ReportType | undefined
  kind?: TargetKind | undefined
  /** Hours. */
  age?: number | undefined
  standing?: Standing | undefined
  page?: number | undefined
  /** What is looked at: `video-12`. */
  case?: string | undefined
}

export interface CaseKey {
  kind: TargetKind
  id: number
}

export function caseName({ target_kind, target_id }: Pick<Case, 'target_kind' | 'target_id'>): string {
  return `${target_kind}-${target_id}`
}

/** `video-12` → its parts; null for what names nothing. */
export function readCaseName(name: unknown): CaseKey | null {
  const [, kind, number] = /^([a-z]+)-(\d{1,10})$/.exec(typeof name === 'string' ? name : '') ?? []
  const found = targetKinds.find((each) => each === kind)
  const id = readId(number)
  return found === undefined || id === undefined ? null : { kind: found, id }
}

/** Reads the address; what makes no sense in it is left out. */
export function readQueueSearch(search: Record<string, unknown>): QueueSearch {
  const status = [...reportStatuses, 'all' as const].find((one) => one === search.status)
  const key = readCaseName(search.case)
  return {
    status: status === 'open' ? undefined : status,
    type: reportTypes.find((one) => one === search.type),
    kind: targetKinds.find((one) => one === search.kind),
    age: ages.find((one) => one === Number(search.age)),
    standing: standings.find((one) => one === search.standing),
    page: readPage(search.page),
    case: key === null ? undefined : `${key.kind}-${key.id}`,
  }
}

/** What the queue is asked for. */
export function queueQuery({ case: _, ...search }: QueueSearch): Input<typeof listCases>['query'] {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}

export function isFiltered({ case: _, page: __, ...filters }: QueueSearch): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}
